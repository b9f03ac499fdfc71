// Locks that are held for longer than one write: of the processes beside the sessions, of which one works at a time.
import { statSync, utimesSync } from "node:fs";
import { lock } from "proper-lockfile";
import { hasCode } from "../core/files.ts";
import { STALE_AFTER_MS } from "../core/lock.ts";

const RENEW_MS = 3_000;

/** Returns what gives it back; `undefined` where another process has it. `onCompromised` when it was taken from us, as after a sleep. */
export async function takeLongLock(
  path: string,
  onCompromised: () => void,
): Promise<(() => Promise<void>) | undefined> {
  try {
    return await lock(path, { realpath: false, stale: STALE_AFTER_MS, update: RENEW_MS, onCompromised });
  } catch (error) {
    if (!hasCode(error, "ELOCKED")) throw error;
    makeCurrent(`${path}.lock`);
    return undefined;
  }
}

/** The clock was set back since it was made: left alone, the lock of a process that died would count for as long. */
function makeCurrent(lock: string): void {
  const now = Date.now();
  if ((statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) > now + STALE_AFTER_MS)
    utimesSync(lock, new Date(now), new Date(now));
}
