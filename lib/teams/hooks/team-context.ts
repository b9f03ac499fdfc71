// Team facts for those who cannot know them: whoever is about to spawn, a fresh subagent, and a lead that lost its memory.

import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import { type Mailbox, mailboxOf, sessionMailboxOf } from "../../hook/identity.ts";
import type { Handler } from "../../hook/run.ts";
import { isNative, LEAD } from "../store/config.ts";
import * as facts from "../team-facts.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "Agent" && ctx.input.tool_name !== "Task") return;
  const mailbox = seatIn(ctx);
  if (!mailbox) return;
  const text = facts.reminderFor(ctx, mailbox);
  return { context: { name: "team context", text, priority: 30 } };
};

/** A native teammate's turn starts with the same event; its team is the client's matter. */
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const mailbox = seatIn(ctx);
  const text = mailbox && facts.factsFor("subagent", ctx, mailbox);
  if (text) return { context: { name: "team context", text, where: "swarm status", priority: 30 } };
};

/** A fresh start has nothing to give back. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  if (!/^(compact|clear|resume)$/.test(ctx.input.source)) return;
  const mailbox = mailboxOf(ctx);
  const text = mailbox?.isLead ? facts.factsFor("lead", ctx, mailbox) : undefined;
  if (text) return { context: { name: "team role", text, where: "swarm status", priority: 90 } };
};

/** Seed 001: the team's name alone is enough here, and who has no name of its own is the lead. */
function seatIn(ctx: Context): Mailbox | undefined {
  const { team, agent } = ctx.identity;
  const unnamed = team && !agent && !isNative(team) ? { team, agent: LEAD, isLead: true } : undefined;
  return sessionMailboxOf(ctx) ?? unnamed;
}
