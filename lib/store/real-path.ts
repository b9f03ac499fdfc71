// One name for one directory, whatever links lead to it; a path that is not there yet keeps the name it was given.
import { realpathSync } from "node:fs";
import { isAbsence } from "./read-text.ts";

export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isAbsence(error)) return path;
    throw error;
  }
}
