// The journal of decisions and lifecycle events, the error log, and a stamp for every event that fired.
import { appendLine, appendText, LIMITS, rotateIfFull } from "./jsonl.ts";
import { errorsPath, firedPath, journalPath, type Paths } from "./paths.ts";
import { shared } from "./process-wide.ts";
import { readTail, readText } from "./read-file.ts";

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

export const appendJournal = (paths: Paths, at: Date, line: JournalLine): void =>
  appendLine(journalPath(paths, dayOf(at)), line, LIMITS.journal);

export const appendError = (paths: Paths, line: Record<string, unknown>): void =>
  appendLine(errorsPath(paths), line, LIMITS.errors);

export interface ErrorLine {
  at: string;
  event: string;
  feature?: string;
  error: string;
}

/** The newest lines, oldest first. */
export const readErrors = (paths: Paths): ErrorLine[] =>
  (readTail(errorsPath(paths), TAIL_BYTES)?.text ?? "")
    .split("\n")
    .flatMap((line) => asLine(line) as unknown[] as ErrorLine[]);

/** One line a run: how long it took, in milliseconds. The file's age says when the event last fired. */
export function appendFired(paths: Paths, event: string, ms: number): void {
  const path = firedPath(paths, event);
  appendText(path, `${ms.toFixed(1)}\n`);
  if (Math.floor(ms * 10) % LOOKS_AT_SIZE === 0) rotateIfFull(path, LIMITS.fired);
}

/** The newest lines of a day, oldest first; torn lines are passed over. */
export const readJournal = (paths: Paths, day: string): JournalLine[] =>
  (readTail(journalPath(paths, day), TAIL_BYTES)?.text ?? "").split("\n").flatMap(asLine);

/** Looks through the whole day, the part that was turned over included. */
export function findInJournal(paths: Paths, day: string, id: string): JournalLine | undefined {
  const path = journalPath(paths, day);
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

// What a store met on its way and could work around: the runner writes these to the error log at the end.
export const noteProblem = (what: string): void => {
  shared().problems.push(what);
};

export const takeProblems = (): string[] => shared().problems.splice(0);
