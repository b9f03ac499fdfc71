// A member's end: its mark in the team's config and its word to the lead. Loaded only inside a team.
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { isTaken, leadOf, type Seat } from "../../run/seat.ts";
import { dropMessage, mergeMail } from "../../store/inbox.ts";
import { newId } from "../../store/journal.ts";
import { mailLimits } from "../../store/mail-limits.ts";
import { noteProblem } from "../../store/problems.ts";
import { memberOf, mergeEndMarks, readTeam } from "../../store/team.ts";
import { dropEndMark } from "../../store/team-spool.ts";
import { farewell, seconds } from "./words.ts";

/** Nothing is lost when it is over: what is spooled is merged by the next process that holds the lock. */
const MERGE_WAIT_MS = 500;

/**
 * Both are spooled at once, without a lock: when a whole team ends, everybody wants the same two files, and the client gives its
 * last hooks little time.
 */
export function signOff(ctx: Context, seat: Seat, reason: string): Outcome | undefined {
  const team = readTeam(ctx.places, seat.team);
  const self = team && memberOf(team, seat.agent);
  if (!team || !self || isTaken(self, ctx)) return undefined;
  const lead = leadOf(team);
  dropEndMark(ctx.places, seat.team, {
    ...{ ended: seat.agent, at: seconds(ctx.now), pid: self.pid, session: self.sessionId },
  });
  if (team.status !== "suspended") sayGoodbye(ctx, seat, lead);
  return {
    journal: [{ what: "member-ended", ...seat, reason }],
    after: () => {
      mergeMail(ctx.places, seat.team, lead, { waitMs: MERGE_WAIT_MS });
      mergeEndMarks(ctx.places, seat.team, { waitMs: MERGE_WAIT_MS, durable: false });
    },
  };
}

function sayGoodbye(ctx: Context, { team, agent }: Seat, lead: string): void {
  const message = {
    id: newId(ctx.now),
    from: agent,
    text: farewell(agent),
    timestamp: ctx.now.toISOString(),
    read: false,
    kind: "system",
  };
  try {
    dropMessage(ctx.places, team, lead, message, mailLimits(ctx.settings));
  } catch (error) {
    noteProblem(`${agent} could not say goodbye: ${(error as Error).message}`); // its end is written down all the same
  }
}
