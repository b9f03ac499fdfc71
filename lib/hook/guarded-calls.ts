// A mark when the guard begins to look at a call and one when its answer is out. A client that kills a hook at its time limit runs the
// tool and says nothing: a beginning without an end is the only trace of it.

import { type FileKind, KB } from "../core/file-kind.ts";
import { readRotatedTail } from "../core/files.ts";
import { appendText, rotateIfFull } from "../core/json.ts";
import { guardedCallsPath, type Paths } from "../core/paths.ts";
import { shared } from "../core/process.ts";

export const GUARDED_CALLS = {
  name: "marks of guarded calls",
  path: "swarm/guarded",
  ends: "kept",
  because: "two of a size",
  maxBytes: 64 * KB,
} as const satisfies FileKind;

/** How often the size is looked at. */
const ONE_IN = 64;

export function beginGuarded(paths: Paths): void {
  const at = Date.now();
  const id = `${process.pid.toString(36)}.${at.toString(36)}`;
  appendText(guardedCallsPath(paths), `+${id}\n`);
  shared().guarded = id;
  if (at % ONE_IN === 0) rotateIfFull(guardedCallsPath(paths), GUARDED_CALLS.maxBytes);
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
