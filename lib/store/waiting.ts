// What waits for a member: its open tasks and how many messages it has not read. Only looked at, never locked.
import { join } from "node:path";
import { anything, listOf, maybeText, object, someText } from "../parse/shape.ts";
import { taskFiles } from "./list-directory.ts";
import { inboxPath, type Places, tasksDir } from "./paths.ts";
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

export function countUnread(places: Places, team: string, agent: string): number {
  const entries = readForeignJson(inboxPath(places, team, agent), listOf(anything)) ?? [];
  return entries.filter((one) => (one as { read?: unknown } | null)?.read === false).length;
}
