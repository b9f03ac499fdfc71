// The session layer of seed 003: one context window each, never resumed. `efforts/<id>/sessions/<n>.json`.
import { join } from "node:path";
import { namesIn } from "../../core/files.ts";
import { readJson, type UpdateOptions, updateJson } from "../../core/json.ts";
import { effortDir, type Paths } from "../../core/paths.ts";
import { listOf, maybeNumber, maybeText, object, orNull, someNumber, someText } from "../../core/shape.ts";
import { writeJson } from "../../core/write-file.ts";

/** What a window knows at its end and the next one needs. */
export const dehydration = object({
  at: someText,
  /** `agent` wrote it itself, `snapshot` is what our files knew. */
  by: someText,
  summary: someText,
  lastAction: maybeText,
  nextSteps: listOf(someText),
  handoverInstructions: maybeText,
  requiredFiles: listOf(someText),
});
export type Dehydration = ReturnType<typeof dehydration>;

const shape = object({
  effort: someNumber,
  number: someNumber,
  /** The client's session id, and which voice in it. */
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
  dehydration: orNull(dehydration),
});
export type EffortSession = ReturnType<typeof shape>;

const directoryOf = (paths: Paths, effort: number) => join(effortDir(paths, effort), "sessions");
const pathOf = (paths: Paths, effort: number, number: number) =>
  join(directoryOf(paths, effort), `${number}.json`);

export const readEffortSession = (paths: Paths, effort: number, number: number): EffortSession | undefined =>
  readJson(pathOf(paths, effort, number), shape);

export const writeEffortSession = (paths: Paths, record: EffortSession): void =>
  writeJson(pathOf(paths, record.effort, record.number), record, { durable: true });

export const updateEffortSession = (
  paths: Paths,
  effort: number,
  number: number,
  change: (stored: EffortSession) => EffortSession | undefined,
  options: UpdateOptions = {},
): EffortSession | undefined =>
  updateJson(
    pathOf(paths, effort, number),
    shape,
    (stored) => (stored ? change(stored) : undefined),
    options,
  );

/** Oldest first; of a long row only the newest, if so many are asked for. */
export function readEffortSessions(
  paths: Paths,
  effort: number,
  newest = Number.POSITIVE_INFINITY,
): EffortSession[] {
  return numbersIn(directoryOf(paths, effort))
    .sort((a, b) => a - b)
    .slice(-newest)
    .flatMap((number) => readEffortSession(paths, effort, number) ?? []);
}

function numbersIn(directory: string): number[] {
  return namesIn(directory).flatMap((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : []));
}
