// A member's end: its mark in the team's config and its word to the lead. Loaded only inside a team.
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { isTaken, leadOf, type Seat } from "../../run/seat.ts";
import { appendMessage } from "../../store/inbox.ts";
import { newId } from "../../store/journal.ts";
import { memberOf, readTeam, type Team, updateTeam } from "../../store/team.ts";
import { farewell, seconds } from "./words.ts";

/** When a whole team ends at once, everybody waits for the same two files: behind the answer, so that nothing else has to. */
const WAIT_MS = 2_500;

export function signOff(ctx: Context, seat: Seat, reason: string): Outcome | undefined {
  const team = readTeam(ctx.places, seat.team);
  const self = team && memberOf(team, seat.agent);
  if (!team || !self || isTaken(self, ctx)) return undefined;
  return {
    journal: [{ what: "member-ended", ...seat, reason }],
    after: () => {
      const leave = (stored: Team | undefined) => stored && withoutMe(ctx, stored, seat);
      if (team.status !== "suspended") sayGoodbye(ctx, seat, leadOf(team));
      updateTeam(ctx.places, seat.team, leave, { waitMs: WAIT_MS, durable: false });
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
  appendMessage(ctx.places, team, lead, message, { waitMs: WAIT_MS });
}

const withoutMe = (ctx: Context, team: Team, { agent }: Seat): Team => ({
  ...team,
  members: team.members.map((member) =>
    member.name === agent ? { ...member, status: "offline", lastSeen: seconds(ctx.now) } : member,
  ),
});
