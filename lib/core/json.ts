// JSON files, logs of JSON lines, and spools. Our own files are written by rename, so a broken one is damaged: it is set aside, never overwritten.
// The client rewrites its files in place, so broken there usually means "in the middle of a write".
import { existsSync, fsyncSync, mkdirSync, readSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  ifThere,
  inDirectory,
  namesIn,
  readOwnText,
  readText,
  removeFile,
  sizeOf,
  syncDirectory,
  type WriteOptions,
  withFile,
  writeJson,
  writeWhole,
} from "./files.ts";
import { withLock } from "./lock.ts";
import { noteProblem, sleepSync } from "./process.ts";
import type { Shape } from "./shape.ts";

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === "string";

// Values that others wrote, where they have the expected type.
export const asTable = (value: unknown) => (isTable(value) ? value : undefined);
export const fieldsOf = (value: unknown): Record<string, unknown> => asTable(value) ?? {};
export const asText = (value: unknown) => (isText(value) ? value : undefined);
export const asTexts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

/** A key may be called like something every object has: `constructor`. */
export const valueAt = <T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  table && Object.hasOwn(table, key) ? table[key] : undefined;

/** A hand-written shape, or a zod schema where the call is rare enough. */
type Reader<T> = Shape<T> | { parse: (value: unknown) => T };

const FOREIGN_READS = 3;
const FOREIGN_PAUSE_MS = 50;

export function readJson<T>(path: string, reader: Reader<T>): T | undefined {
  const text = readOwnText(path);
  if (text === undefined) return undefined;
  try {
    return parsedAs(text, reader);
  } catch (error) {
    setAside(path, error as Error);
    return undefined;
  }
}

export function readForeignJson<T>(path: string, reader: Reader<T>): T | undefined {
  for (let attempt = 1; ; attempt++) {
    const text = readText(path);
    if (text === undefined) return undefined;
    try {
      return parsedAs(text, reader);
    } catch {
      if (attempt === FOREIGN_READS) return undefined;
    }
    sleepSync(FOREIGN_PAUSE_MS);
  }
}

function parsedAs<T>(text: string, reader: Reader<T>): T {
  const value: unknown = JSON.parse(text);
  return typeof reader === "function" ? reader(value, "") : reader.parse(value);
}

/** Two processes may meet the same damage: the second finds nothing left to move, which is fine. */
function setAside(path: string, { message }: Error): void {
  const aside = `${path}.corrupt-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  ifThere(() => {
    renameSync(path, aside);
    noteProblem(`${path} is damaged (${message.split("\n")[0]}); moved to ${aside}`);
  });
}

// Read, change, write under the file's lock. Keys we do not know survive: schemas are loose.
export interface UpdateOptions extends Pick<WriteOptions, "durable"> {
  waitMs?: number;
}

/** `change` gets the stored value or `undefined`; what it returns is written, `undefined` leaves the file alone. */
export function updateJson<T>(
  path: string,
  reader: Reader<T>,
  change: (stored: T | undefined) => T | undefined,
  options: UpdateOptions = {},
): T | undefined {
  return withLock(
    path,
    (held) => {
      const changed = change(readJson(path, reader));
      if (changed === undefined) return undefined;
      writeJson(path, changed, { ...options, beforeRename: held.check });
      return changed;
    },
    options.waitMs,
  );
}

// JSON lines: one O_APPEND write each, so that many processes can share a log without a lock.

const NEWLINE = 10;

/** Past `maxBytes` the log becomes `<path>.1` and a new one begins. */
export function appendLine(path: string, value: unknown, maxBytes = Number.POSITIVE_INFINITY): void {
  const size = appendLines(path, [value]);
  if (size > maxBytes) rotateIfFull(path, maxBytes);
}

/** Begins on a new line where a full disk or a killed process left a torn one. Returns the log's size. */
export function appendLines(path: string, values: readonly unknown[], { durable = false } = {}): number {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  return inDirectory(dirname(path), () =>
    withFile(path, "extend", (fd, { size }) => {
      writeFileSync(fd, endsTorn(fd, size) ? `\n${text}` : text);
      if (durable) fsyncSync(fd);
      return size + Buffer.byteLength(text);
    }),
  );
}

function endsTorn(fd: number, size: number): boolean {
  const last = new Uint8Array(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

/** One line of a log or transcript; `undefined` where it is torn, cut by the tail, or no object. */
export function parsedLine<T extends object>(line: string): T | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isTable(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

/** The lines of a log as they were written. */
export const parsedLines = <T extends object>(text: string): T[] =>
  text.split("\n").flatMap((line) => parsedLine<T>(line) ?? []);

export const appendText = (path: string, text: string): void =>
  inDirectory(dirname(path), () => withFile(path, "append", (fd) => writeFileSync(fd, text)));

/** Two processes may see the same full log: the second then finds none, or renames a nearly empty one, and the older lines are gone. */
export function rotateIfFull(path: string, maxBytes: number): void {
  if (sizeOf(path) > maxBytes) ifThere(() => renameSync(path, `${path}.1`));
}

// A spool: changes to a file whose lock could not be had in time. Each change is a file of its own in a directory, written without
// the lock (temporary file, fsync, rename). The next holder of the lock applies them in order of their names, writes the file durably
// and only then removes them, so a crash in between applies a change twice: applying must be idempotent. Readers without the lock
// read the spool first and the file second; the other way round they would miss what is merged in between.

const NAME = /^(\d{12})-[A-Za-z0-9_-]+\.json$/;

export interface Spooled<T> {
  name: string;
  change: T;
}

/** In the order in which they apply. */
export const spoolNames = (directory: string): string[] =>
  existsSync(directory)
    ? namesIn(directory)
        .filter((name) => NAME.test(name))
        .sort()
    : [];

/**
 * Accepted when this returns. The number in the name is one more than the highest there, so that the order does not depend on the
 * clock: what one writer dropped earlier is either still there, with a lower number, or merged already.
 */
export function dropChange(directory: string, id: string, change: unknown): void {
  makeDurableDirectory(directory);
  const last = Number(spoolNames(directory).at(-1)?.match(NAME)?.[1] ?? 0);
  const name = `${String(last + 1).padStart(12, "0")}-${id}.json`;
  writeWhole(join(directory, name), `${JSON.stringify(change)}\n`, { durable: true });
}

function makeDurableDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let at = directory; at.length >= first.length; at = dirname(at)) syncDirectory(dirname(at));
}

/** Reads at least one change, however large, and stops after `mostBytes`: so many files are `left`. A damaged one is set aside. */
export function readSpool<T>(directory: string, reader: Reader<T>, mostBytes = Number.POSITIVE_INFINITY) {
  const names = spoolNames(directory);
  const changes: Spooled<T>[] = [];
  let bytes = 0;
  for (const [at, name] of names.entries()) {
    bytes += sizeOf(join(directory, name));
    if (at > 0 && bytes > mostBytes) return { changes, left: names.length - at };
    const change = readJson(join(directory, name), reader);
    if (change !== undefined) changes.push({ name, change });
  }
  return { changes, left: 0 };
}

/** After the file that they were merged into is on disk. */
export function removeChanges(directory: string, changes: readonly Spooled<unknown>[]): void {
  for (const { name } of changes) removeFile(join(directory, name));
}
