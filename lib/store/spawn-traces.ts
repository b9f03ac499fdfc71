// Seed 000's debug log and breadcrumb. They lie in a temp directory that strangers may share, so they are written
// only into a plain file of our own: a symlink, a pipe or another user's file in that place is refused.
import { closeSync, constants, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from "node:fs";
import { breadcrumbPath, type Places, spawnDebugPath } from "./paths.ts";
import { LIMITS } from "./state-limits.ts";

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

export function appendSpawnDebug(places: Places, line: Record<string, unknown>): void {
  const path = spawnDebugPath(places);
  const isFull = withOwnFile(path, O_APPEND, (fd) => {
    writeSync(fd, `${JSON.stringify(line)}\n`);
    return fstatSync(fd).size > LIMITS.spawnDebug;
  });
  if (isFull) renameSync(path, `${path}.1`);
}

export function writeBreadcrumb(places: Places, session: string): void {
  withOwnFile(breadcrumbPath(places), 0, (fd) => {
    ftruncateSync(fd);
    writeSync(fd, session, 0);
  });
}

/** Checked after opening, so that nobody can swap the file in between. */
function withOwnFile<T>(path: string, flags: number, work: (fd: number) => T): T {
  const fd = openSync(path, flags | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const stat = fstatSync(fd);
    const isOurs = process.getuid === undefined || stat.uid === process.getuid();
    if (!stat.isFile() || stat.nlink !== 1 || !isOurs)
      throw new Error(`${path} is not a plain file of our own; nothing was written`);
    return work(fd);
  } finally {
    closeSync(fd);
  }
}
