// Mail reaches its reader at every boundary, and wakes the sleeping: at session start, with a prompt, before stopping, in
// mid-turn, and by a push that begins a turn. It is never held back and never shown twice, save after a crash. Only hooks that
// the client waits for hand it over, one after another: so what one sender wrote is read in the order in which it was written.
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { teamUpdates } from "../run/reminder.ts";
import { type Seat, seatOf } from "../run/seat.ts";
import { ringBell } from "../store/bells.ts";
import { hasQueued, inboxStamp } from "../store/inbox.ts";
import { type MailMark, readMailMark, removeMailMark, writeMailMark } from "../store/mail-marks.ts";
import { inboxPath } from "../store/paths.ts";
import {
  awaitListed,
  beginTurn,
  endTurn,
  markListed,
  removeSeat,
  renewals,
  writeSeat,
} from "../store/seats.ts";
import type { Delivery, Moment } from "./inbox/deliver.ts";
import { howToAnswer, MAIL_ROOM } from "./inbox/text.ts";

/** After a compaction and the like the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row have to say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? lazy().watchedBy(ctx, seat) : [];
  const watch = watchList(seatFile(ctx, seat), watched);
  if (!seat) return { watch };
  if (ctx.input.source !== "compact") endTurn(ctx.places, ctx.input.session_id);
  writeMailMark(ctx.places, ctx.input.session_id, { watched: watched[0] });
  const room = seat.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...asContext(seat, deliver(ctx, seat, "start", room)), watch };
};

/** Watched from the start, also without a seat: who makes or joins a team later is woken as well. */
const seatFile = (ctx: Context, seat: Seat | undefined) =>
  ctx.entrypoint && isPushed(ctx) && ctx.input.session_id
    ? writeSeat(ctx.places, ctx.input.session_id, seat ?? {})
    : undefined;

/** The client looks anew only at a list unlike the last one: every second list names its last file twice. */
const watchList = (seat: string | undefined, watched: string[]) =>
  seat === undefined ? watched : [seat, ...watched, ...(renewals(seat) % 2 === 0 ? watched.slice(-1) : [])];

/** Also the hook that follows a push: its words begin the turn, and the mail comes here. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const isWoken = isPushed(ctx) && beginTurn(ctx.places, ctx.input.session_id);
  const delivery = deliver(ctx, seat, isWoken ? "push" : "prompt");
  return asContext(seat, delivery, isWoken && delivery ? [howToAnswer(delivery.from)] : []);
};

/** One look at the inbox's age; what had to wait is looked at again. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  const looked = inboxStamp(ctx.places, seat.team, seat.agent);
  if (looked === (mark.looked ?? "")) return;
  const delivery = deliver(ctx, seat, "tool");
  if (!delivery && hasMail(ctx, seat)) return;
  writeMailMark(ctx.places, ctx.input.session_id, { ...askedFor(ctx, seat, mark), looked });
  return asContext(seat, delivery);
};

/** A seat taken by the tool that just ran: watched before the turn is over. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  const next = askedFor(ctx, seat, mark);
  if (next !== mark) writeMailMark(ctx.places, ctx.input.session_id, next);
};

/** As context and not as a denial: the agent goes on all the same, and the gates behind it still have their say. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const { places, input } = ctx;
  // Before the look: what comes after it finds a session that sleeps, and wakes it.
  endTurn(places, input.session_id);
  const mark = readMailMark(places, input.session_id);
  const stops = input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  const delivery = stops < STOPS_SHOWN ? deliver(ctx, seat, "stop") : undefined;
  if (delivery && isPushed(ctx)) beginTurn(places, input.session_id);
  const next = delivery ? askedFor(ctx, seat, mark) : watchedAnew(ctx, seat, mark);
  if (next !== mark || stops !== (mark.stops ?? 0))
    writeMailMark(places, input.session_id, { ...next, stops });
  return delivery && asContext(seat, delivery, [howToAnswer(delivery.from)]);
};

/** A turn that ended without a stop: by an error, or as only a prompt that nobody answers shows. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => turnOver(ctx);
export const notification: Handler<typeof events.Notification> = (ctx) =>
  ctx.input.notification_type === "idle_prompt" ? turnOver(ctx) : undefined;

function turnOver(ctx: Context): void {
  const seat = seatOf(ctx);
  if (!seat) return;
  endTurn(ctx.places, ctx.input.session_id);
  if (hasMail(ctx, seat)) ringBell(ctx.places, seat.team, seat.agent);
}

/**
 * Before it sleeps. Our own writes may have cost the client its watch of the inbox, where a person writes by hand; and what was
 * left to a later moment rings again, since whoever rang first found the session at work.
 */
function watchedAnew(ctx: Context, seat: Seat, mark: MailMark): MailMark {
  if (!isPushed(ctx) || !ctx.input.session_id) return mark;
  if (hasMail(ctx, seat)) ringBell(ctx.places, seat.team, seat.agent);
  const renewed = inboxStamp(ctx.places, seat.team, seat.agent);
  if (renewed === mark.renewed) return mark;
  writeSeat(ctx.places, ctx.input.session_id, seat);
  return { ...mark, renewed, asked: inboxPath(ctx.places, seat.team, seat.agent) };
}

const isWatched = ({ places }: Context, { team, agent }: Seat, mark: MailMark) =>
  mark.watched === inboxPath(places, team, agent);

/** A seat that was taken in mid-session: the change of its file makes the client watch the inbox. Asked once. */
function askedFor(ctx: Context, seat: Seat, mark: MailMark): MailMark {
  const asked = inboxPath(ctx.places, seat.team, seat.agent);
  if (!isPushed(ctx) || !ctx.input.session_id || isWatched(ctx, seat, mark) || mark.asked === asked)
    return mark;
  writeSeat(ctx.places, ctx.input.session_id, seat);
  return { ...mark, asked };
}

/** Our own marking changes the file too: then nothing waits any more, and the session sleeps on. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  const path = ctx.input.file_path;
  if (/[\\/]seat\.json$/.test(path))
    return ctx.entry === undefined ? seated(ctx, path) : lookedAfter(ctx, path);
  if (!/[\\/](inboxes[\\/][^\\/]+\.json|bells[\\/][^\\/]+)$/.test(path)) return;
  const seat = seatOf(ctx);
  if (seat && isPushed(ctx) && hasMail(ctx, seat)) return lazy().wake(ctx, seat);
};

/** By the synchronous entry in hooks.json: what a waking hook prints the client does not read. */
function seated(ctx: Context, file: string): Outcome | undefined {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? lazy().watchedBy(ctx, seat) : [];
  if (watched.length === 0) return undefined;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  if (mark.watched !== watched[0])
    writeMailMark(ctx.places, ctx.input.session_id, { ...mark, watched: watched[0] });
  return { watch: watchList(file, watched), after: () => markListed(file) };
}

/** By the entry beside it: a change that the client was about to tell is forgotten with the list it stood on. */
function lookedAfter(ctx: Context, file: string): Outcome | undefined {
  const seat = seatOf(ctx);
  if (!seat || !isPushed(ctx)) return undefined;
  if (!hasMail(ctx, seat)) awaitListed(file);
  return hasMail(ctx, seat) ? lazy().wake(ctx, seat) : undefined;
}

export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  if (ctx.input.reason === "resume") return;
  removeMailMark(ctx.places, ctx.input.session_id);
  removeSeat(ctx.places, ctx.input.session_id);
};

/** In `-p` a file's change fires too, but nobody hears what its hook says: there PreToolUse looks instead. */
const isPushed = ({ settings, entrypoint }: Context) =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli";

const hasMail = ({ places, now }: Context, { team, agent }: Seat) => hasQueued(places, team, agent, now);

const lazy = () => require("./inbox/deliver.ts") as typeof import("./inbox/deliver.ts");

/** A look without a lock; what it takes to deliver is loaded only when something waits. */
function deliver(ctx: Context, seat: Seat, moment: Moment, room = MAIL_ROOM): Delivery | undefined {
  if (!ctx.settings["mail.deliver"].includes(moment)) return undefined;
  if (!hasMail(ctx, seat)) return undefined;
  return lazy().deliver(ctx, seat, moment, room);
}

/** Under the heading it shares with whatever else the team has to say. */
function asContext(seat: Seat, delivery: Delivery | undefined, ending: string[] = []): Outcome {
  if (!delivery) return {};
  const { journal, after } = delivery;
  const text = [delivery.text, ...ending].join("\n\n");
  const under = teamUpdates(seat.agent);
  return { context: { name: "mail", text, under, where: "swarm inbox", priority: 100 }, journal, after };
}
