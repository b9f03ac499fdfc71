// A glance at what waits for a session: counts only, for a line that is drawn after every message.
import { join } from "node:path";
import { taskFiles } from "../../core/files.ts";
import { readForeignJson } from "../../core/json.ts";
import { type Paths, segment, tasksDir } from "../../core/paths.ts";
import { maybeText, object, someNumber } from "../../core/shape.ts";

const MOST_TASKS = 500;

/** `undefined` where the list is too long to be read for a glance. */
export function taskCount(paths: Paths, team: string): { done: number; all: number } | undefined {
  const directory = tasksDir(paths, team);
  const names = taskFiles(directory);
  if (names.length > MOST_TASKS) return undefined;
  const task = object({ status: maybeText });
  const statuses = names.map((name) => readForeignJson(join(directory, name), task)?.status);
  return { done: statuses.filter((status) => status === "completed").length, all: names.length };
}

/** Skill and phase of the effort the session works on. */
export function effortName(paths: Paths, session: string): string | undefined {
  const efforts = join(paths.base, "swarm", "efforts");
  const link = readForeignJson(join(efforts, "windows", segment(session), "main", "link.json"), linkShape);
  const effort = link && readForeignJson(join(efforts, String(link.effort), "effort.json"), effortShape);
  return effort && [effort.skill, effort.phase].filter(Boolean).join(" ");
}

const linkShape = object({ effort: someNumber });
const effortShape = object({ skill: maybeText, phase: maybeText });
