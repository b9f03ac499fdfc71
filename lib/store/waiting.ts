// The open tasks of a member. Only looked at, never locked.
import { join } from "node:path";
import { maybeText, object, someText } from "../parse/shape.ts";
import { taskFiles } from "./list-directory.ts";
import { type Places, tasksDir } from "./paths.ts";
import { readForeignJson } from "./read-json.ts";

export interface OpenTask {
  id: string;
  subject: string;
  status: string;
}

const task = object({ id: someText, subject: someText, status: someText, owner: maybeText });

export function readOpenTasks(places: Places, team: string, agent: string): OpenTask[] {
  const directory = tasksDir(places, team);
  return taskFiles(directory)
    .flatMap((name) => readForeignJson(join(directory, name), task) ?? [])
    .filter((one) => one.owner === agent && one.status !== "completed")
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ id, subject, status }) => ({ id, subject, status }));
}
