// The debug log and breadcrumb of ATM hooks. Other users may share their temp directory, so they are written only into a plain file
// of our own: a symlink, a pipe or another user's file in that place is refused.

import { fstatSync, ftruncateSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type FileKind, MB } from "../../core/file-kind.ts";
import { withFile } from "../../core/files.ts";
import type { Paths } from "../../core/paths.ts";

const TRACE = {
  name: "traces of the spawn gate",
  path: "tmp/gate-agent-spawns-debug.jsonl",
  ends: "kept",
  because: "two of a size",
  maxBytes: 4 * MB,
} as const satisfies FileKind;

export const SPAWN_TRACES: readonly FileKind[] = [
  TRACE,
  { name: "session id for shells", path: "tmp/atm-session-id", ends: "kept", because: "one" },
];

export const spawnDebugPath = (paths: Paths) => join(paths.tmp, "gate-agent-spawns-debug.jsonl");
export const breadcrumbPath = (paths: Paths) => join(paths.tmp, "atm-session-id");

export function appendSpawnDebug(paths: Paths, line: Record<string, unknown>): void {
  const path = spawnDebugPath(paths);
  const isFull = withOwnFile(path, "append", (fd) => {
    writeSync(fd, `${JSON.stringify(line)}\n`);
    return fstatSync(fd).size > TRACE.maxBytes;
  });
  if (isFull) renameSync(path, `${path}.1`);
}

export function writeBreadcrumb(paths: Paths, session: string): void {
  withOwnFile(breadcrumbPath(paths), "write", (fd) => {
    ftruncateSync(fd);
    writeSync(fd, session, 0);
  });
}

/** Checked after opening, so that nobody can swap the file in between. */
function withOwnFile<T>(path: string, purpose: "append" | "write", work: (fd: number) => T): T {
  return withFile(path, purpose, (fd, { uid, nlink }) => {
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (nlink !== 1 || !isOurs)
      throw new Error(`${path} is not a plain file of our own; nothing was written`);
    return work(fd);
  });
}
