// Errors that pass by themselves: on Windows a scanner or a reader that has the file open, on a share a handle that must be
// looked up again. Tried again for a moment, then believed.
import { hasCode } from "./read-file.ts";
import { sleepSync } from "./sleep.ts";

const TRIES = 10;
const PAUSE_MS = 15;

/** The same codes are for good elsewhere: a directory that may not be written stays that way. */
const PASSING: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ["EPERM", "EACCES", "EBUSY", "ENOTEMPTY"],
};
const PASSING_EVERYWHERE = ["EBUSY", "ESTALE"];

export const isTransient = (error: unknown, platform = process.platform): boolean =>
  (PASSING[platform] ?? PASSING_EVERYWHERE).some((code) => hasCode(error, code));

export function retryTransient<T>(work: () => T, platform = process.platform): T {
  for (let attempt = 1; ; attempt++) {
    try {
      return work();
    } catch (error) {
      if (attempt === TRIES || !isTransient(error, platform)) throw error;
      sleepSync(PAUSE_MS);
    }
  }
}
