// The effort layer of seed 003: one piece of work under one skill, active until it is finished, whatever sessions
// come and go meanwhile. `efforts/<id>/effort.json`; `efforts/active/<id>` marks those still to be found.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { hasCode, namesIn, rewriteFile } from "../../core/files.ts";
import { readJson, type UpdateOptions, updateJson } from "../../core/json.ts";
import { activeEffortsDir, effortDir, effortsDir, type Paths } from "../../core/paths.ts";
import {
  listOf,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  object,
  orNull,
  type Shape,
  someNumber,
  someText,
} from "../../core/shape.ts";
import { makeDirectory, removeFile, writeJson } from "../../core/write-file.ts";
import { dehydration } from "./sessions.ts";

const oneOf =
  <T extends string>(...names: T[]): Shape<T> =>
  (value, at) => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new Error(`${at} must be ${names.join(" or ")}`);
    return found;
  };

const guard = object({
  id: someText,
  tool: maybeText,
  input: maybeText,
  phase: maybeText,
  heartbeat: maybeNumber,
  context: maybeNumber,
  message: someText,
  action: oneOf("warn", "deny"),
});
export type GuardRule = ReturnType<typeof guard>;

const injection = object({
  id: someText,
  text: someText,
  at: someText,
  claimedAt: maybeText,
  /** The client's session it is meant for; without one, whichever comes next. */
  for: maybeText,
});
export type Injection = ReturnType<typeof injection>;

const metadata = object({
  /** Instead of the setting `effort.block_after`. */
  blockAfter: maybeNumber,
  /** The skill still reads itself in: its calls are not counted. */
  loading: maybeFlag,
  guards: listOf(guard),
  pendingInjections: listOf(injection),
  completedTasks: listOf(object({ id: someText, subject: someText })),
});

const skill = object({
  file: someText,
  description: maybeText,
  phases: listOf(someText),
  preload: listOf(someText),
  logTemplate: maybeText,
});
export type SkillConfig = ReturnType<typeof skill>;

const shape = object({
  id: someNumber,
  task: someText,
  dir: someText,
  project: someText,
  skill: someText,
  mode: maybeText,
  ordinal: someNumber,
  lifecycle: oneOf("active", "finished"),
  phase: maybeText,
  phases: listOf(object({ phase: someText, at: someText })),
  owner: object({ fleet: maybeText, team: maybeText, agent: maybeText }),
  skillConfig: orNull(skill),
  directives: listOf(someText),
  preloads: listOf(someText),
  loadedFiles: listOf(someText),
  lastLog: maybe(object({ at: someText, by: someText, text: someText })),
  dehydrated: orNull(dehydration),
  /** How many sessions were opened, and which was the newest that is no voice inside another. */
  sessions: someNumber,
  lastSession: maybeNumber,
  metadata,
  startedAt: someText,
  finishedAt: maybeText,
});
export type Effort = ReturnType<typeof shape>;

const pathOf = (paths: Paths, id: number) => join(effortDir(paths, id), "effort.json");
const markOf = (paths: Paths, id: number) => join(activeEffortsDir(paths), id.toString());

export const readEffort = (paths: Paths, id: number): Effort | undefined =>
  readJson(pathOf(paths, id), shape);

export const updateEffort = (
  paths: Paths,
  id: number,
  change: (stored: Effort) => Effort | undefined,
  options: UpdateOptions = {},
): Effort | undefined =>
  updateJson(pathOf(paths, id), shape, (stored) => (stored ? change(stored) : undefined), {
    durable: true,
    ...options,
  });

/** Everything but the number. */
export type NewEffort = { [K in keyof Effort as K extends "id" ? never : K]: Effort[K] };

/** The number is taken by making its directory, so two starts at once never share one. */
export function createEffort(paths: Paths, made: NewEffort): Effort {
  makeDirectory(effortsDir(paths));
  let id = Math.max(0, ...numbersIn(effortsDir(paths))) + 1;
  while (!tryDirectory(effortDir(paths, id))) id++;
  const effort = { ...made, id } as Effort;
  writeJson(pathOf(paths, id), effort, { durable: true });
  makeDirectory(activeEffortsDir(paths));
  rewriteFile(markOf(paths, id), "");
  return effort;
}

export function finishEffort(paths: Paths, id: number, now: Date): Effort | undefined {
  const done = updateEffort(paths, id, (stored) => ({
    ...stored,
    lifecycle: "finished",
    finishedAt: stored.finishedAt ?? now.toISOString(),
  }));
  removeFile(markOf(paths, id));
  return done;
}

/** Newest first. Costs as many reads as there are efforts still open, not as there ever were. */
export const readActiveEfforts = (paths: Paths): Effort[] =>
  readThose(paths, numbersIn(activeEffortsDir(paths))).filter((one) => one.lifecycle === "active");

export const readEfforts = (paths: Paths): Effort[] => readThose(paths, numbersIn(effortsDir(paths)));

const readThose = (paths: Paths, ids: number[]) =>
  ids.sort((a, b) => b - a).flatMap((id) => readEffort(paths, id) ?? []);

function numbersIn(directory: string): number[] {
  return namesIn(directory).flatMap((name) => (/^[1-9]\d{0,8}$/.test(name) ? Number(name) : []));
}

function tryDirectory(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}
