// The three layers of an effort (Engine hooks, docs/origins.md) and what belongs to one, below `swarm/efforts/`:
//   tasks/<task>.json          a directory in which work gathers; it never finishes and owns the count of its efforts
//   <id>/effort.json           one piece of work under one skill, active until it is finished
//   <id>/sessions/<n>.json     one context window each, never resumed
//   <id>/messages.jsonl        dialogue with the person, failures, who is idle, what ended
//   <id>/restart.md            the prompt that goes on after `effort.precompact = "kill"`
//   active/<id>                marks the active ones, so that finding them costs no read of the finished
// Only Swarm writes these files and tool calls read them, so core/shape.ts checks them instead of zod.

import { existsSync } from "node:fs";
import { type LogKind, MB } from "../../core/file-kind.ts";
import {
  createDirectory,
  makeDirectory,
  namesIn,
  readRotatedTail,
  removeFile,
  rewriteFile,
  syncDirectory,
  writeJson,
  writeWhole,
} from "../../core/files.ts";
import { appendLine, parsedLines, readJson, type UpdateOptions, updateJson } from "../../core/json.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { sha256 } from "../../core/sha256.ts";
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
import { highestOrdinal } from "./project-files.ts";
import type { Link } from "./windows.ts";

export const EFFORT_FILES: LogKind = {
  name: "efforts",
  path: "swarm/efforts/",
  kept: "work that survives its sessions",
  maxBytes: 4 * MB,
};

const pathOf = (paths: Paths, ...parts: (string | number)[]) =>
  swarmPath(paths, "efforts", ...parts.map(String));
export const effortTaskPath = (paths: Paths, task: string) => pathOf(paths, "tasks", `${segment(task)}.json`);
export const effortPath = (paths: Paths, effort: number) => pathOf(paths, effort, "effort.json");
const sessionPath = (paths: Paths, effort: number, number: number) =>
  pathOf(paths, effort, "sessions", `${number}.json`);
export const messagesPath = (paths: Paths, effort: number) => pathOf(paths, effort, "messages.jsonl");
const restartPath = (paths: Paths, effort: number) => pathOf(paths, effort, "restart.md");
export const activeMarkPath = (paths: Paths, effort: number) => pathOf(paths, "active", effort);

const oneOf =
  <T extends string>(...names: T[]): Shape<T> =>
  (value, at) => {
    const found = names.find((name) => name === value);
    if (found === undefined) throw new Error(`${at} must be ${names.join(" or ")}`);
    return found;
  };

/** What a window knows at its end and the next one needs. */
const dehydrationShape = object({
  at: someText,
  /** Who wrote it: `agent`, `person`, or `snapshot` for what our files knew. */
  by: someText,
  summary: someText,
  lastAction: maybeText,
  nextSteps: listOf(someText),
  handoverInstructions: maybeText,
  requiredFiles: listOf(someText),
});
export type Dehydration = ReturnType<typeof dehydrationShape>;
export const MOST_REQUIRED_FILES = 8;

const guardShape = object({
  id: someText,
  tool: maybeText,
  input: maybeText,
  phase: maybeText,
  heartbeat: maybeNumber,
  context: maybeNumber,
  message: someText,
  action: oneOf("warn", "deny"),
});
export type GuardRule = ReturnType<typeof guardShape>;

const injectionShape = object({
  id: someText,
  text: someText,
  at: someText,
  claimedAt: maybeText,
  /** The client's session it is meant for; without one, whichever comes next. */
  for: maybeText,
});
export type Injection = ReturnType<typeof injectionShape>;

const effortShape = object({
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
  /** `fleet` is `AGENT_ID` of Engine hooks. */
  owner: object({ fleet: maybeText, team: maybeText, agent: maybeText }),
  skillConfig: orNull(
    object({
      file: someText,
      description: maybeText,
      phases: listOf(someText),
      preload: listOf(someText),
      logTemplate: maybeText,
    }),
  ),
  directives: listOf(someText),
  preloads: listOf(someText),
  loadedFiles: listOf(someText),
  lastLog: maybe(object({ at: someText, by: someText, text: someText })),
  dehydrated: orNull(dehydrationShape),
  /** How many sessions were opened, and the newest one of a main agent. */
  sessions: someNumber,
  lastSession: maybeNumber,
  metadata: object({
    /** Instead of the setting `effort.block_after`. */
    blockAfter: maybeNumber,
    /** The skill is still being read: its calls are not counted. */
    loading: maybeFlag,
    guards: listOf(guardShape),
    pendingInjections: listOf(injectionShape),
    completedTasks: listOf(object({ id: someText, subject: someText })),
  }),
  startedAt: someText,
  finishedAt: maybeText,
});
export type Effort = ReturnType<typeof effortShape>;

/** False where no effort was ever started: then hooks load nothing of this domain. */
export const hasActiveEfforts = (paths: Paths): boolean => existsSync(pathOf(paths, "active"));

export const readEffort = (paths: Paths, id: number): Effort | undefined =>
  readJson(effortPath(paths, id), effortShape);

/** `undefined` leaves the record as it is. */
type Change<T> = (stored: T) => T | undefined;

export function updateEffort(paths: Paths, id: number, change: Change<Effort>, options?: UpdateOptions) {
  const durably = { durable: true, ...options };
  return updateJson(effortPath(paths, id), effortShape, (stored) => stored && change(stored), durably);
}

export const withMetadata = (effort: Effort, more: Partial<Effort["metadata"]>): Effort => ({
  ...effort,
  metadata: { ...effort.metadata, ...more },
});

export const withInjections = (effort: Effort, change: (pending: Injection[]) => Injection[]): Effort =>
  withMetadata(effort, { pendingInjections: change(effort.metadata.pendingInjections) });

/**
 * The number is taken by making its directory, so two starts at once never share one. The mark comes first: without a record it means
 * nothing, and nobody would find a record without it.
 */
export function createEffort(paths: Paths, effortOf: (id: number) => Effort): Effort {
  makeDirectory(pathOf(paths));
  let id = (numbersIn(pathOf(paths)).at(-1) ?? 0) + 1;
  while (!createDirectory(pathOf(paths, id))) id++;
  makeDirectory(pathOf(paths, "active"));
  rewriteFile(activeMarkPath(paths, id), "");
  syncDirectory(pathOf(paths, "active"));
  const effort = effortOf(id);
  writeJson(effortPath(paths, id), effort, { durable: true });
  return effort;
}

export function finishEffort(paths: Paths, id: number, now: Date): void {
  updateEffort(paths, id, (stored) => ({
    ...stored,
    lifecycle: "finished",
    finishedAt: stored.finishedAt ?? now.toISOString(),
  }));
  removeFile(activeMarkPath(paths, id));
}

/** Newest first. */
export const readActiveEfforts = (paths: Paths): Effort[] =>
  readAll(paths, numbersIn(pathOf(paths, "active"))).filter((one) => one.lifecycle === "active");

/** Newest first, the finished ones too. */
export const readEfforts = (paths: Paths): Effort[] => readAll(paths, numbersIn(pathOf(paths)));

/** One that cannot be read, like one of another user, does not hide those of all other projects. */
const readAll = (paths: Paths, ids: number[]) =>
  ids.reverse().flatMap((id) => reported(() => readEffort(paths, id), `effort ${id} cannot be read`) ?? []);

const numbersIn = (directory: string, name = /^[1-9]\d{0,8}$/): number[] =>
  namesIn(directory)
    .flatMap((one) => (name.test(one) ? Number.parseInt(one, 10) : []))
    .sort((a, b) => a - b);

const taskShape = object({
  id: someText,
  dir: someText,
  project: someText,
  title: maybeText,
  /** The number in front of the newest effort's artifacts. */
  lastOrdinal: someNumber,
  createdAt: someText,
});
export type EffortTask = ReturnType<typeof taskShape>;

export const readEffortTask = (paths: Paths, id: string): EffortTask | undefined =>
  readJson(effortTaskPath(paths, id), taskShape);

type TaskPlace = { dir: string; project: string; title?: string };

/** With the next effort's number, higher than that of any file in the directory. */
export function takeOrdinal(paths: Paths, task: TaskPlace, now: Date): EffortTask {
  const id = taskIdOf(task.dir);
  const take = (stored: EffortTask | undefined) => ({
    ...(stored ?? { id, createdAt: now.toISOString() }),
    ...task,
    title: task.title ?? stored?.title,
    lastOrdinal: Math.max(stored?.lastOrdinal ?? 0, highestOrdinal(task.dir)) + 1,
  });
  return updateJson(effortTaskPath(paths, id), taskShape, take, { durable: true }) as EffortTask;
}

export function taskIdOf(dir: string): string {
  const words = dir.replace(/[^A-Za-z0-9]+/g, "-").replace(/-$/, "");
  const name = words.slice(-40).replace(/^-/, "");
  return `${name || "task"}-${sha256(dir).slice(0, 12)}`;
}

const sessionShape = object({
  effort: someNumber,
  number: someNumber,
  /** The agent whose window it is, as in windows.ts. */
  client: someText,
  voice: someText,
  agentType: maybeText,
  source: maybeText,
  previous: orNull(someNumber),
  startedAt: someText,
  endedAt: maybeText,
  endReason: maybeText,
  heartbeat: maybeNumber,
  contextUsage: orNull(someNumber),
  loadedFiles: listOf(someText),
  dehydration: orNull(dehydrationShape),
});
export type EffortSession = ReturnType<typeof sessionShape>;

export const readEffortSession = (paths: Paths, effort: number, number: number): EffortSession | undefined =>
  readJson(sessionPath(paths, effort, number), sessionShape);

export const writeEffortSession = (paths: Paths, record: EffortSession): void =>
  writeJson(sessionPath(paths, record.effort, record.number), record, { durable: true });

export function updateEffortSession(
  paths: Paths,
  { effort, session }: Link,
  change: Change<EffortSession>,
  options?: UpdateOptions,
) {
  const path = sessionPath(paths, effort, session);
  return updateJson(path, sessionShape, (stored) => stored && change(stored), options);
}

/** Oldest first; at most the `newest` ones. */
export const readEffortSessions = (paths: Paths, effort: number, newest = Number.POSITIVE_INFINITY) =>
  numbersIn(pathOf(paths, effort, "sessions"), /^\d+\.json$/)
    .slice(-newest)
    .flatMap((number) => readEffortSession(paths, effort, number) ?? []);

const MESSAGES_TAIL_BYTES = 128 * 1024;

export interface EffortMessage {
  at: string;
  /** `dialogue`, `failure`, `attention`, `idle`, `task`, `limit`, `session`, `injection`, `phase`, `config`. */
  kind: string;
  /** The number of the effort's session it came from; `null` for a person. */
  session: number | null;
  /** The agent's type, else its id. */
  voice: string;
  [detail: string]: unknown;
}

/** One O_APPEND line, so that all sessions of an effort can write at once. */
export const appendEffortMessage = (paths: Paths, effort: number, message: EffortMessage): void =>
  appendLine(messagesPath(paths, effort), message, EFFORT_FILES.maxBytes);

/** The newest ones, oldest first; torn lines are skipped. */
export const readEffortMessages = (paths: Paths, effort: number): EffortMessage[] =>
  parsedLines(readRotatedTail(messagesPath(paths, effort), MESSAGES_TAIL_BYTES));

export function writeRestartPrompt(paths: Paths, effort: number, text: string): string {
  writeWhole(restartPath(paths, effort), text, { durable: true });
  return restartPath(paths, effort);
}

export const dropRestartPrompt = (paths: Paths, effort: number): void =>
  removeFile(restartPath(paths, effort));
