// Task lists: one file per task, in the client's format and under the client's locks, so that its Task tools and our commands can
// work on one list at the same time. What the client has no field for is kept in `metadata.swarm`, which it leaves alone.
import { renameSync, statSync, utimesSync } from "node:fs";
import { join, sep } from "node:path";
import type { FileKind } from "../core/file-kind.ts";
import {
  createFile,
  ifThere,
  makeDirectory,
  namesIn,
  readText,
  removeFile,
  writeJson,
  writeWhole,
} from "../core/files.ts";
import { readJson } from "../core/json.ts";
import { type Held, withLock } from "../core/lock.ts";
import { type Paths, segment, swarmPath } from "../core/paths.ts";
import { noteProblem, reported, sleepSync } from "../core/process.ts";
import {
  ignoreInvalid,
  lenient,
  listOf,
  maybe,
  maybeListOf,
  maybeText,
  type Output,
  parserOf,
  someText,
  text,
} from "../core/schema.ts";
import { plainLine } from "../core/text.ts";
import { dropIndex } from "./store/task-index.ts";

/** Beside the lists themselves, which are the client's. */
export const TASK_FILES: readonly FileKind[] = [
  { name: "checks of completed tasks", path: "swarm/verified/<session>/", ends: "session" },
  { name: "indexes of long task lists", path: "swarm/task-index/", ends: "age" },
];

const verifiedSchema = () =>
  lenient({
    /** The command that succeeded. */
    by: someText,
    /** The commit, and where files had changed since a hash of them. */
    tree: maybeText,
    at: someText,
    /** Of `swarm runs`, where it was one of those. */
    run: maybeText,
  });
const parseVerified = parserOf(verifiedSchema);
export type Verified = ReturnType<typeof parseVerified>;

const commentSchema = () => lenient({ author: someText, text: someText, timestamp: someText });

/** `metadata.swarm`. */
const notesSchema = () =>
  lenient({
    /** A finer status than the client's three: `blocked` or `in_review`. */
    state: maybeText,
    comments: maybeListOf(commentSchema()),
    /** When it was claimed and from which session. It lasts as long as the owner shows signs of life. */
    lease: maybe(lenient({ session: maybeText, at: someText })),
    createdBy: maybeText,
    createdAt: maybeText,
    /** The check that succeeded when it was completed, and on which state of the files. */
    verified: maybe(verifiedSchema()),
    /** A file that shows the work is done, as it was then. */
    evidence: maybe(lenient({ file: someText, sha256: someText, at: someText })),
    /** The files it is about, as patterns below a repository's top level. */
    files: maybeListOf(someText),
  });
export type Notes = Output<ReturnType<typeof notesSchema>>;

const parseStored = parserOf(() =>
  lenient({
    subject: someText,
    description: text,
    activeForm: maybeText,
    owner: maybeText,
    /** `pending`, `in_progress`, `completed`. */
    status: someText,
    blocks: listOf(someText),
    blockedBy: listOf(someText),
    metadata: maybe(lenient({ swarm: ignoreInvalid(notesSchema()) })), // damaged notes must not hide the task
    /** Of Claude Swarm hooks; `parseTask` moves them to the notes. */
    comments: maybeListOf(ignoreInvalid(commentSchema())),
  }),
);
export type Task = ReturnType<typeof parseStored> & { id: string };

/** The five statuses of Claude Swarm hooks; the client has three of them. */
const CLIENT_STATUS = new Map([
  ["blocked", "pending"],
  ["in_review", "in_progress"],
]);

/** A task is numbered by its file's name, whatever `id` says. The statuses and comments of Claude Swarm hooks are read as notes. */
export function parseTask(id: string, content: string): Task {
  const { owner: rawOwner = "", comments, ...rest } = parseStored(JSON.parse(content));
  const owner = plainLine(rawOwner);
  const given = plainLine(rest.status);
  const status = CLIENT_STATUS.get(given);
  const task: Task = { ...rest, id, status: status ?? given, ...(owner ? { owner } : {}) };
  if (status === undefined && comments === undefined) return task;
  return withNotes(task, {
    ...(status ? { state: given } : {}),
    ...(comments
      ? { comments: [...(notesOf(task).comments ?? []), ...comments.flatMap((one) => one ?? [])] }
      : {}),
  });
}

export const notesOf = (task: Task): Notes => task.metadata?.swarm ?? {};

export const withNotes = (task: Task, notes: Notes): Task => ({
  ...task,
  metadata: { ...task.metadata, swarm: { ...notesOf(task), ...notes } },
});

export const statusOf = (task: Task): string =>
  shownStatus({ status: task.status, state: notesOf(task).state });

export const shownStatus = ({ status, state }: { status: string; state?: string }): string =>
  status === "completed" ? status : (state ?? status);

/** How far the completion of a task is proven: `verified by \`npm test\` on tree 1a2b3c4`, `unverified`; nothing for an open one. */
export function proofOf(task: Task): string | undefined {
  if (task.status !== "completed") return undefined;
  const { verified, evidence } = notesOf(task);
  const file =
    evidence && `evidence ${plainLine(evidence.file)} (sha256 ${plainLine(evidence.sha256).slice(0, 12)})`;
  if (!verified) return file ? `unverified, ${file}` : "unverified";
  const tree = verified.tree ? ` on tree ${plainLine(verified.tree)}` : "";
  return `verified by \`${plainLine(verified.by)}\`${tree}${file ? `, ${file}` : ""}`;
}

export const isOpen = ({ status }: Pick<Task, "status">): boolean =>
  status !== "completed" && status !== "deleted";

/** The client's rule for a list's directory name; the result cannot leave the directory. */
export const tasksDir = (paths: Paths, list: string) =>
  join(paths.base, "tasks", list.replace(/[^A-Za-z0-9_-]/g, "-") || segment(list));

export const isTaskId = (id: string): boolean => /^[1-9]\d{0,8}$/.test(id);

export const taskPath = (paths: Paths, list: string, id: string): string =>
  taskPathIn(tasksDir(paths, list), id);

/** For many tasks of one list. */
export function taskPathIn(directory: string, id: string): string {
  if (!isTaskId(id)) throw new Error(`a task is named by its number, not by ${JSON.stringify(id)}`);
  return `${directory}${sep}${id}.json`;
}

/** The client is about to rewrite the task: what its check has shown waits here until it has. */
const verifiedPath = (paths: Paths, session: string, id: string) =>
  swarmPath(paths, "verified", segment(session), `${segment(id)}.json`);

export const writeVerified = (paths: Paths, session: string, id: string, verified: Verified): void =>
  writeJson(verifiedPath(paths, session, id), verified);

export function takeVerified(paths: Paths, session: string, id: string): Verified | undefined {
  const path = verifiedPath(paths, session, id);
  const verified = readJson(path, parseVerified);
  removeFile(path);
  return verified;
}

const lockPath = (paths: Paths, list: string) => join(tasksDir(paths, list), ".lock");
const highWaterMarkPath = (paths: Paths, list: string) => join(tasksDir(paths, list), ".highwatermark");

export const readTask = (paths: Paths, list: string, id: string): Task | undefined =>
  readById(paths, list, [id])[0];

/** Throws where its file is there, but no task. */
export function readSoundTask(paths: Paths, list: string, id: string): Task | undefined {
  const [task] = readById(paths, list, [id], () => {});
  const path = taskPath(paths, list, id);
  if (task || readText(path) === undefined) return task;
  throw new Error(`${path} cannot be read as a task; it was left as it is`);
}

export const readTasks = (paths: Paths, list: string): Task[] => readById(paths, list, idsIn(paths, list));

/** With the time of completion, which `rewrite` keeps. */
export const readCompletedSince = (paths: Paths, list: string, since: Date): { task: Task; at: Date }[] =>
  idsIn(paths, list).flatMap((id) => {
    const at = statSync(taskPath(paths, list, id), { throwIfNoEntry: false })?.mtime;
    const task = at && at > since ? readTask(paths, list, id) : undefined;
    return at && task?.status === "completed" ? { task, at } : [];
  });

/** Of these names, or of all files of the list, those that are tasks; ascending. */
export function idsIn(paths: Paths, list: string, names = namesIn(tasksDir(paths, list))): string[] {
  const ids = names.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  return [...Uint32Array.from(ids.filter(isTaskId), Number).sort()].map(String);
}

const REREADS = 2;
const REREAD_AFTER_MS = 50;

/**
 * The client rewrites tasks in place, so a broken file may be in the middle of a write: all of those are read again together. One that
 * stays broken or cannot be opened does not hide the others and is reported by `note`.
 */
export function readById(
  paths: Paths,
  list: string,
  ids: readonly string[],
  note: (problem: string) => void = noteProblem,
): Task[] {
  const directory = tasksDir(paths, list);
  const tasks = new Map<string, Task>();
  const leftOut = (id: string, why: string) => note(`task #${id} of ${list} was left out: ${why}`);
  let broken = ids;
  for (let reads = 0; broken.length > 0 && reads <= REREADS; reads++) {
    if (reads > 0) sleepSync(REREAD_AFTER_MS);
    broken = broken.filter((id) => {
      const path = taskPathIn(directory, id);
      let content: string | undefined;
      try {
        content = readText(path);
      } catch (error) {
        leftOut(id, (error as Error).message);
      }
      if (content === undefined) return false;
      try {
        tasks.set(id, parseTask(id, content));
        return false;
      } catch {
        return true;
      }
    });
  }
  for (const id of broken) leftOut(id, "its file cannot be read as a task");
  return ids.flatMap((id) => tasks.get(id) ?? []);
}

/** Longer than the lock of a process that died is respected. */
export const LOCK_WAIT_MS = 15_000;

export const hasTaskList = (paths: Paths, list: string): boolean => namesIn(tasksDir(paths, list)).length > 0;

export const createTaskList = (paths: Paths, list: string): void => makeDirectory(tasksDir(paths, list));

export const moveTaskList = (paths: Paths, list: string, to: string): void =>
  ifThere(() => renameSync(tasksDir(paths, list), to));

/** The lock the client takes to create and to delete; a plain update takes only the task's own. */
export function withTaskList<T>(
  paths: Paths,
  list: string,
  work: (held: Held) => T,
  waitMs = LOCK_WAIT_MS,
): T {
  createTaskList(paths, list);
  createFile(lockPath(paths, list));
  return withLock(lockPath(paths, list), (held) => renewing(list, held, () => work(held)), waitMs);
}

/** Where a list is shared by several machines each change is decided elsewhere first; the files here are a copy for reading. */
export interface TaskAuthority {
  reserve: () => number;
  /** Nothing when it is done; otherwise the task as it is there by now, `null` where it was deleted. */
  commit: (id: string, before: Task | null, after: Task | null) => { present: Task | null } | undefined;
  /** `renew` is called again and again while a call within `work` waits. */
  meanwhile: <T>(renew: () => void, work: () => T) => T;
}

let authority: { list: string; decides: TaskAuthority } | undefined;

export function withTaskAuthority<T>(list: string, decides: TaskAuthority, work: () => T): T {
  authority = { list, decides };
  try {
    return work();
  } finally {
    authority = undefined;
  }
}

const authorityOf = (list: string): TaskAuthority | undefined =>
  authority?.list === list ? authority.decides : undefined;

/** Also while the authority takes longer to answer than an abandoned lock is respected. */
function renewing<T>(list: string, { check }: Held, work: () => T): T {
  const decides = authorityOf(list);
  return decides ? decides.meanwhile(check, work) : work();
}

export const createTask = (paths: Paths, list: string, make: (id: string) => Task): Task =>
  withTaskList(paths, list, (held) => {
    const decides = authorityOf(list);
    const task = make(String(decides?.reserve() ?? lastId(paths, list) + 1));
    if (decides?.commit(task.id, null, task)) throw new Error(`the number #${task.id} is taken; try again`);
    write(taskPath(paths, list, task.id), task, held.check);
    return task;
  });

/** `change` returns what is to be written, or nothing to leave the task as it is; it may throw to refuse. */
export function updateTask(
  paths: Paths,
  list: string,
  id: string,
  change: (task: Task) => Task | undefined,
  waitMs = LOCK_WAIT_MS,
): Task | undefined {
  const path = taskPath(paths, list, id);
  if (readText(path) === undefined) return undefined;
  return withLock(
    path,
    (held) => {
      const task = readSoundTask(paths, list, id);
      if (!task) return undefined;
      const takeOver = (present: Task) => rewrite(path, task, present, held.check);
      const changed = renewing(list, held, () => agreedChange(list, task, change, takeOver));
      if (!changed) return task;
      rewrite(path, task, changed, () => {
        held.check();
        // The client deletes under the list's lock alone: writing now would bring the task back.
        if (readText(path) === undefined) throw new Error(`task #${id} was deleted meanwhile`);
      });
      noteReopened(paths, list, task, changed);
      return changed;
    },
    waitMs,
  );
}

/** A reader of the index does not look at completed tasks again. */
const noteReopened = (paths: Paths, list: string, before: Task, after: Task | null): void => {
  if (after && isOpen(after) && !isOpen(before)) dropIndex(paths, tasksDir(paths, list));
};

/** `change` is made again to the task as the authority has it, until that takes it. */
function agreedChange(
  list: string,
  stored: Task,
  change: (task: Task) => Task | undefined,
  takeOver: (present: Task) => void,
): Task | undefined {
  const decides = authorityOf(list);
  let task = stored;
  for (;;) {
    const changed = change(task);
    const other = changed && decides?.commit(task.id, task, changed);
    if (!other) return changed;
    if (!other.present) throw new Error(`task #${task.id} was deleted meanwhile`);
    task = other.present;
    takeOver(task);
  }
}

/** A copy of what the authority holds; `null` removes the task. Throws ELOCKED while another process changes it. */
export function mirrorTask(paths: Paths, list: string, id: string, task: Task | null, waitMs: number): void {
  const path = taskPath(paths, list, id);
  const here = readTask(paths, list, id);
  if (task === null ? !here : here && JSON.stringify(here) === JSON.stringify(task)) return;
  withLock(path, (held) => (task ? rewrite(path, here, task, held.check) : removeFile(path)), waitMs);
  if (here) noteReopened(paths, list, here, task);
}

/** Numbers up to this one are not used again: they were given out by the authority. Throws ELOCKED while another process has the list. */
export function mirrorLastId(paths: Paths, list: string, last: number, waitMs: number): void {
  if (last > lastId(paths, list)) withTaskList(paths, list, () => raiseMark(paths, list, last), waitMs);
}

/** The number is not used again, and other tasks no longer wait for it. */
export function deleteTask(
  paths: Paths,
  list: string,
  id: string,
  check: (task: Task) => void,
): Task | undefined {
  const path = taskPath(paths, list, id);
  const deleted = withTaskList(paths, list, () => {
    const task = readTask(paths, list, id);
    if (!task) return undefined;
    check(task);
    if (authorityOf(list)?.commit(id, task, null))
      throw new Error(`task #${id} changed meanwhile; try again`);
    raiseMark(paths, list, Number(id));
    withLock(path, () => removeFile(path), LOCK_WAIT_MS);
    return task;
  });
  for (const other of deleted ? readTasks(paths, list) : [])
    if (other.blocks.includes(id) || other.blockedBy.includes(id)) unlink(paths, list, other.id, id);
  return deleted;
}

/** The number of a deleted task blocks nothing where it stays: one task that cannot be written must not keep it in the others. */
function unlink(paths: Paths, list: string, id: string, deleted: string): void {
  const others = (ids: string[]) => ids.filter((one) => one !== deleted);
  const change = (task: Task) => ({
    ...task,
    blocks: others(task.blocks),
    blockedBy: others(task.blockedBy),
  });
  reported(
    () => updateTask(paths, list, id, change),
    `task #${id} of ${list} still names the deleted #${deleted}`,
  );
}

/** The highest number ever used in this list. */
export const lastId = (paths: Paths, list: string): number =>
  Math.max(highWaterMark(paths, list), Number(idsIn(paths, list).at(-1) ?? 0));

function highWaterMark(paths: Paths, list: string): number {
  const mark = Number(readText(highWaterMarkPath(paths, list))?.trim());
  return Number.isSafeInteger(mark) ? mark : 0;
}

function raiseMark(paths: Paths, list: string, used: number): void {
  const mark = Math.max(highWaterMark(paths, list), used);
  writeWhole(highWaterMarkPath(paths, list), String(mark), { durable: true });
}

/** What is said about a completed task later leaves its file the time of its completion. */
function rewrite(path: string, before: Task | undefined, after: Task, beforeRename: () => void): void {
  const isCompleted = before !== undefined && !isOpen(before) && !isOpen(after);
  const completedAt = isCompleted ? statSync(path, { throwIfNoEntry: false })?.mtime : undefined;
  write(path, after, beforeRename);
  if (completedAt) utimesSync(path, completedAt, completedAt);
}

const write = (path: string, task: Task, beforeRename?: () => void): void =>
  writeWhole(path, JSON.stringify(task, null, 2), { durable: true, beforeRename });
