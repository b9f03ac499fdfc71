// Taking away what killed processes left behind: locks by the locks' own rules, so that a holder who came back keeps his.
import { rmdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { WATCHED_MS, withLock } from "../../core/lock.ts";
import { hasCode } from "../../core/read-file.ts";

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

/** A file or a whole archived team, and the directories that are empty without it, up to `top`. */
export function prune(path: string, top: string): void {
  rmSync(path, { recursive: true, force: true });
  for (let at = dirname(path); at.length > top.length && removedIfEmpty(at); at = dirname(at));
}

function removedIfEmpty(directory: string): boolean {
  try {
    rmdirSync(directory);
    return true;
  } catch (error) {
    if (["ENOTEMPTY", "EEXIST", "ENOENT", "EBUSY", "EPERM", "EACCES"].some((code) => hasCode(error, code)))
      return false;
    throw error;
  }
}
