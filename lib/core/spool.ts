// A spool: changes to a file whose lock could not be had in time. Each change is a file of its own in a directory, written without
// the lock (temporary file, fsync, rename). The next holder of the lock applies them in order of their names, writes the file durably
// and only then removes them, so a crash in between applies a change twice: applying must be idempotent. Readers without the lock
// read the spool first and the file second; the other way round they would miss what is merged in between.

import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn, removeFile, sizeOf, syncDirectory, writeWhole } from "./files.ts";
import { type Reader, readJson } from "./json.ts";

const NAME = /^(\d{12})-[A-Za-z0-9_-]+\.json$/;

export interface Spooled<T> {
  name: string;
  change: T;
}

export interface Spool<T> {
  changes: Spooled<T>[];
  /** Files that were left for later because of `mostBytes`. */
  left: number;
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

/** Reads at least one change, however large, and stops after `mostBytes`. A damaged file is set aside. */
export function readSpool<T>(
  directory: string,
  reader: Reader<T>,
  mostBytes = Number.POSITIVE_INFINITY,
): Spool<T> {
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
