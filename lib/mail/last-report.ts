// Handing last words over to the lead. Loaded only when there are any, of somebody who has a lead.

import { newId } from "../core/journal.ts";
import type { Context } from "../hook/context.ts";
import { isTaken, type Mailbox } from "../hook/identity.ts";
import type { Outcome } from "../hook/outcome.ts";
import { LEAD, leadOf, memberOf, readTeam } from "../teams/store/config.ts";
import { claimNotice } from "../teams/store/heartbeat.ts";
import { appendMessage } from "./store/inbox.ts";
import { mailLimits } from "./store/limits.ts";

const LONGEST_REPORT = 100_000;

export function reportFromNamed(ctx: Context, mailbox: Mailbox, words: string): Outcome | undefined {
  const roster = readTeam(ctx.paths, mailbox.team);
  const lead = leadOf(roster);
  if (!roster || mailbox.agent === lead || isTaken(memberOf(roster, mailbox.agent), ctx)) return undefined;
  // What was said in this very run keeps the turn going: these are not its last words.
  const goesOn = ctx.outcomes.some(({ context }) => context !== undefined);
  return goesOn ? undefined : handOver(ctx, mailbox.team, mailbox.agent, lead, words);
}

/** Whoever watches the team need not tell the lead of this turn again. */
export function noteFailure({ paths, record }: Context): void {
  if (!record?.team || !record.agent) return;
  const sign = record.turnStartedAt ?? record.startedAt;
  claimNotice(paths, record.team, record.agent, { state: "rate-limited", sign });
}

export const reportFromNative = (ctx: Context, team: string, agent: string, words: string): Outcome =>
  handOver(ctx, team, agent, LEAD, words);

function handOver(ctx: Context, team: string, from: string, lead: string, words: string): Outcome {
  const id = newId(ctx.now);
  const message = {
    id,
    from,
    text: `[report] ${words}`.slice(0, LONGEST_REPORT),
    summary: "report",
    timestamp: ctx.now.toISOString(),
    read: false,
    kind: "report",
  };
  appendMessage(ctx.paths, team, lead, message, { limits: mailLimits(ctx.settings) });
  return { journal: [{ what: "report", id, team, from, to: lead }] };
}
