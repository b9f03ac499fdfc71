// The open tasks of a member. Only looked at, never locked.
import { join } from "node:path";
import { taskFiles } from "../../core/files.ts";
import { readForeignJson } from "../../core/json.ts";
import { type Paths, tasksDir } from "../../core/paths.ts";
import { maybeText, object, someText } from "../../core/shape.ts";

export interface OpenTask {
  id: string;
  subject: string;
  status: string;
}

const task = object({ id: someText, subject: someText, status: someText, owner: maybeText });

export function readOpenTasks(paths: Paths, team: string, agent: string): OpenTask[] {
  const directory = tasksDir(paths, team);
  return taskFiles(directory)
    .flatMap((name) => readForeignJson(join(directory, name), task) ?? [])
    .filter((one) => one.owner === agent && one.status !== "completed")
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ id, subject, status }) => ({ id, subject, status }));
}
