// A member's end: its mark in the team's config and its word to the lead. Loaded only inside a team.

import { newId } from "../../core/journal.ts";
import { noteProblem } from "../../core/problems.ts";
import type { Context } from "../../hook/context.ts";
import { isTaken, leadOf, type Mailbox } from "../../hook/mailbox.ts";
import type { Outcome } from "../../hook/outcome.ts";
import { dropMessage, mergeMail } from "../../mail/store/inbox.ts";
import { mailLimits } from "../../mail/store/limits.ts";
import { dropEndMark } from "../store/end-marks.ts";
import { memberOf, mergeEndMarks, readTeam } from "../store/team.ts";
import { farewell, seconds } from "./text.ts";

/** Nothing is lost when it is over: what is spooled is merged by the next process that holds the lock. */
const MERGE_WAIT_MS = 500;

/**
 * Both are spooled at once, without a lock: when a whole team ends, everybody wants the same two files, and the client gives its
 * last hooks little time.
 */
export function unregisterMember(ctx: Context, mailbox: Mailbox, reason: string): Outcome | undefined {
  const team = readTeam(ctx.paths, mailbox.team);
  const self = team && memberOf(team, mailbox.agent);
  if (!team || !self || isTaken(self, ctx)) return undefined;
  const lead = leadOf(team);
  dropEndMark(ctx.paths, mailbox.team, {
    ...{ ended: mailbox.agent, at: seconds(ctx.now), pid: self.pid, session: self.sessionId },
  });
  if (team.status !== "suspended") sayGoodbye(ctx, mailbox, lead);
  return {
    journal: [{ what: "member-ended", ...mailbox, reason }],
    after: () => {
      mergeMail(ctx.paths, mailbox.team, lead, { waitMs: MERGE_WAIT_MS });
      mergeEndMarks(ctx.paths, mailbox.team, { waitMs: MERGE_WAIT_MS, durable: false });
    },
  };
}

function sayGoodbye(ctx: Context, { team, agent }: Mailbox, lead: string): void {
  const message = {
    id: newId(ctx.now),
    from: agent,
    text: farewell(agent),
    timestamp: ctx.now.toISOString(),
    read: false,
    kind: "system",
  };
  try {
    dropMessage(ctx.paths, team, lead, message, mailLimits(ctx.settings));
  } catch (error) {
    noteProblem(`${agent} could not say goodbye: ${(error as Error).message}`); // its end is written down all the same
  }
}
