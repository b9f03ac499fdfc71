// What is still to be done in a task list, read only: a glance for the words about a team, cheap however long its history is.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { isAbsence, readText } from "../../core/files.ts";
import { type Paths, tasksDir } from "../../core/paths.ts";

export interface OpenTask {
  id: string;
  subject: string;
  status: string;
  owner?: string;
}

/** Looks at the newest `most` tasks; lowest number first. */
export function readOpenTasks(paths: Paths, list: string, most: number): OpenTask[] {
  const directory = tasksDir(paths, list);
  return newestIds(directory, most).flatMap(
    (id) => openTask(join(directory, `${id}.json`), String(id)) ?? [],
  );
}

function newestIds(directory: string, most: number): number[] {
  try {
    const ids = readdirSync(directory).flatMap((name) =>
      /^\d{1,9}\.json$/.test(name) ? Number.parseInt(name, 10) : [],
    );
    return ids.sort((a, b) => a - b).slice(-most);
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The client rewrites tasks in place: one that cannot be read just now is passed over. */
function openTask(path: string, id: string): OpenTask | undefined {
  try {
    const { subject, status, owner } = JSON.parse(readText(path) ?? "null") ?? {};
    if (typeof subject !== "string" || typeof status !== "string") return undefined;
    if (status === "completed" || status === "deleted") return undefined;
    return { id, subject, status, ...(typeof owner === "string" && owner !== "" ? { owner } : {}) };
  } catch {
    return undefined;
  }
}
