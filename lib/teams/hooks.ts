// A team's members: registered when they start, seen at most once a minute, unregistered when they end. A silent member is stale;
// dead it is only with proof. And the team's facts for agents that cannot know them.

import { whyNotSegment } from "../core/paths.ts";
import { type Context, endsSession, type Mailbox, mailboxOf, sessionMailboxOf } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { beatAndWatch, closeAnsweredPrompts } from "./alerts.ts" with { loading: "lazy" };
import { registerMember, unregisterMember } from "./registration.ts" with { loading: "lazy" };
import { isNative, LEAD } from "./store/config.ts";
import { takeBeat, waitingMembers } from "./store/liveness.ts";
import * as teamContext from "./team-context.ts" with { loading: "lazy" };

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  return mailbox && registerMember(ctx, mailbox);
};

/** Any event is a sign of life, a subagent's too; written after the answer. */
export function beat(ctx: Context): Outcome | void {
  const mailbox = sessionMailboxOf(ctx);
  if (!mailbox) return;
  const throttleMs = ctx.settings["heartbeat.throttle_s"] * 1000;
  if (!takeBeat(ctx.paths, mailbox, ctx.now, throttleMs)) return;
  return { after: () => beatAndWatch(ctx, mailbox, throttleMs) };
}

/** Before the lead's mail is delivered: whether the members that it believes to wait still do. */
export function userPromptSubmit(ctx: Context): Outcome | void {
  const mailbox = mailboxOf(ctx);
  const waiting = mailbox?.isLead ? waitingMembers(ctx.paths, mailbox.team) : [];
  if (mailbox && waiting.length > 0) closeAnsweredPrompts(ctx, mailbox.team, waiting);
  return beat(ctx);
}

/** The lead's own end is handled by the teammates domain. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox || mailbox.isLead || !endsSession(ctx)) return;
  return unregisterMember(ctx, mailbox, ctx.input.reason);
};

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "Agent" && ctx.input.tool_name !== "Task") return;
  const mailbox = mailboxByTeam(ctx);
  if (!mailbox) return;
  const text = teamContext.spawnReminder(ctx, mailbox);
  return { context: { name: "team context", text, priority: 30 } };
};

/** For a new subagent. A native teammate's turn starts with the same event; its team is the client's matter. */
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => {
  const mailbox = mailboxByTeam(ctx);
  const text = mailbox && teamContext.subagentSummary(ctx, mailbox);
  if (text) return { context: { name: "team context", text, where: "swarm status", priority: 30 } };
};

/** For a lead that has lost its memory: a fresh start has nothing to give back. */
export const leadContext: Handler<typeof events.SessionStart> = (ctx) => {
  if (!/^(compact|clear|resume)$/.test(ctx.input.source)) return;
  const mailbox = mailboxOf(ctx);
  const text = mailbox?.isLead ? teamContext.leadSummary(ctx, mailbox) : undefined;
  if (text) return { context: { name: "team role", text, where: "swarm status", priority: 90 } };
};

/** Claude Swarm hooks: the team's name alone is enough here; a session without a name of its own is the lead. */
function mailboxByTeam(ctx: Context): Mailbox | undefined {
  const { team, agent } = ctx.identity;
  const isUnnamed = team && !agent && !isNative(team) && !whyNotSegment(team);
  return sessionMailboxOf(ctx) ?? (isUnnamed ? { team, agent: LEAD, isLead: true } : undefined);
}
