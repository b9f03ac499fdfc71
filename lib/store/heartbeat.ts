// The throttle of the heartbeat: an empty file whose age says when a sign of life was last written down.
import { closeSync, constants, futimesSync, lstatSync, openSync } from "node:fs";
import { heartbeatPath, type Places } from "./paths.ts";
import { hasCode } from "./read-text.ts";

const { O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;

/** True at most once in `throttleMs`. A throttled call is one look and touches nothing. */
export function takeBeat(
  places: Places,
  team: string,
  agent: string,
  now: Date,
  throttleMs: number,
): boolean {
  const path = heartbeatPath(places, team, agent);
  const age = now.getTime() - (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (age >= 0 && age < throttleMs) return false;
  touch(path, now);
  return true;
}

/** The temp directory is shared: what a stranger put there is left alone, and the team's own file throttles instead. */
function touch(path: string, now: Date): void {
  try {
    const fd = openSync(path, O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    futimesSync(fd, now, now);
    closeSync(fd);
  } catch (error) {
    if (!["ELOOP", "EACCES", "EPERM", "ENOENT", "EISDIR"].some((code) => hasCode(error, code))) throw error;
  }
}
