// Reading JSON. Ours is written by rename, so broken means damaged: it is set aside, never overwritten.
// The client rewrites its files in place, so broken there usually means "in the middle of a write".

import { renameSync } from "node:fs";
import { isAbsence, readOwnText, readText } from "./files.ts";
import { noteProblem } from "./journal.ts";
import { withLock } from "./lock.ts";
import type { Shape } from "./shape.ts";
import { sleepSync } from "./time.ts";
import { type WriteOptions, writeJson } from "./write-file.ts";

/** A hand-written shape, or a zod schema where the call is rare enough. */
export type Reader<T> = Shape<T> | { parse: (value: unknown) => T };

const FOREIGN_READS = 3;
const FOREIGN_PAUSE_MS = 50;

export function readJson<T>(path: string, reader: Reader<T>): T | undefined {
  const text = readOwnText(path);
  if (text === undefined) return undefined;
  const parsed = parseAs(text, reader);
  if (parsed.ok) return parsed.value;
  setAside(path, parsed.why);
  return undefined;
}

export function readForeignJson<T>(path: string, reader: Reader<T>): T | undefined {
  for (let attempt = 1; ; attempt++) {
    const text = readText(path);
    if (text === undefined) return undefined;
    const parsed = parseAs(text, reader);
    if (parsed.ok) return parsed.value;
    if (attempt === FOREIGN_READS) return undefined;
    sleepSync(FOREIGN_PAUSE_MS);
  }
}

type Parsed<T> = { ok: true; value: T } | { ok: false; why: string };

function parseAs<T>(text: string, reader: Reader<T>): Parsed<T> {
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value: typeof reader === "function" ? reader(value, "") : reader.parse(value) };
  } catch (error) {
    return { ok: false, why: (error as Error).message.split("\n")[0] ?? "" };
  }
}

/** Two processes may meet the same damage: the second finds nothing left to move, which is fine. */
function setAside(path: string, why: string): void {
  const aside = `${path}.corrupt-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  noteProblem(`${path} is damaged (${why}); moved to ${aside}`);
}

// Read, change, write under the file's lock. Keys we do not know survive: schemas are loose.
export interface UpdateOptions {
  waitMs?: number;
  durable?: WriteOptions["durable"];
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
