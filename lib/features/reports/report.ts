// Handing last words over to the lead. Loaded only when there are any, of somebody who has a lead.
import type { Context } from "../../run/context.ts";
import { LEAD } from "../../run/identity.ts";
import type { Outcome } from "../../run/outcome.ts";
import { isTaken, leadOf, type Seat } from "../../run/seat.ts";
import { appendMessage } from "../../store/inbox.ts";
import { newId } from "../../store/journal.ts";
import { mailLimits } from "../../store/mail-limits.ts";
import { claimNotice } from "../../store/notices.ts";
import { inRoster, readRoster } from "../../store/roster.ts";

const LONGEST_REPORT = 100_000;

export function reportFromNamed(ctx: Context, seat: Seat, words: string): Outcome | undefined {
  const roster = readRoster(ctx.places, seat.team);
  const lead = leadOf(roster);
  if (!roster || seat.agent === lead || isTaken(inRoster(roster, seat.agent), ctx)) return undefined;
  // What was said in this very run keeps the turn going: these are not its last words.
  const goesOn = ctx.spoken.some(({ context }) => context !== undefined);
  return goesOn ? undefined : handOver(ctx, seat.team, seat.agent, lead, words);
}

/** Whoever watches the team need not tell the lead of this turn again. */
export function noteFailure({ places, record }: Context): void {
  if (!record?.team || !record.agent) return;
  const sign = record.turnStartedAt ?? record.startedAt;
  claimNotice(places, record.team, record.agent, { state: "rate-limited", sign });
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
  appendMessage(ctx.places, team, lead, message, { limits: mailLimits(ctx.settings) });
  return { journal: [{ what: "report", id, team, from, to: lead }] };
}
