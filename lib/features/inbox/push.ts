// The client's watch of an inbox: asked for when a session starts or takes its seat, renewed before it sleeps, and heard when
// something changes. It wakes whom mail waits for; the mail itself comes with the turn that begins.

import type { Context } from "../../run/context.ts";
import type * as events from "../../run/events.ts";
import type { Handler } from "../../run/hook.ts";
import type { Outcome } from "../../run/outcome.ts";
import { type Seat, seatOf } from "../../run/seat.ts";
import { ringBell } from "../../store/bells.ts";
import { hasQueued, inboxStamp } from "../../store/inbox.ts";
import { type MailMark, readMailMark, writeMailMark } from "../../store/mail-marks.ts";
import { inboxPath } from "../../store/paths.ts";
import { awaitListed, markListed, renewals, renewSeat } from "../../store/seats.ts";
import * as delivery from "./deliver.ts" with { loading: "lazy" };

/** Our own marking changes the file too: then nothing waits any more, and the session sleeps on. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  const path = ctx.input.file_path;
  if (ctx.record?.endedAt) return; // its files go when it ends, and that is a change too
  if (/[\\/]seat$/.test(path)) return ctx.entry === undefined ? seated(ctx, path) : lookedAfter(ctx, path);
  if (!/[\\/](inboxes[\\/][^\\/]+\.json|bells[\\/][^\\/]+)$/.test(path)) return;
  const seat = seatOf(ctx);
  if (seat && isPushed(ctx) && hasMail(ctx, seat)) return delivery.wake(ctx, seat);
};

/** By the synchronous entry in hooks.json: what a waking hook prints the client does not read. */
function seated(ctx: Context, file: string): Outcome | undefined {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? delivery.watchedBy(ctx, seat) : [];
  if (watched.length === 0 || renewals(file) === 0) return undefined;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  if (mark.watched !== watched[0])
    writeMailMark(ctx.places, ctx.input.session_id, { ...mark, watched: watched[0] });
  return { watch: watchList(file, watched), after: () => markListed(file) };
}

/** By the entry beside it: a change that the client was about to tell is forgotten with the list it stood on. */
function lookedAfter(ctx: Context, file: string): Outcome | undefined {
  const seat = seatOf(ctx);
  if (!seat || !isPushed(ctx) || renewals(file) === 0) return undefined;
  const wake = () => (hasMail(ctx, seat) ? delivery.wake(ctx, seat) : undefined);
  const atOnce = wake();
  if (!atOnce) awaitListed(file);
  return atOnce ?? wake();
}

/** Watched from the start, also without a seat: who makes or joins a team later is woken as well. */
export const seatFile = (ctx: Context) =>
  ctx.entrypoint && isPushed(ctx) && ctx.input.session_id
    ? renewSeat(ctx.places, ctx.input.session_id)
    : undefined;

/** The client looks anew only at a list unlike the last one: every second list names its last file twice. */
export const watchList = (seat: string | undefined, watched: string[]) =>
  seat === undefined ? watched : [seat, ...watched, ...(renewals(seat) % 2 === 0 ? watched.slice(-1) : [])];

/**
 * Before it sleeps. Our own writes may have cost the client its watch of the inbox, where a person writes by hand; and what was
 * left to a later moment rings again, since whoever rang first found the session at work.
 */
export function watchedAnew(ctx: Context, seat: Seat, mark: MailMark): MailMark {
  if (!isPushed(ctx) || !ctx.input.session_id) return mark;
  if (hasMail(ctx, seat)) ringBell(ctx.places, seat.team, seat.agent);
  const renewed = inboxStamp(ctx.places, seat.team, seat.agent);
  if (renewed === mark.renewed) return mark;
  renewSeat(ctx.places, ctx.input.session_id);
  return { ...mark, renewed, asked: inboxPath(ctx.places, seat.team, seat.agent) };
}

const isWatched = ({ places }: Context, { team, agent }: Seat, mark: MailMark) =>
  mark.watched === inboxPath(places, team, agent);

/** A seat that was taken in mid-session: the change of its file makes the client watch the inbox. Asked once. */
export function askedFor(ctx: Context, seat: Seat, mark: MailMark): MailMark {
  const asked = inboxPath(ctx.places, seat.team, seat.agent);
  if (!isPushed(ctx) || !ctx.input.session_id || isWatched(ctx, seat, mark) || mark.asked === asked)
    return mark;
  renewSeat(ctx.places, ctx.input.session_id);
  return { ...mark, asked };
}

/** In `-p` a file's change fires too, but nobody hears what its hook says: there PreToolUse looks instead. */
export const isPushed = ({ settings, entrypoint }: Context) =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli";

export const hasMail = ({ places, now }: Context, { team, agent }: Seat) =>
  hasQueued(places, team, agent, now);
