// One delivery: claim under the lock, hand over, mark when the answer is out. Loaded only when something waits.
import { existsSync } from "node:fs";
import type { Context } from "../../run/context.ts";
import type { JournalNote } from "../../run/outcome.ts";
import { isTaken, type Seat } from "../../run/seat.ts";
import { claimMail, ensureInbox, markShown } from "../../store/inbox.ts";
import { inboxPath } from "../../store/paths.ts";
import { AFTERWARDS_MS } from "../../store/process-wide.ts";
import { inRoster, readRoster } from "../../store/roster.ts";
import { elapsedMs } from "../../store/stopwatch.ts";
import { type Batch, fitting, unread } from "./text.ts";

/** The moments of `mail.deliver`. */
export type Moment = "start" | "prompt" | "tool" | "stop" | "push";

export interface Delivery {
  text: string;
  /** Who wrote last: the one to answer. */
  from: string;
  journal: JournalNote[];
  /** To be called when the text is in the client's hands. */
  after: () => void;
}

export function deliver(ctx: Context, seat: Seat, moment: Moment, room: number): Delivery | undefined {
  if (isTaken(inRoster(readRoster(ctx.places, seat.team), seat.agent), ctx)) return undefined;
  const batch = claimMail(
    ctx.places,
    seat.team,
    seat.agent,
    {
      by: ctx.input.session_id,
      now: ctx.now,
      retentionDays: ctx.settings["mail.retention_days"],
      choose: (queued) => fitting(queued, room),
    },
    waiting(ctx),
  );
  if (batch.messages.length === 0) return undefined;
  return {
    text: unread(batch, room),
    from: batch.messages.at(-1)?.from ?? "",
    journal: [noteOf(batch, moment)],
    after: () => mark(ctx, seat, batch),
  };
}

const waiting = (ctx: Context) => ({ waitMs: Math.max(100, ctx.deadline - elapsedMs()) });

function mark(ctx: Context, { team, agent }: Seat, { messages }: Batch): void {
  const ids = new Set(messages.map((message) => message.id));
  markShown(
    ctx.places,
    team,
    agent,
    { ids, now: ctx.now, keepRead: ctx.settings["mail.keep_read"] },
    { waitMs: AFTERWARDS_MS },
  );
}

const noteOf = ({ messages, left }: Batch, moment: Moment): JournalNote => ({
  what: "mail-delivered",
  moment,
  ids: messages.map((message) => message.id),
  left,
});

/** The inbox the client shall watch: of a team that is there, and of nobody else's name. */
export function watchedBy(ctx: Context, { team, agent }: Seat): string | undefined {
  const roster = readRoster(ctx.places, team);
  if (!roster && !existsSync(inboxPath(ctx.places, team, agent))) return undefined;
  return isTaken(inRoster(roster, agent), ctx) ? undefined : ensureInbox(ctx.places, team, agent);
}
