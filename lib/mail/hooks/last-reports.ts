// The last message of a teammate's turn reaches the lead as mail where the turn sent the lead none, so that nothing it concluded is
// lost when it forgets to send, and nothing is said twice.

import { isOlderVersion } from "../../core/text.ts";
import { type Context, isTaken, type Mailbox, mailboxOf } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { isNative, LEAD, leadOf, memberOf, readTeam } from "../../teams/store/config.ts";
import { claimNotice } from "../../teams/store/liveness.ts";
import { appendMessage, mailLimits, readAllMail, readInbox } from "../store/inbox.ts";
import { LONGEST_TEXT, type Message, newMessage, REPORT_MARK, REPORT_SUMMARY } from "../store/message.ts";

/** From this version on the client itself reports a native teammate's last message to the lead; 2.1.197 did not. */
const CLIENT_REPORTS_SINCE = "2.1.325";
/** Members that stop together all want the lead's inbox: what cannot be written at once is spooled, and no turn waits for it. A team
 *  of the client's own has no spool. */
const waitMs = (team: string) => (isNative(team) ? 2_000 : 0);

export const stop: Handler<typeof events.Stop> = (ctx) => {
  const last = ctx.input.last_assistant_message?.trim();
  if (last) return fromNamed(ctx, last, { unlessSent: true }) ?? fromNative(ctx, last);
};

/** A failed turn is reported too: the lead may be waiting for it. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => {
  const error = typeof ctx.input.error === "string" ? ctx.input.error : "unknown";
  const last = ctx.input.last_assistant_message?.trim();
  const outcome = fromNamed(ctx, `The turn failed (${error}).${last ? ` ${last}` : ""}`);
  const { team, agent, turnStartedAt, startedAt = "" } = ctx.record ?? {};
  // The lead has heard of this failure: the team's alerts need not repeat it.
  if (outcome && team && agent)
    claimNotice(ctx.paths, team, agent, { state: "rate-limited", sign: turnStartedAt ?? startedAt });
  return outcome;
};

/** Also fires for a compaction, which has no agent type. */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  const last = ctx.input.last_assistant_message?.trim();
  if (last && ctx.input.agent_type) return fromNative(ctx, last);
};

function fromNamed(ctx: Context, text: string, { unlessSent = false } = {}): Outcome | undefined {
  const mailbox = mailboxOf(ctx);
  if (!mailbox || mailbox.isLead) return undefined;
  const { team, agent } = mailbox;
  const roster = readTeam(ctx.paths, team);
  const lead = leadOf(roster);
  if (!roster || agent === lead || isTaken(memberOf(roster, agent), ctx)) return undefined;
  // An earlier handler's context keeps the turn going: this was not its last message.
  const goesOn = ctx.outcomes.some(({ context }) => context !== undefined);
  if (goesOn || (unlessSent && hasWritten(ctx, mailbox, lead))) return undefined;
  return report(ctx, team, agent, lead, text);
}

/** In this turn, and after the last that was shown to it from the lead: its last report may answer that. */
function hasWritten({ paths, record }: Context, { team, agent }: Mailbox, lead: string): boolean {
  const shown = readInbox(paths, team, agent).flatMap((one) =>
    one.from === lead ? (one.shownAt ?? []) : [],
  );
  const since = Math.max(...[record?.turnStartedAt ?? "", ...shown].map((at) => Date.parse(at) || 0));
  const isRecent = ({ timestamp }: Message) => Date.parse(timestamp) > since;
  const isMeant = (one: Message) =>
    one.from === agent && one.kind === undefined && one.routine !== true && isRecent(one);
  const mail = readInbox(paths, team, lead);
  // What a lead with much mail has read may be archived by now: the oldest of it goes first.
  const mayBeArchived = mail.every((one) => !one.read || isRecent(one));
  return mail.some(isMeant) || (mayBeArchived && readAllMail(paths, team, lead).some(isMeant));
}

function fromNative(ctx: Context, text: string): Outcome | undefined {
  if (!ctx.clientVersion || !isOlderVersion(ctx.clientVersion, CLIENT_REPORTS_SINCE)) return undefined;
  const { kind, team, agent } = ctx.identity;
  if ((kind !== "pane" && kind !== "in-process") || !team || !agent || !isNative(team)) return undefined;
  return report(ctx, team, agent, LEAD, text);
}

function report(ctx: Context, team: string, from: string, to: string, text: string): Outcome {
  const message = newMessage({
    from,
    text: `${REPORT_MARK}${text}`.slice(0, LONGEST_TEXT),
    at: ctx.now,
    summary: REPORT_SUMMARY,
    kind: "report",
  });
  appendMessage(ctx.paths, team, to, message, { waitMs: waitMs(team), limits: mailLimits(ctx.settings) });
  return { journal: [{ what: "report", id: message.id, team, from, to }] };
}
