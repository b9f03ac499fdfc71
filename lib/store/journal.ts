// The journal of decisions and lifecycle events, the error log, and a stamp for every event that fired.
import { appendLine, appendText, turnOverIfFull } from "./append-line.ts";
import { errorsPath, firedPath, journalPath, type Places } from "./paths.ts";
import { shared } from "./process-wide.ts";
import { readTail, readText } from "./read-text.ts";
import { LIMITS } from "./state-limits.ts";

/** A stat costs more than the stamp itself: the size is looked at once in so many runs. */
const LOOKS_AT_SIZE = 32;
const TAIL_BYTES = 512 * 1024;

export interface JournalLine {
  id: string;
  at: string;
  event: string;
  session: string;
  agent: string;
  feature: string;
  what: string;
  [detail: string]: unknown;
}

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** For names of directories: `20260220T120000Z`. */
export const dayAndTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");

export const appendJournal = (places: Places, at: Date, line: JournalLine): void =>
  appendLine(journalPath(places, dayOf(at)), line, LIMITS.journal);

export const appendError = (places: Places, line: Record<string, unknown>): void =>
  appendLine(errorsPath(places), line, LIMITS.errors);

export interface ErrorLine {
  at: string;
  event: string;
  feature?: string;
  error: string;
}

/** The newest lines, oldest first. */
export const readErrors = (places: Places): ErrorLine[] =>
  (readTail(errorsPath(places), TAIL_BYTES)?.text ?? "")
    .split("\n")
    .flatMap((line) => asLine(line) as unknown[] as ErrorLine[]);

/** One line a run: how long it took, in milliseconds. The file's age says when the event last fired. */
export function appendFired(places: Places, event: string, ms: number): void {
  const path = firedPath(places, event);
  appendText(path, `${ms.toFixed(1)}\n`);
  if (Math.floor(ms * 10) % LOOKS_AT_SIZE === 0) turnOverIfFull(path, LIMITS.fired);
}

/** The newest lines of a day, oldest first; torn lines are passed over. */
export const readJournal = (places: Places, day: string): JournalLine[] =>
  (readTail(journalPath(places, day), TAIL_BYTES)?.text ?? "").split("\n").flatMap(asLine);

/** Looks through the whole day, the part that was turned over included. */
export function findInJournal(places: Places, day: string, id: string): JournalLine | undefined {
  const path = journalPath(places, day);
  for (const file of [path, `${path}.1`]) {
    const lines = (readText(file) ?? "").split("\n").filter((line) => line.includes(id));
    const found = lines.flatMap(asLine).find((line) => line.id === id);
    if (found) return found;
  }
  return undefined;
}

function asLine(text: string): JournalLine[] {
  try {
    return [JSON.parse(text) as JournalLine];
  } catch {
    return []; // torn, or cut by the tail
  }
}

/** Sorts by time; no randomness needed, since a process makes its ids one after the other. */
export const newId = (at: Date): string =>
  `${at.getTime().toString(36)}-${process.pid.toString(36)}${(shared().ids++).toString(36)}`;
