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
import { inboxStamp } from "../store/inbox.ts";
import { readMailMark, removeMailMark, writeMailMark } from "../store/mail-marks.ts";
import { isLocked } from "../store/mailbox.ts";
import { noteProblem } from "../store/problems.ts";
import { appendTold, beginTurn, endTurn, removeSeat, takeTold } from "../store/seats.ts";
import * as delivery from "./inbox/deliver.ts" with { loading: "lazy" };
import type { Delivery, Moment } from "./inbox/deliver.ts";
import { askedFor, hasMail, isPushed, seatFile, watchedAnew, watchList } from "./inbox/push.ts";
import { howToAnswer, MAIL_ROOM } from "./inbox/text.ts";

/** After a compaction and the like the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row have to say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? delivery.watchedBy(ctx, seat) : [];
  const watch = watchList(seatFile(ctx), watched);
  if (!seat) return { watch };
  if (ctx.input.source !== "compact") {
    settle(ctx, seat);
    endTurn(ctx.places, ctx.input.session_id);
  }
  writeMailMark(ctx.places, ctx.input.session_id, { watched: watched[0] });
  const room = seat.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...asContext(seat, deliver(ctx, seat, "start", room)), watch };
};

/** Also the hook that follows a push: its words begin the turn, and the mail comes here. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  settle(ctx, seat);
  const isWoken = isPushed(ctx) && beginTurn(ctx.places, ctx.input.session_id);
  const delivery = deliver(ctx, seat, isWoken ? "push" : "prompt");
  return asContext(seat, delivery, isWoken && delivery ? answering(delivery) : []);
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
  if (delivery)
    appendTold(ctx.places, ctx.input.session_id, { call: ctx.input.tool_use_id ?? "", ids: delivery.ids });
  return asContext(seat, delivery);
};

/** A turn that was broken off says nothing of its end: whoever comes next looks what became of its mail. */
function settle(ctx: Context, seat: Seat): void {
  const told = takeTold(ctx.places, ctx.input.session_id);
  if (told.length > 0) delivery.recover(ctx, seat, told);
}

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
  takeTold(places, input.session_id); // the turn went on to its end, and with it what its calls brought
  const mark = readMailMark(places, input.session_id);
  const stops = input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  const delivery = stops < STOPS_SHOWN ? deliver(ctx, seat, "stop") : undefined;
  if (delivery && isPushed(ctx)) beginTurn(places, input.session_id);
  const next = delivery ? askedFor(ctx, seat, mark) : watchedAnew(ctx, seat, mark);
  if (next !== mark || stops !== (mark.stops ?? 0))
    writeMailMark(places, input.session_id, { ...next, stops });
  return delivery && asContext(seat, delivery, answering(delivery));
};

/** A turn that ended without a stop: by an error, or as only a prompt that nobody answers shows. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => turnOver(ctx);
export const notification: Handler<typeof events.Notification> = (ctx) =>
  ctx.input.notification_type === "idle_prompt" ? turnOver(ctx) : undefined;

function turnOver(ctx: Context): void {
  const seat = seatOf(ctx);
  if (!seat) return;
  settle(ctx, seat);
  endTurn(ctx.places, ctx.input.session_id);
  if (hasMail(ctx, seat)) ringBell(ctx.places, seat.team, seat.agent);
}

export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const seat = seatOf(ctx);
  if (seat) settle(ctx, seat);
  if (ctx.input.reason === "resume") return;
  removeMailMark(ctx.places, ctx.input.session_id);
  removeSeat(ctx.places, ctx.input.session_id);
};

const answering = ({ from }: Delivery) => (from ? [howToAnswer(from)] : []);

/** A look without a lock; what it takes to deliver is loaded only when something waits. */
function deliver(ctx: Context, seat: Seat, moment: Moment, room = MAIL_ROOM): Delivery | undefined {
  if (!ctx.settings["mail.deliver"].includes(moment)) return undefined;
  if (!hasMail(ctx, seat)) return undefined;
  try {
    return delivery.deliver(ctx, seat, moment, room);
  } catch (error) {
    if (!isLocked(error)) throw error;
    noteProblem(`the mail of ${seat.agent} waits: its inbox is held by another process`);
    return undefined;
  }
}

/** Under the heading it shares with whatever else the team has to say. */
function asContext(seat: Seat, delivery: Delivery | undefined, ending: string[] = []): Outcome {
  if (!delivery) return {};
  const { journal, after } = delivery;
  const text = [delivery.text, ...ending].join("\n\n");
  const under = teamUpdates(seat.agent);
  return { context: { name: "mail", text, under, where: "swarm inbox", priority: 100 }, journal, after };
}
