// How often each reason has held an agent back: one small file an agent.
import { someNumber, tableOf } from "../parse/shape.ts";
import { gatesPath, type Places } from "./paths.ts";
import { readJson } from "./read-json.ts";
import { updateJson } from "./update-json.ts";

const shape = tableOf(someNumber);

export const readHolds = (places: Places, session: string, agent: string, reason: string): number =>
  countOf(readJson(gatesPath(places, session, agent), shape) ?? {}, reason);

/** Counts one hold if the allowance permits it; under the lock, so that parallel events cannot overdraw it. */
export function takeHold(
  places: Places,
  session: string,
  agent: string,
  reason: string,
  allowance: number,
): boolean {
  let taken = false;
  updateJson(gatesPath(places, session, agent), shape, (stored = {}) => {
    const holds = countOf(stored, reason);
    taken = holds < allowance;
    return taken ? { ...stored, [reason]: holds + 1 } : undefined;
  });
  return taken;
}

/** A reason may be called like something every object has: `constructor`. */
const countOf = (stored: Record<string, number>, reason: string): number =>
  Object.hasOwn(stored, reason) ? (stored[reason] ?? 0) : 0;
