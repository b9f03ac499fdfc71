// One file that cannot be read does not hide the others: it is left out, and said once.
import { existsSync } from "node:fs";
import type { Paths } from "../../core/paths.ts";
import { idsIn, readById, type Task, taskPath } from "../../tasks/store.ts";

/** Lines for the person. */
export type LeftOut = Set<string>;

export function orLeftOut<T>(leftOut: LeftOut, what: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    leftOut.add(`${what} left out: ${(error as Error).message}`);
    return undefined;
  }
}

export function readableTasks(paths: Paths, list: string, leftOut: LeftOut): Task[] {
  const ids = orLeftOut(leftOut, `the tasks of ${list} were`, () => idsIn(paths, list)) ?? [];
  const tasks = readById(paths, list, ids);
  const read = new Set(tasks.map(({ id }) => id));
  for (const id of ids)
    if (!read.has(id) && existsSync(taskPath(paths, list, id)))
      leftOut.add(`task #${id} of ${list} was left out: its file cannot be read as a task`);
  return tasks;
}
