// Task lists: one file a task, in the client's format and under its locks, so that its Task tools and our commands
// can work on one list at the same moment.
import { closeSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Task, taskShape } from "../parse/task.ts";
import { type Held, withLock } from "./lock.ts";
import { type Places, taskPath, tasksDir } from "./paths.ts";
import { shared } from "./process-wide.ts";
import { readForeignJson } from "./read-json.ts";
import { hasCode, isAbsence, readText } from "./read-text.ts";
import { makeDirectory, writeWhole } from "./write-file.ts";

/** Longer than a lock that was left behind can last. */
export const LOCK_WAIT_MS = 15_000;

/** Where a list's truth lies elsewhere, every change is decided there first; the files here are a copy for reading. */
export interface TaskAuthority {
  reserve: () => number;
  /** Nothing when it is done; otherwise the task as it is there by now, `null` if it was deleted. */
  commit: (
    id: string,
    before: Task | undefined,
    after: Task | undefined,
  ) => { present: Task | null } | undefined;
}

const authorityOf = (list: string): TaskAuthority | undefined => shared().taskAuthority?.(list);

export const readTask = (places: Places, list: string, id: string): Task | undefined =>
  readForeignJson(taskPath(places, list, id), taskShape(id));

/** In numeric order. */
export const readTasks = (places: Places, list: string): Task[] =>
  idsIn(tasksDir(places, list)).flatMap((id) => readTask(places, list, id) ?? []);

function idsIn(directory: string): string[] {
  try {
    const names = readdirSync(directory).flatMap((name) => name.match(/^([1-9]\d{0,8})\.json$/)?.[1] ?? []);
    return names.sort((a, b) => Number(a) - Number(b));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The lock the client takes to create and to delete; a plain update takes only the task's own. */
export function withTaskList<T>(places: Places, list: string, work: (held: Held) => T): T {
  const lock = join(tasksDir(places, list), ".lock");
  makeDirectory(tasksDir(places, list));
  touch(lock);
  return withLock(lock, work, LOCK_WAIT_MS);
}

export const createTask = (places: Places, list: string, make: (id: string) => Task): Task =>
  withTaskList(places, list, (held) => {
    const authority = authorityOf(list);
    const task = make(String(authority?.reserve() ?? lastId(places, list) + 1));
    if (authority?.commit(task.id, undefined, task))
      throw new Error(`the number #${task.id} is taken; try again`);
    write(taskPath(places, list, task.id), task, held.check);
    return task;
  });

/** `change` returns what is to be written, or nothing to leave the task as it is; it may throw to refuse. */
export function updateTask(
  places: Places,
  list: string,
  id: string,
  change: (task: Task) => Task | undefined,
  waitMs = LOCK_WAIT_MS,
): Task | undefined {
  const path = taskPath(places, list, id);
  if (readText(path) === undefined) return undefined;
  return withLock(
    path,
    (held) => {
      let task = readTask(places, list, id);
      if (!task) return missing(path);
      let changed = change(task);
      for (let other = changed && authorityOf(list)?.commit(id, task, changed); other; ) {
        if (!other.present) throw new Error(`task #${id} was deleted meanwhile`);
        task = other.present;
        write(path, task, held.check);
        changed = change(task);
        other = changed && authorityOf(list)?.commit(id, task, changed);
      }
      if (!changed) return task;
      write(path, changed, () => {
        held.check();
        // The client deletes under the list's lock alone: writing now would bring the task back.
        if (readText(path) === undefined) throw new Error(`task #${id} was deleted meanwhile`);
      });
      return changed;
    },
    waitMs,
  );
}

function missing(path: string): undefined {
  if (readText(path) !== undefined) throw new Error(`${path} cannot be read as a task; it was left as it is`);
  return undefined;
}

/** The number is never given again. Others no longer wait for it. */
export function deleteTask(
  places: Places,
  list: string,
  id: string,
  check: (task: Task) => void,
): Task | undefined {
  const path = taskPath(places, list, id);
  const gone = withTaskList(places, list, () => {
    const task = readTask(places, list, id);
    if (!task) return undefined;
    check(task);
    if (authorityOf(list)?.commit(id, task, undefined))
      throw new Error(`task #${id} changed meanwhile; try again`);
    const mark = Math.max(highWaterMark(places, list), Number(id));
    writeWhole(join(tasksDir(places, list), ".highwatermark"), String(mark), { durable: true });
    withLock(path, () => rmSync(path, { force: true }), LOCK_WAIT_MS);
    return task;
  });
  for (const other of gone ? readTasks(places, list) : [])
    if (other.blocks.includes(id) || other.blockedBy.includes(id))
      updateTask(places, list, other.id, (task) => ({
        ...task,
        blocks: task.blocks.filter((one) => one !== id),
        blockedBy: task.blockedBy.filter((one) => one !== id),
      }));
  return gone;
}

/** A copy of what the authority holds: `null` takes the task away. Nothing is asked, nothing is told. */
export function mirrorTask(places: Places, list: string, id: string, task: Task | null): void {
  const path = taskPath(places, list, id);
  const here = readTask(places, list, id);
  if (task === null ? !here : here && JSON.stringify(here) === JSON.stringify(task)) return;
  makeDirectory(tasksDir(places, list));
  withLock(
    path,
    (held) => (task ? write(path, task, held.check) : rmSync(path, { force: true })),
    LOCK_WAIT_MS,
  );
}

/** The highest number ever given in this list. */
export const lastId = (places: Places, list: string): number =>
  Math.max(highWaterMark(places, list), Number(idsIn(tasksDir(places, list)).at(-1) ?? 0));

function highWaterMark(places: Places, list: string): number {
  const mark = Number(readText(join(tasksDir(places, list), ".highwatermark"))?.trim());
  return Number.isSafeInteger(mark) ? mark : 0;
}

const write = (path: string, task: Task, beforeRename?: () => void): void =>
  writeWhole(path, JSON.stringify(task, null, 2), { durable: true, beforeRename });

function touch(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
