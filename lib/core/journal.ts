// The journal of decisions and lifecycle events, the error log, the times of every event's runs, and the marks of guarded calls.
import { type FileKind, KB, type LogKind, MB } from "./file-kind.ts";
import { readRotatedTail, readTail, statIfThere } from "./files.ts";
import { appendLine, appendText, asText, parsedLines, rotateIfFull } from "./json.ts";
import { errorsPath, firedPath, guardedCallsPath, journalPath, type Paths } from "./paths.ts";
import { reported, shared } from "./process.ts";
import { DAY_MS } from "./time.ts";

export const JOURNAL: LogKind = {
  name: "journal",
  path: "swarm/journal/<day>.jsonl",
  ends: "age",
  maxBytes: 8 * MB,
};

const ERROR_LOG: LogKind = {
  name: "error log",
  path: "swarm/errors.jsonl",
  kept: "two of a size",
  maxBytes: MB,
};
const RUN_TIMES: LogKind = {
  name: "run times of events",
  path: "swarm/fired/<event>",
  kept: "two an event",
  maxBytes: 16 * KB,
};
export const GUARDED_CALLS: LogKind = {
  name: "marks of guarded calls",
  path: "swarm/guarded",
  kept: "two of a size",
  maxBytes: 64 * KB,
};

export const JOURNAL_FILES: readonly FileKind[] = [JOURNAL, ERROR_LOG, RUN_TIMES, GUARDED_CALLS];

/** A stat costs more than a stamp or mark itself: the size is looked at once in so many. */
const LOOKS_AT_SIZE = 32;
const TAIL_BYTES = 512 * 1024;

/** As its writer gives it; any other key is a detail. */
type JournalNote = CommandNote & Record<"event" | "session", string>;
type CommandNote = Record<"agent" | "feature" | "what", string> & Record<string, unknown>;
export type JournalLine = JournalNote & { id: string; at: string };

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** For names of directories: `20260220T120000Z`. */
export const dayAndTime = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, "");

export const appendJournal = (paths: Paths, now: Date, note: JournalNote): void =>
  appendLine(
    journalPath(paths, dayOf(now)),
    { id: newId(now), at: now.toISOString(), ...note },
    JOURNAL.maxBytes,
  );

/** What a verb did; `agent` is the caller as the journal names it. */
export const appendCommand = (
  { paths, now, session = "" }: { paths: Paths; now: Date; session?: string | undefined },
  note: CommandNote,
): void => appendJournal(paths, now, { event: "command", session, ...note });

export const appendError = (paths: Paths, line: Record<string, unknown>): void =>
  appendLine(errorsPath(paths), line, ERROR_LOG.maxBytes);

export interface ErrorLine {
  at: string;
  event: string;
  feature?: string;
  error: string;
  where?: string;
}

/** The newest lines, oldest first. */
export const readErrors = (paths: Paths): ErrorLine[] =>
  parsedLines(readTail(errorsPath(paths), TAIL_BYTES)?.text ?? "");

/** One line a run: how long it took, in milliseconds. The file's age says when the event last fired. */
export function appendFired(paths: Paths, event: string, ms: number): void {
  const path = firedPath(paths, event);
  appendText(path, `${ms.toFixed(1)}\n`);
  if (Math.floor(ms * 10) % LOOKS_AT_SIZE === 0) rotateIfFull(path, RUN_TIMES.maxBytes);
}

export type Fired = NonNullable<ReturnType<typeof readFired>>;

/** The newest few thousand runs, oldest first, in milliseconds; `undefined` for an event that never fired here. */
export function readFired(paths: Paths, event: string) {
  const path = firedPath(paths, event);
  // Right after a rotation the current file holds only a few runs, or is missing.
  const last = (statIfThere(path) ?? statIfThere(`${path}.1`))?.mtime;
  const lines = readRotatedTail(path, 2 * RUN_TIMES.maxBytes).split("\n");
  const times = lines.map((line) => Number.parseFloat(line)).filter(Number.isFinite);
  return last && { event, times, last };
}

/** The lines of a whole day, oldest first, the rotated part included. */
export const readJournal = (paths: Paths, day: string): JournalLine[] =>
  linesIn(readRotatedTail(journalPath(paths, day), 2 * JOURNAL.maxBytes));

const MOST_DAYS = 400;
/** Of everything together: the newest days win. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Whole days from the day of `from` on, oldest first: the lines before `from` tell the state at that moment. */
export function readJournalSince(paths: Paths, from: Date, to: Date): JournalLine[] {
  const days: JournalLine[][] = [];
  let room = MOST_BYTES;
  for (let at = to.getTime(), n = 0; n < MOST_DAYS && room > 0; at -= DAY_MS, n++) {
    const day = dayOf(new Date(at));
    if (day < dayOf(from)) break;
    const text = readRotatedTail(journalPath(paths, day), room);
    days.push(linesIn(text).filter(({ at }) => !Number.isNaN(Date.parse(at))));
    room -= text.length;
  }
  return days.reverse().flat().sort(byTime);
}

export const byTime = (a: { at: string }, b: { at: string }) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

export const textIn = (given: Record<string, unknown>, key: string): string => asText(given[key]) ?? "";

const TEXTS = ["id", "at", "event", "session", "agent", "feature", "what"] as const;

/** A text that is missing is empty; torn lines are passed over. */
const linesIn = (text: string): JournalLine[] =>
  parsedLines<Record<string, unknown>>(text).map((line) => {
    const texts = Object.fromEntries(TEXTS.map((key) => [key, textIn(line, key)]));
    return { ...line, ...texts } as JournalLine;
  });

/** Sorts by time; no randomness needed, since a process makes its ids one after the other. */
export const newId = (at: Date): string =>
  `${at.getTime().toString(36)}-${process.pid.toString(36)}${(shared().ids++).toString(36)}`;

// A mark when the guard begins to look at a call and one when its answer is out. A client that kills a hook at its time limit runs the
// tool and says nothing: a beginning without an end is the only trace of it.

/** Never throws: a mark that cannot be written, as on a full disk, must not cost the call its verdict. */
export function beginGuarded(paths: Paths): void {
  const at = Date.now();
  const id = `${process.pid.toString(36)}.${at.toString(36)}`;
  reported(() => {
    appendText(guardedCallsPath(paths), `+${id}\n`);
    shared().guarded = id;
    if (at % LOOKS_AT_SIZE === 0) rotateIfFull(guardedCallsPath(paths), GUARDED_CALLS.maxBytes);
  }, "a guarded call could not be marked");
}

export function endGuarded(paths: Paths): void {
  const { guarded } = shared();
  if (guarded === undefined) return;
  shared().guarded = undefined;
  appendText(guardedCallsPath(paths), `-${guarded}\n`);
}

/** When the calls began that were never answered; one that may still be running is left out. */
export function unanswered(paths: Paths, now: Date, runningMs: number): Date[] {
  const open = new Map<string, Date>();
  for (const line of readRotatedTail(guardedCallsPath(paths), 2 * GUARDED_CALLS.maxBytes).split("\n")) {
    const [, sign, id = "", at = ""] = /^([+-])(\w+\.(\w+))$/.exec(line) ?? [];
    if (sign === "+") open.set(id, new Date(Number.parseInt(at, 36)));
    if (sign === "-") open.delete(id);
  }
  return [...open.values()].filter((began) => now.getTime() - began.getTime() > runningMs);
}
