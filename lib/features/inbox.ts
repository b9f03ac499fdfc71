// Mail reaches its reader at every boundary, and wakes the sleeping: at session start, with a prompt, before stopping, in
// mid-turn where nothing watches, and by push. It is never held back and never shown twice, save after a crash.
import { stateOf } from "../parse/message.ts";
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { type Seat, seatOf } from "../run/seat.ts";
import { inboxStamp, readInbox } from "../store/inbox.ts";
import { readMailMark, removeMailMark, writeMailMark } from "../store/mail-marks.ts";
import { inboxPath } from "../store/paths.ts";
import type { Delivery, Moment } from "./inbox/deliver.ts";
import { asReminder, howToAnswer, MAIL_ROOM } from "./inbox/text.ts";

/** After a compaction and the like the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row have to say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const watched = isPushed(ctx) ? lazy().watchedBy(ctx, seat) : undefined;
  writeMailMark(ctx.places, ctx.input.session_id, { watched });
  const room = seat.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...asContext(deliver(ctx, seat, "start", room)), watch: watched ? [watched] : [] };
};

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const seat = seatOf(ctx);
  return seat && asContext(deliver(ctx, seat, "prompt"));
};

/** Only where nothing watches, and then one look at the inbox's age. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const { places } = ctx;
  const mark = readMailMark(places, ctx.input.session_id);
  const looked = inboxStamp(places, seat.team, seat.agent);
  if (mark.watched === inboxPath(places, seat.team, seat.agent) || looked === (mark.looked ?? "")) return;
  writeMailMark(places, ctx.input.session_id, { ...mark, looked });
  return asContext(deliver(ctx, seat, "tool"));
};

/** As context and not as a denial: the agent goes on all the same, and the gates behind it still have their say. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat || countStop(ctx) >= STOPS_SHOWN) return;
  const delivery = deliver(ctx, seat, "stop");
  return delivery && asContext(delivery, howToAnswer(delivery.from));
};

function countStop(ctx: Context<{ stop_hook_active: boolean } & Context["input"]>): number {
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  const stops = ctx.input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  if (stops !== (mark.stops ?? 0)) writeMailMark(ctx.places, ctx.input.session_id, { ...mark, stops });
  return stops;
}

/** Our own marking changes the file too: then nothing waits any more, and the session sleeps on. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  if (!/[\\/]inboxes[\\/][^\\/]+\.json$/.test(ctx.input.file_path)) return;
  const seat = seatOf(ctx);
  const delivery = seat && isPushed(ctx) ? deliver(ctx, seat, "push") : undefined;
  if (!delivery) return;
  const { text, from, journal, after } = delivery;
  // The client puts these words into a reminder of its own.
  return { wake: `${text}\n\n${howToAnswer(from)}`, journal, after };
};

export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  if (ctx.input.reason !== "resume") removeMailMark(ctx.places, ctx.input.session_id);
};

/** In `-p` a file's change fires too, but nobody hears what its hook says: there PreToolUse looks instead. */
const isPushed = ({ settings, entrypoint }: Context) =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli";

const lazy = () => require("./inbox/deliver.ts") as typeof import("./inbox/deliver.ts");

/** A look without a lock; what it takes to deliver is loaded only when something waits. */
function deliver(ctx: Context, seat: Seat, moment: Moment, room = MAIL_ROOM): Delivery | undefined {
  if (!ctx.settings["mail.deliver"].includes(moment)) return undefined;
  const mail = readInbox(ctx.places, seat.team, seat.agent);
  if (!mail.some((message) => stateOf(message, ctx.now) === "queued")) return undefined;
  return lazy().deliver(ctx, seat, moment, room);
}

function asContext(delivery: Delivery | undefined, ending?: string): Outcome {
  if (!delivery) return {};
  const { journal, after } = delivery;
  const text = asReminder(delivery.text) + (ending ? `\n${ending}` : "");
  return { context: { name: "mail", text, where: "swarm inbox", priority: 100 }, journal, after };
}
