// Task lists: one file a task, in the client's format and under its locks, so that its Task tools and our commands
// can work on one list at the same moment.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createFile, isAbsence, readText } from "../../core/files.ts";
import { readForeignJson } from "../../core/json.ts";
import { type Held, withLock } from "../../core/lock.ts";
import { type Paths, taskPath, tasksDir } from "../../core/paths.ts";
import { makeDirectory, writeWhole } from "../../core/write-file.ts";
import { type Task, taskShape } from "./task.ts";

/** Longer than a lock that was left behind can last. */
export const LOCK_WAIT_MS = 15_000;

export const readTask = (paths: Paths, list: string, id: string): Task | undefined =>
  readForeignJson(taskPath(paths, list, id), taskShape(id));

/** In numeric order. */
export const readTasks = (paths: Paths, list: string): Task[] =>
  idsIn(tasksDir(paths, list)).flatMap((id) => readTask(paths, list, id) ?? []);

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
export function withTaskList<T>(paths: Paths, list: string, work: (held: Held) => T): T {
  const lock = join(tasksDir(paths, list), ".lock");
  makeDirectory(tasksDir(paths, list));
  createFile(lock);
  return withLock(lock, work, LOCK_WAIT_MS);
}

export const createTask = (paths: Paths, list: string, make: (id: string) => Task): Task =>
  withTaskList(paths, list, (held) => {
    const task = make(String(lastId(paths, list) + 1));
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
      const task = readTask(paths, list, id);
      if (!task) return missing(path);
      const changed = change(task);
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
  paths: Paths,
  list: string,
  id: string,
  check: (task: Task) => void,
): Task | undefined {
  const path = taskPath(paths, list, id);
  const gone = withTaskList(paths, list, () => {
    const task = readTask(paths, list, id);
    if (!task) return undefined;
    check(task);
    const mark = Math.max(highWaterMark(paths, list), Number(id));
    writeWhole(join(tasksDir(paths, list), ".highwatermark"), String(mark), { durable: true });
    withLock(path, () => rmSync(path, { force: true }), LOCK_WAIT_MS);
    return task;
  });
  for (const other of gone ? readTasks(paths, list) : [])
    if (other.blocks.includes(id) || other.blockedBy.includes(id))
      updateTask(paths, list, other.id, (task) => ({
        ...task,
        blocks: task.blocks.filter((one) => one !== id),
        blockedBy: task.blockedBy.filter((one) => one !== id),
      }));
  return gone;
}

/** The highest number ever given in this list. */
export const lastId = (paths: Paths, list: string): number =>
  Math.max(highWaterMark(paths, list), Number(idsIn(tasksDir(paths, list)).at(-1) ?? 0));

function highWaterMark(paths: Paths, list: string): number {
  const mark = Number(readText(join(tasksDir(paths, list), ".highwatermark"))?.trim());
  return Number.isSafeInteger(mark) ? mark : 0;
}

const write = (path: string, task: Task, beforeRename?: () => void): void =>
  writeWhole(path, JSON.stringify(task, null, 2), { durable: true, beforeRename });
