// Seed 001's wrapper for what a team has to say to a member, to the letter.
import { escapeLine } from "../core/text.ts";

export const teamUpdates = (agent: string): string => `Team Updates for ${escapeLine(agent)}`;

export const reminder = (heading: string, parts: string[]): string =>
  `<system-reminder>\n# ${heading}\n\n${parts.join("\n\n")}\n\n</system-reminder>`;
