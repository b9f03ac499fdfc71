// Taking away what killed processes left behind: locks by the locks' own rules, so that a holder who came back keeps his.
import { rmSync } from "node:fs";
import { WATCHED_MS, withLock } from "./lock.ts";
import { hasCode } from "./read-text.ts";

/** False when somebody holds it by now. */
export function releaseLock(lock: string): boolean {
  try {
    withLock(lock.slice(0, -".lock".length), () => {}, 2 * WATCHED_MS);
    return true;
  } catch (error) {
    if (hasCode(error, "ELOCKED")) return false;
    throw error;
  }
}

export const deleteFile = (path: string): boolean => {
  rmSync(path, { force: true });
  return true;
};
