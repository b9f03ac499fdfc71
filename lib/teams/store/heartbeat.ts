// The throttle of the heartbeat: an empty file whose age says when a sign of life was last written down.
import { futimesSync, lstatSync } from "node:fs";
import { isNoFile, withFile } from "../../core/open-file.ts";
import { heartbeatPath, type Paths } from "../../core/paths.ts";
import { hasCode } from "../../core/read-file.ts";

/** True at most once in `throttleMs`. A throttled call is one look and touches nothing. */
export function takeBeat(paths: Paths, team: string, agent: string, now: Date, throttleMs: number): boolean {
  const path = heartbeatPath(paths, team, agent);
  const age = now.getTime() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age >= 0 && age < throttleMs) return false;
  touch(path, now);
  return true;
}

/** The temp directory is shared: what a stranger put there is left alone, and the team's own file throttles instead. */
function touch(path: string, now: Date): void {
  try {
    withFile(path, "write", (fd) => futimesSync(fd, now, now));
  } catch (error) {
    if (!isNoFile(error) && !["EACCES", "EPERM", "ENOENT"].some((code) => hasCode(error, code))) throw error;
  }
}
