// The index of a long task list: which tasks are in which state and whose, so that a hook reads only the files it is about. It is a
// filter, never an answer: what is shown comes from the task files. What a reader may rely on:
//
// - The directory is as it was at the last pass (its number, mtime and ctime): nothing was created, deleted or renamed since, and
//   neither the client nor `swarm` has changed a task, because both make a lock directory beside the file. The index holds.
// - The directory has changed: new and deleted tasks are seen by their names, and the newest open tasks are read again.
// - The directory is another one, or there is no usable index: every task is read, as in a short list.
//
// Not seen by that: a completed or foreign-owned task rewritten in place without a lock, a completed one that the client opened again,
// and, where more tasks are open than are read again, a change of an old one. The pass (index-pass.ts) finds those by the state of every
// file. Each reading by a hook is followed by a pass beside the turn, so they are seen in the next turn at the latest.
import { existsSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { attempt, createFile, makeDirectory, readOwnText, removeFile } from "../../core/files.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";

/** Shorter lists are read whole and have no index. */
export const LONG_LIST = 200;
/** So many of the newest open tasks are read again once the directory has changed. */
export const READ_AGAIN = 100;
/** A change within the same tick of a file system's clock leaves no trace: what is younger than this is not relied on. */
export const SETTLED_MS = 2_000;
/** A directory that changed since an older pass is read whole. */
const PASS_LASTS_MS = 10 * 60_000;
/** A pass that was asked for and has not begun after this long never will. */
const ASKED_LASTS_MS = 30_000;

/** What decides whether a reader wants a task. */
export interface TaskKind {
  status: string;
  /** The finer status, of `metadata.swarm`. */
  state?: string | undefined;
  owner?: string | undefined;
  isVerified?: true | undefined;
}

/** Ascending. */
export interface TaskGroup extends TaskKind {
  ids: number[];
}

/** Of a file that could not be read as a task: each reader tries again. */
export const UNREADABLE = "?";

/** Of a file or directory. `ctime` cannot be set by a program. */
export type Trace = [ino: number, size: number, mtimeMs: number, ctimeMs: number];

export interface TaskIndex {
  version: 2;
  takenAtMs: number;
  /** Missing where it was too young to be relied on. */
  directory?: Trace;
  ino: number;
  /** All names in the directory, of which one comparison shows that none has come or gone. Missing where one went during the pass. */
  names?: string;
  groups: TaskGroup[];
}

export const indexPath = (paths: Paths, directory: string): string =>
  swarmPath(paths, "task-index", `${basename(directory)}.json`);

export function traceOf(path: string): Trace | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs];
}

export const isSame = (one: Trace | undefined, other: Trace | undefined): boolean =>
  other?.every((part, n) => part === one?.[n]) === true;

/** As the directory lists them, sorted. */
export const joinedNames = (names: readonly string[]): string => names.join("/");

/** The first line, without the traces of the files, which only the pass needs. */
export function readIndex(paths: Paths, directory: string): TaskIndex | undefined {
  const path = indexPath(paths, directory);
  if (!existsSync(path)) return undefined; // as for every short list: an exception is dear
  // Empty or damaged: the next pass writes it anew.
  return attempt(() => {
    const text = readOwnText(path) ?? "";
    const index = JSON.parse(text.slice(0, text.indexOf("\n"))) as TaskIndex;
    return index.version === 2 && index.groups.every(isGroup) ? index : undefined;
  });
}

const isGroup = ({ ids, status }: TaskGroup): boolean =>
  typeof status === "string" && Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id));

export type Trust = "whole" | "names" | "none";

export function trustIn(index: TaskIndex, directory: Trace | undefined, nowMs: number): Trust {
  if (!directory || directory[0] !== index.ino) return "none";
  if (isSame(index.directory, directory)) return "whole";
  return Math.abs(nowMs - index.takenAtMs) < PASS_LASTS_MS ? "names" : "none";
}

/** After a change that no reader would see in the directory. */
export const dropIndex = (paths: Paths, directory: string): void => removeFile(indexPath(paths, directory));

const askedPath = (paths: Paths, directory: string) => `${indexPath(paths, directory)}.asked`;

/** True for one caller, who starts the pass: the one that was asked for last has begun, so it may have missed what changed since. */
export function askForPass(paths: Paths, directory: string): boolean {
  const path = askedPath(paths, directory);
  const asked = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (asked !== undefined && Math.abs(Date.now() - asked) < ASKED_LASTS_MS) return false;
  removeFile(path);
  makeDirectory(dirname(path)); // this list may be the first that is long
  return createFile(path);
}

export const beginPass = (paths: Paths, directory: string): void => removeFile(askedPath(paths, directory));
