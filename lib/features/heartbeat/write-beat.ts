// The write behind a heartbeat. Loaded at most once a minute.
import type { Context } from "../../run/context.ts";
import { isTaken, type Seat } from "../../run/seat.ts";
import { type Member, updateTeam } from "../../store/team.ts";
import { seconds } from "./words.ts";

const WAIT_MS = 500;

export function writeBeat(ctx: Context, { team, agent }: Seat, throttleMs: number): void {
  const seen = (member: Member) =>
    member.name === agent && !isTaken(member, ctx) && isDue(member, ctx.now, throttleMs)
      ? { ...member, lastSeen: seconds(ctx.now) }
      : member;
  updateTeam(
    ctx.places,
    team,
    (stored) => {
      const members = stored?.members.map(seen);
      return members?.some((member, at) => member !== stored?.members[at])
        ? { ...stored, members }
        : undefined;
    },
    { waitMs: WAIT_MS, durable: false },
  );
}

/** Also where the marker could not be written. */
const isDue = ({ lastSeen }: Member, now: Date, throttleMs: number) =>
  !(now.getTime() - Date.parse(lastSeen ?? "") < throttleMs);
