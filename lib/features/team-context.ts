// Team facts for those who cannot know them: whoever is about to spawn, a fresh subagent, and a lead that lost its memory.

import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import { LEAD } from "../run/identity.ts";
import { type Seat, seatOf, sessionSeatOf } from "../run/seat.ts";
import { isNative } from "../store/native-teams.ts";
import * as facts from "./team-context/team-facts.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "Agent" && ctx.input.tool_name !== "Task") return;
  const seat = seatIn(ctx);
  if (!seat) return;
  const text = facts.reminderFor(ctx, seat);
  return { context: { name: "team context", text, priority: 30 } };
};

/** A native teammate's turn starts with the same event; its team is the client's matter. */
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const seat = seatIn(ctx);
  const text = seat && facts.factsFor("subagent", ctx, seat);
  if (text) return { context: { name: "team context", text, where: "swarm status", priority: 30 } };
};

/** A fresh start has nothing to give back. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!/^(compact|clear|resume)$/.test(ctx.input.source)) return;
  const seat = seatOf(ctx);
  const text = seat?.isLead ? facts.factsFor("lead", ctx, seat) : undefined;
  if (text) return { context: { name: "team role", text, where: "swarm status", priority: 90 } };
};

/** Seed 001: the team's name alone is enough here, and who has no name of its own is the lead. */
function seatIn(ctx: Context): Seat | undefined {
  const { team, agent } = ctx.identity;
  const unnamed = team && !agent && !isNative(team) ? { team, agent: LEAD, isLead: true } : undefined;
  return sessionSeatOf(ctx) ?? unnamed;
}
