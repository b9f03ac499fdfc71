// The lock protocol of proper-lockfile, which the client uses for its own files: a directory `<file>.lock` whose age says whether
// its holder still lives. Ours for the short locks of hooks: that package cannot wait synchronously (docs/architecture.md).
import { mkdirSync, readdirSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  hasCode,
  ifThere,
  ignoring,
  isTemporary,
  isTransient,
  makeDirectory,
  removeFile,
  retryTransient,
} from "./files.ts";
import { elapsedMs, noteProblem, shared, sleepSync } from "./process.ts";

/** proper-lockfile's own default: its holders renew the age every five seconds. */
export const STALE_AFTER_MS = 10_000;
const DEFAULT_WAIT_MS = 2_000;
/** A lock that looks stale is watched this long before it is broken: after a jump of the clock a live holder's looks stale too. */
export const WATCHED_MS = 200;
/** Longer for the lock of a breaker: two breakers at once would take away the lock of a third process. */
const BREAKER_WATCHED_MS = 1_000;
const LONGEST_PAUSE_MS = 25;
/** Past the deadline of the run one short try is still made. */
const LAST_TRY_MS = 30;

export interface Held {
  /** Throws if the lock was taken from us, as after the machine slept; otherwise renews it, so that a stall now cannot cost it. */
  check(): void;
}

export function withLock<T>(path: string, work: (held: Held) => T, waitMs = DEFAULT_WAIT_MS): T {
  const lock = `${path}.lock`;
  let mine: string | undefined = acquire(lock, waitMs);
  const isMine = () => mine !== undefined && markOf(lock) === mine;
  try {
    return work({
      check: () => {
        mine = isMine() ? ifThere(() => renewed(lock)) : undefined;
        if (mine === undefined)
          throw Object.assign(new Error(`the lock on ${path} was lost to another process`), {
            code: "ELOCKLOST",
          });
      },
    });
  } finally {
    if (isMine()) removeIfThere(lock);
  }
}

/** What `withLock` throws where the lock was not free in time, or was taken from us before the rename. Nothing was written. */
export const isLocked = (error: unknown): boolean =>
  hasCode(error, "ELOCKED", "ELOCKLOST") || isTemporaryFileGone(error);

/** `instead` answers where a lock that `work` needs was not free in time, or was taken from it. */
export function unlessLocked<T>(work: () => T, instead: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isLocked(error)) throw error;
    return instead();
  }
}

const isTemporaryFileGone = (error: unknown) =>
  hasCode(error, "ENOENT") && (error as NodeJS.ErrnoException).syscall === "rename";

function acquire(lock: string, waitMs: number): string {
  const giveUp = Math.min(elapsedMs() + waitMs, Math.max(shared().deadline, elapsedMs() + LAST_TRY_MS));
  let watched: Watched | undefined;
  let breaker: Watched | undefined;
  for (let attempt = 0; ; attempt++) {
    // A directory that cannot be made costs the kernel's lock of its parent, for which the holder of our lock would wait as well.
    const mine = attempt > 0 && statOf(lock) ? undefined : tryTake(lock);
    if (mine) return mine;
    watched = watch(lock, watched);
    breaker = watched && watch(breakerOf(lock), breaker);
    if (isOverdue(breaker, BREAKER_WATCHED_MS)) removeIfThere(breakerOf(lock));
    if (isOverdue(watched, WATCHED_MS)) {
      breakIfStale(lock);
      watched = undefined;
      continue;
    }
    if (elapsedMs() >= giveUp)
      throw Object.assign(new Error(`${lock} is held by another process`), { code: "ELOCKED" });
    sleepSync(pauseMs(attempt, giveUp - elapsedMs()));
  }
}

/** Back off less as our deadline nears, so that urgent callers retry sooner. */
const pauseMs = (attempt: number, leftMs: number): number =>
  Math.max(0.5, Math.min(LONGEST_PAUSE_MS, 1 + attempt, leftMs / 100)) * (0.5 + Math.random());

/** The mark of our own lock; none where the clock jumped since it was made: others may have broken it and made their own. */
function tryTake(lock: string): string | undefined {
  const before = Date.now();
  const mark = tryMake(lock) ? markOf(lock) : undefined;
  return Math.abs(Date.now() - before) < STALE_AFTER_MS / 2 ? mark : undefined;
}

function tryMake(lock: string): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    // On Windows a directory that is just being removed refuses to be made again.
    if (hasCode(error, "EEXIST") || (process.platform === "win32" && isTransient(error))) return false;
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(lock));
    return tryMake(lock);
  }
}

interface Watched {
  mark: string;
  since: number;
}

const isOverdue = (watched: Watched | undefined, afterMs: number): boolean =>
  watched !== undefined && elapsedMs() - watched.since >= afterMs;

const breakerOf = (lock: string) => `${lock}.breaking`;

function watch(lock: string, before: Watched | undefined): Watched | undefined {
  if (!isStale(lock)) return undefined;
  const mark = `${markOf(lock)} ${statOf(lock)?.mtimeMs}`;
  return before?.mark === mark ? before : { mark, since: elapsedMs() };
}

/** Under a second lock, or two breakers would take the first one's new lock for the old one. */
function breakIfStale(lock: string): void {
  const breaker = breakerOf(lock);
  if (!tryMake(breaker)) return;
  try {
    if (!isStale(lock)) return; // another breaker was first: what is pending now is the new holder's
    removePending(lock);
    if (!isStale(lock)) return;
    removeIfThere(lock);
    removePending(lock);
    noteProblem(`${lock} was left behind by a process that ended; removed`);
  } finally {
    removeIfThere(breaker);
  }
}

/**
 * What the holder was about to rename into place. Should it still live, stopped just before that, its rename now fails:
 * otherwise it would put back a list without what others have written meanwhile.
 */
function removePending(lock: string): void {
  const path = lock.slice(0, -".lock".length);
  const start = `${basename(path)}.tmp.`;
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(start) && isTemporary(name)) removeFile(join(dirname(path), name));
}

const statOf = (lock: string) => statSync(lock, { throwIfNoEntry: false });

function isStale(lock: string): boolean {
  const stat = statOf(lock);
  if (!stat) return false;
  const ageMs = Date.now() - stat.mtimeMs;
  // The clock was set back since it was made: left alone it would outlive its owner by as much.
  if (ageMs < -STALE_AFTER_MS) ifThere(() => renewed(lock));
  return ageMs > STALE_AFTER_MS;
}

/** The number alone is no proof: a file system gives it to the next directory at once. */
function markOf(lock: string): string | undefined {
  const stat = statOf(lock);
  return stat && `${stat.ino}:${stat.birthtimeMs}`;
}

function renewed(lock: string): string | undefined {
  const now = new Date();
  utimesSync(lock, now, now);
  return markOf(lock);
}

/** A file in a lock's place is an error: it is not ours to remove, and waiting for it would help no one. */
const removeIfThere = (lock: string): void =>
  ignoring(
    (error) => hasCode(error, "ENOENT"),
    () => retryTransient(() => rmdirSync(lock)),
  );
