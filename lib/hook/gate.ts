// The only way to block an agent from stopping. It cannot loop: each reason has an allowance per agent, a turn that already
// continues because of a stop hook is released, and so is an agent whose context is nearly full. Mail does not come through here:
// delivery is never limited.

import { contextUse } from "../context/store/window.ts";
import type { FileKind } from "../core/file-kind.ts";
import { readJson, updateJson, valueAt } from "../core/json.ts";
import { gatesPath, type Paths } from "../core/paths.ts";
import { someNumber, tableOf } from "../core/shape.ts";
import type { Base, Context } from "./context.ts";
import type { Outcome } from "./outcome.ts";

export const BLOCK_COUNTS: FileKind = {
  name: "blocks already used",
  path: "swarm/gates/<session>/",
  ends: "session",
};

export const USUAL_ALLOWANCE = 2;
/** No setting and no caller holds an agent back more often for one reason. */
export const MOST_HOLDS = 5;
export const RELEASE_AT_PERCENT = 95;

export interface Hold {
  /** Names the episode: `scratchpad:2026-02-20`, `tasks:7`. A new one has a new allowance. */
  reason: string;
  text: string;
  allowance?: number;
  /** The condition is checked by code, so it may be asked for again although the turn already continues. */
  insist?: boolean;
}

type Held = Context<Base & { stop_hook_active?: boolean; agent_transcript_path?: string }>;

export function blockOnce(ctx: Held, hold: Hold): Outcome | undefined {
  if (ctx.pause) return undefined; // it is to stop, whatever else was asked of it
  const { session_id, agent_id = "main", stop_hook_active = false } = ctx.input;
  const { reason, text, allowance = USUAL_ALLOWANCE, insist = false } = hold;
  if (stop_hook_active && !insist) return undefined; // the turn already continues because of a stop hook
  const denial = { deny: text, rule: reason };
  // A payload piped in by hand has no session to count in: then only the first stop of a turn can be held.
  if (!session_id) return stop_hook_active ? undefined : denial;
  const most = Math.min(allowance, stop_hook_active ? USUAL_ALLOWANCE : MOST_HOLDS);
  const holds = readJson(gatesPath(ctx.paths, session_id, agent_id), shape);
  if ((valueAt(holds, reason) ?? 0) >= most) return undefined;
  if ((contextUse(ctx, ctx.input)?.share ?? 0) >= RELEASE_AT_PERCENT) return undefined;
  return consumeBlock(ctx.paths, session_id, agent_id, reason, most) ? denial : undefined;
}

// How often each reason has held an agent back: one small file an agent.
const shape = tableOf(someNumber);

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
    const holds = valueAt(stored, reason) ?? 0;
    taken = holds < allowance;
    return taken ? { ...stored, [reason]: holds + 1 } : undefined;
  });
  return taken;
}
