// Reading JSON. Ours is written by rename, so broken means damaged: it is set aside, never overwritten.
// The client rewrites its files in place, so broken there usually means "in the middle of a write".
import { renameSync } from "node:fs";
import * as z from "zod/mini";
import { noteProblem } from "./problems.ts";
import { isAbsence, readText } from "./read-text.ts";
import { sleepSync } from "./sleep.ts";

const FOREIGN_READS = 3;
const FOREIGN_PAUSE_MS = 50;

export function readJson<S extends z.ZodMiniType>(path: string, schema: S): z.output<S> | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const parsed = parseAs(text, schema);
  if (parsed.ok) return parsed.value;
  setAside(path, parsed.why);
  return undefined;
}

export function readForeignJson<S extends z.ZodMiniType>(path: string, schema: S): z.output<S> | undefined {
  for (let attempt = 1; ; attempt++) {
    const text = readText(path);
    if (text === undefined) return undefined;
    const parsed = parseAs(text, schema);
    if (parsed.ok) return parsed.value;
    if (attempt === FOREIGN_READS) return undefined;
    sleepSync(FOREIGN_PAUSE_MS);
  }
}

type Parsed<T> = { ok: true; value: T } | { ok: false; why: string };

function parseAs<S extends z.ZodMiniType>(text: string, schema: S): Parsed<z.output<S>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, why: (error as Error).message };
  }
  const result = z.safeParse(schema, value);
  if (result.success) return { ok: true, value: result.data };
  const issue = result.error.issues[0];
  return { ok: false, why: `${issue?.path.join(".") || "content"}: ${issue?.code}` };
}

/** Two processes may meet the same damage: the second finds nothing left to move, which is fine. */
export function setAside(path: string, why: string): void {
  const aside = `${path}.corrupt-${new Date().toISOString().replace(/[:.]/g, "-")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isAbsence(error)) return;
    throw error;
  }
  noteProblem(`${path} is damaged (${why}); moved to ${aside}`);
}
