// One file that cannot be read does not hide the others: it is left out, and said once.
import type { Paths } from "../../core/paths.ts";
import { idsIn, readById, type Task } from "../../tasks/store.ts";

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
  return readById(paths, list, ids, (problem) => leftOut.add(problem));
}
