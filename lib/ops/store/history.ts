// The past as the logs have it, whole days and the parts that were turned over included. Read for a report, never by a hook.
import { existsSync } from "node:fs";
import { dayOf, type JournalLine } from "../../core/journal.ts";
import { journalPath, lifecycleLogPath, type Paths } from "../../core/paths.ts";
import { readTail } from "../../core/read-file.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 400;
/** Of everything together: the newest days win. */
const MOST_BYTES = 96 * 1024 * 1024;

/** From the beginning of the day of `from`, oldest first: what was true at that moment stands before it. */
export function readJournalSince(paths: Paths, from: Date, to: Date): JournalLine[] {
  const days: JournalLine[][] = [];
  let room = MOST_BYTES;
  for (let at = to.getTime(), n = 0; n < MOST_DAYS && room > 0; at -= DAY_MS, n++) {
    const day = dayOf(new Date(at));
    if (day < dayOf(from)) break;
    const { lines, bytes } = linesOf(journalPath(paths, day), room);
    days.push(lines.flatMap(asJournalLine));
    room -= bytes;
  }
  return days.reverse().flat().sort(byTime);
}

const byTime = (a: { at: string }, b: { at: string }) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** A line of the lifecycle log, as far as a reader needs it. */
export interface LifecycleLine {
  type: string;
  agent: string;
  team: string;
  session: string;
  at: string;
  source: string;
}

export const readLifecycleSince = (paths: Paths, from: Date): LifecycleLine[] =>
  linesOf(lifecycleLogPath(paths), MOST_BYTES)
    .lines.flatMap(asLifecycleLine)
    .filter(({ at }) => Date.parse(at) >= from.getTime())
    .sort(byTime);

function linesOf(path: string, room: number): { lines: unknown[]; bytes: number } {
  const texts = [`${path}.1`, path]
    .filter((file) => existsSync(file))
    .map((file) => readTail(file, room)?.text ?? "");
  const bytes = texts.reduce((sum, text) => sum + text.length, 0);
  return { lines: texts.flatMap((text) => text.split("\n").flatMap(parsed)), bytes };
}

function parsed(line: string): unknown[] {
  if (line === "") return [];
  try {
    return [JSON.parse(line)];
  } catch {
    return []; // torn, or cut by the tail
  }
}

const textIn = (given: Record<string, unknown>, key: string) =>
  typeof given[key] === "string" ? (given[key] as string) : "";

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function asJournalLine(value: unknown): JournalLine[] {
  if (!isTable(value) || Number.isNaN(Date.parse(textIn(value, "at")))) return [];
  const known = ["id", "at", "event", "session", "agent", "feature", "what"] as const;
  const texts = Object.fromEntries(known.map((key) => [key, textIn(value, key)]));
  return [{ ...value, ...texts } as JournalLine];
}

function asLifecycleLine(value: unknown): LifecycleLine[] {
  if (!isTable(value)) return [];
  const source = isTable(value["source"]) ? textIn(value["source"], "kind") : "";
  return [
    {
      type: textIn(value, "type"),
      agent: textIn(value, "agent"),
      team: textIn(value, "team"),
      session: textIn(value, "session_id"),
      at: textIn(value, "received_at"),
      source,
    },
  ];
}
