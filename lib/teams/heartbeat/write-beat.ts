// The write behind a heartbeat, and the look at the others that goes with one of them. Loaded at most once a minute.
import type { Context } from "../../hook/context.ts";
import { isTaken, type Mailbox } from "../../hook/mailbox.ts";
import { takeBeat } from "../store/heartbeat.ts";
import { type Member, updateTeam } from "../store/team.ts";
import { seconds } from "./text.ts";
import { watchTeam } from "./watch.ts";

const WAIT_MS = 500;
/** The team's own throttle: however many members there are, one of them looks. No member has this name. */
const WATCH = "+watch";

export function beatAndWatch(ctx: Context, mailbox: Mailbox, throttleMs: number): void {
  writeBeat(ctx, mailbox, throttleMs);
  if (takeBeat(ctx.paths, mailbox.team, WATCH, ctx.now, throttleMs)) watchTeam(ctx, mailbox);
}

function writeBeat(ctx: Context, { team, agent }: Mailbox, throttleMs: number): void {
  const seen = (member: Member) =>
    member.name === agent && !isTaken(member, ctx) && isDue(member, ctx.now, throttleMs)
      ? { ...member, lastSeen: seconds(ctx.now) }
      : member;
  updateTeam(
    ctx.paths,
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
