// The last words of a teammate that stops reach the lead like mail, once: nothing a teammate concluded is lost,
// whatever it forgot to send.

import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import { mailboxOf } from "../../hook/identity.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { isNative } from "../../teams/store/config.ts";
import * as reporting from "../last-report.ts" with { loading: "lazy" };

/** From this version on the client itself hands a native teammate's last words to the lead; 2.1.197 did not. */
const CLIENT_REPORTS_SINCE = "2.1.325";

export const stop: Handler<typeof events.Stop> = (ctx) => {
  const words = ctx.input.last_assistant_message?.trim();
  if (words) return fromNamed(ctx, words) ?? fromNative(ctx, words);
};

/** A turn that broke off is worth a word too: the lead may be waiting for it. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => {
  const error = typeof ctx.input.error === "string" ? ctx.input.error : "unknown";
  const words = ctx.input.last_assistant_message?.trim();
  const outcome = fromNamed(ctx, `The turn failed (${error}).${words ? ` ${words}` : ""}`);
  if (outcome) reporting.noteFailure(ctx);
  return outcome;
};

/** Also fires for the compaction, which is nobody. */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  const words = ctx.input.last_assistant_message?.trim();
  if (words && ctx.input.agent_type) return fromNative(ctx, words);
};

function fromNamed(ctx: Context, words: string): Outcome | undefined {
  const mailbox = mailboxOf(ctx);
  return mailbox && !mailbox.isLead ? reporting.reportFromNamed(ctx, mailbox, words) : undefined;
}

function fromNative(ctx: Context, words: string): Outcome | undefined {
  if (!ctx.clientVersion || !isBefore(ctx.clientVersion, CLIENT_REPORTS_SINCE)) return undefined;
  const { kind, team, agent } = ctx.identity;
  if ((kind !== "pane" && kind !== "in-process") || !team || !agent || !isNative(team)) return undefined;
  return reporting.reportFromNative(ctx, team, agent, words);
}

export function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
}
