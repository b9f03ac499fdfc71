// The session layer of seed 003: one context window each, never resumed. `efforts/<id>/sessions/<n>.json`.
import { join } from "node:path";
import { listOf, maybeNumber, maybeText, object, orNull, someNumber, someText } from "../parse/shape.ts";
import { namesIn } from "./list-directory.ts";
import { effortDir, type Places } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { type UpdateOptions, updateJson } from "./update-json.ts";
import { writeJson } from "./write-file.ts";

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

const directoryOf = (places: Places, effort: number) => join(effortDir(places, effort), "sessions");
const pathOf = (places: Places, effort: number, number: number) =>
  join(directoryOf(places, effort), `${number}.json`);

export const readEffortSession = (
  places: Places,
  effort: number,
  number: number,
): EffortSession | undefined => readJson(pathOf(places, effort, number), shape);

export const writeEffortSession = (places: Places, record: EffortSession): void =>
  writeJson(pathOf(places, record.effort, record.number), record, { durable: true });

export const updateEffortSession = (
  places: Places,
  effort: number,
  number: number,
  change: (stored: EffortSession) => EffortSession | undefined,
  options: UpdateOptions = {},
): EffortSession | undefined =>
  updateJson(
    pathOf(places, effort, number),
    shape,
    (stored) => (stored ? change(stored) : undefined),
    options,
  );

/** Oldest first; of a long row only the newest, if so many are asked for. */
export function readEffortSessions(
  places: Places,
  effort: number,
  newest = Number.POSITIVE_INFINITY,
): EffortSession[] {
  return numbersIn(directoryOf(places, effort))
    .sort((a, b) => a - b)
    .slice(-newest)
    .flatMap((number) => readEffortSession(places, effort, number) ?? []);
}

function numbersIn(directory: string): number[] {
  return namesIn(directory).flatMap((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : []));
}
