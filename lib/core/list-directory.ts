// The names in a directory; none where there is no such directory.
import { readdirSync } from "node:fs";
import { isAbsence } from "./read-file.ts";

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** A task list's files, by their numbers. */
export const taskFiles = (directory: string): string[] =>
  namesIn(directory).filter((name) => /^[1-9]\d{0,8}\.json$/.test(name));
