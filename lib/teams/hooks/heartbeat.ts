// Signs of life: a member registers when it starts, is seen at most once a minute, and says goodbye. Silence makes it stale;
// dead it is only with proof, which the others' signs of life and the lead's next start look for.

import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import { mailboxOf, sessionMailboxOf } from "../../hook/identity.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { beatAndWatch } from "../member-alerts.ts" with { loading: "lazy" };
import { unregisterMember } from "../membership-events.ts" with { loading: "lazy" };
import { registerMember } from "../membership-events.ts" with { loading: "lazy" };
import { takeBeat } from "../store/heartbeat.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  return registerMember(ctx, mailbox);
};

/** Any event is a sign of life, a subagent's too; written down when the answer is out. */
export function beat(ctx: Context): Outcome | void {
  const mailbox = sessionMailboxOf(ctx);
  const throttleMs = ctx.settings["heartbeat.throttle_s"] * 1000;
  if (!mailbox || !takeBeat(ctx.paths, mailbox.team, mailbox.agent, ctx.now, throttleMs)) return;
  return { after: () => beatAndWatch(ctx, mailbox, throttleMs) };
}

/** `clear` and `resume` end nothing. The lead's own end is the teammates feature's matter. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const { reason } = ctx.input;
  const mailbox = reason === "clear" || reason === "resume" ? undefined : mailboxOf(ctx);
  if (!mailbox || mailbox.isLead) return;
  return unregisterMember(ctx, mailbox, reason);
};
