// Text from other agents is data: escaped so that it can neither close its tag nor open another.
import { plainText } from "./plain.ts";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export const escapeXml = (text: string): string =>
  plainText(text).replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

/** For whole documents: no tag can be opened or closed, and quotes, code and arrows stay readable. */
export const withoutTags = (text: string): string => plainText(text).replace(/<(?=[/!?a-z])/gi, "&lt;");

/** For names and other text that must stay on its line. */
export const escapeLine = (text: string): string => escapeXml(text).replace(/\s+/g, " ").trim();
