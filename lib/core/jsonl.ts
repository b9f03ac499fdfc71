// JSON lines: one O_APPEND write each, so that many processes can share a log without a lock.

import { fsyncSync, readSync, renameSync, type Stats, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode, type Purpose, sizeOf, withFile } from "./files.ts";
import { isTable } from "./shape.ts";
import { makeDirectory } from "./write-file.ts";

const NEWLINE = 10;

/** Past `maxBytes` the log becomes `<path>.1` and a new one begins. */
export function appendLine(path: string, value: unknown, maxBytes = Number.POSITIVE_INFINITY): void {
  const size = appendLines(path, [value]);
  if (size > maxBytes) rotateIfFull(path, maxBytes);
}

/** Begins on a new line where a full disk or a killed process left a torn one. Returns the log's size. */
export function appendLines(path: string, values: readonly unknown[], { durable = false } = {}): number {
  const text = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  return inPlace(path, "extend", (fd, { size }) => {
    writeFileSync(fd, endsTorn(fd, size) ? `\n${text}` : text);
    if (durable) fsyncSync(fd);
    return size + Buffer.byteLength(text);
  });
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
  inPlace(path, "append", (fd) => writeFileSync(fd, text));

function inPlace<T>(path: string, purpose: Purpose, put: (fd: number, stat: Stats) => T): T {
  try {
    return withFile(path, purpose, put);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeDirectory(dirname(path));
    return withFile(path, purpose, put);
  }
}

/** Two processes may see the same full log: the second then renames a nearly empty one, and the older lines are gone for good. */
export function rotateIfFull(path: string, maxBytes: number): void {
  if (sizeOf(path) > maxBytes) renameSync(path, `${path}.1`);
}
