// The task layer of seed 003: a directory in which work gathers. It never finishes; it owns only the count of
// its efforts, from which their artifacts take the number in front.

import { readJson, updateJson } from "../../core/json.ts";
import { effortTaskPath, type Paths } from "../../core/paths.ts";
import { maybeText, object, someNumber, someText } from "../../core/shape.ts";

const shape = object({
  id: someText,
  dir: someText,
  project: someText,
  title: maybeText,
  lastOrdinal: someNumber,
  createdAt: someText,
});
export type EffortTask = ReturnType<typeof shape>;

export const readEffortTask = (paths: Paths, id: string): EffortTask | undefined =>
  readJson(effortTaskPath(paths, id), shape);

/** The next effort's number. `inUse` is the highest that already stands in the directory, whoever put it there. */
export function takeOrdinal(
  paths: Paths,
  task: { dir: string; project: string; title?: string },
  inUse: number,
  now: Date,
): EffortTask {
  const id = taskIdOf(task.dir);
  const taken = updateJson(
    effortTaskPath(paths, id),
    shape,
    (stored) => ({
      ...(stored ?? { id, createdAt: now.toISOString() }),
      ...task,
      title: task.title ?? stored?.title,
      lastOrdinal: Math.max(stored?.lastOrdinal ?? 0, inUse) + 1,
    }),
    { durable: true },
  );
  return taken as EffortTask;
}

/** Readable for a person, and one to one with the directory. */
export function taskIdOf(dir: string): string {
  const { createHash } = require("node:crypto") as typeof import("node:crypto");
  const name = dir
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(-40)
    .replace(/^-/, "");
  return `${name || "task"}-${createHash("sha256").update(dir).digest("hex").slice(0, 12)}`;
}
