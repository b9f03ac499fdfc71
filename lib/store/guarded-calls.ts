// A mark when the guard begins to look at a call and one when its answer is out. A client that kills a hook at its time limit runs the
// tool and says nothing: a beginning without an end is the only trace of it.
import { appendText, turnOverIfFull } from "./append-line.ts";
import { guardedCallsPath, type Places } from "./paths.ts";
import { shared } from "./process-wide.ts";
import { readTurnedTail } from "./read-text.ts";
import { LIMITS } from "./state-limits.ts";

/** How often the size is looked at. */
const ONE_IN = 64;

export function beginGuarded(places: Places): void {
  const at = Date.now();
  const id = `${process.pid.toString(36)}.${at.toString(36)}`;
  appendText(guardedCallsPath(places), `+${id}\n`);
  shared().guarded = id;
  if (at % ONE_IN === 0) turnOverIfFull(guardedCallsPath(places), LIMITS.guarded);
}

export function endGuarded(places: Places): void {
  const { guarded } = shared();
  if (guarded === undefined) return;
  shared().guarded = undefined;
  appendText(guardedCallsPath(places), `-${guarded}\n`);
}

/** When the calls began that were never answered; one that may still be running is not among them. */
export function unanswered(places: Places, now: Date, runningMs: number): Date[] {
  const open = new Map<string, Date>();
  for (const line of readTurnedTail(guardedCallsPath(places), 2 * LIMITS.guarded).split("\n")) {
    const [, sign, id = "", at = ""] = /^([+-])(\w+\.(\w+))$/.exec(line) ?? [];
    if (sign === "+") open.set(id, new Date(Number.parseInt(at, 36)));
    if (sign === "-") open.delete(id);
  }
  return [...open.values()].filter((began) => now.getTime() - began.getTime() > runningMs);
}
