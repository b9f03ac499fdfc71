// How often each reason has held an agent back: one small file an agent.

import { gatesPath, type Paths } from "../core/paths.ts";
import { readJson } from "../core/read-json.ts";
import { someNumber, tableOf } from "../core/shape.ts";
import { updateJson } from "../core/update-json.ts";

const shape = tableOf(someNumber);

export const readBlockCounts = (paths: Paths, session: string, agent: string, reason: string): number =>
  countOf(readJson(gatesPath(paths, session, agent), shape) ?? {}, reason);

/** Counts one hold if the allowance permits it; under the lock, so that parallel events cannot overdraw it. */
export function consumeBlock(
  paths: Paths,
  session: string,
  agent: string,
  reason: string,
  allowance: number,
): boolean {
  let taken = false;
  updateJson(gatesPath(paths, session, agent), shape, (stored = {}) => {
    const holds = countOf(stored, reason);
    taken = holds < allowance;
    return taken ? { ...stored, [reason]: holds + 1 } : undefined;
  });
  return taken;
}

/** A reason may be called like something every object has: `constructor`. */
const countOf = (stored: Record<string, number>, reason: string): number =>
  Object.hasOwn(stored, reason) ? (stored[reason] ?? 0) : 0;
