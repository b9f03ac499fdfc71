// Text from other agents is data: escaped so that it can neither close its tag nor open another.

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
// Controls, and the characters that turn or hide text on a screen; newline and tab stay.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** For a screen: nothing that moves the cursor or hides behind other signs. */
export const visible = (text: string): string =>
  wellFormed(text).replace(/\r\n?/g, "\n").replace(INVISIBLE, "");

export const escapeXml = (text: string): string =>
  visible(text).replace(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);

/** For whole documents: no tag can be opened or closed, and quotes, code and arrows stay readable. */
export const withoutTags = (text: string): string =>
  wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, "")
    .replace(/<(?=[/!?a-z])/gi, "&lt;");

/** A lone half of a surrogate pair would break whoever encodes the text next. */
const wellFormed = (text: string) => text.toWellFormed();

/** For names and other text that must stay on its line. */
export const escapeLine = (text: string): string => escapeXml(text).replace(/\s+/g, " ").trim();
