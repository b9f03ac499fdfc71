// Mail reaches its reader at every boundary, and wakes the sleeping: at session start, with a prompt, before stopping, in
// mid-turn where nothing watches, and by push. It is never held back and never shown twice, save after a crash.
import { stateOf } from "../parse/message.ts";
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { teamUpdates } from "../run/reminder.ts";
import { type Seat, seatOf } from "../run/seat.ts";
import { inboxStamp, readInbox } from "../store/inbox.ts";
import {
  type MailMark,
  readMailMark,
  removeMailMark,
  writeMailMark,
  writeSeat,
} from "../store/mail-marks.ts";
import { inboxPath } from "../store/paths.ts";
import type { Delivery, Moment } from "./inbox/deliver.ts";
import { howToAnswer, MAIL_ROOM } from "./inbox/text.ts";

/** After a compaction and the like the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row have to say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? lazy().watchedBy(ctx, seat) : undefined;
  const watch = [...seatFile(ctx, seat), ...(watched ? [watched] : [])];
  if (!seat) return { watch };
  writeMailMark(ctx.places, ctx.input.session_id, { watched });
  const room = seat.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...asContext(seat, deliver(ctx, seat, "start", room)), watch };
};

/** Watched from the start, also without a seat: who makes or joins a team later is woken as well. */
const seatFile = (ctx: Context, seat: Seat | undefined) =>
  ctx.entrypoint && isPushed(ctx) && ctx.input.session_id
    ? [writeSeat(ctx.places, ctx.input.session_id, seat ?? {})]
    : [];

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const seat = seatOf(ctx);
  return seat && asContext(seat, deliver(ctx, seat, "prompt"));
};

/** Only where nothing watches, and then one look at the inbox's age. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const seat = seatOf(ctx);
  if (!seat) return;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  const looked = inboxStamp(ctx.places, seat.team, seat.agent);
  if (isWatched(ctx, seat, mark) || looked === (mark.looked ?? "")) return;
  writeMailMark(ctx.places, ctx.input.session_id, { ...askedFor(ctx, seat, mark), looked });
  return asContext(seat, deliver(ctx, seat, "tool"));
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
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  const stops = ctx.input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  const next = askedFor(ctx, seat, mark);
  if (next !== mark || stops !== (mark.stops ?? 0))
    writeMailMark(ctx.places, ctx.input.session_id, { ...next, stops });
  const delivery = stops < STOPS_SHOWN ? deliver(ctx, seat, "stop") : undefined;
  return delivery && asContext(seat, delivery, [howToAnswer(delivery.from)]);
};

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
  if (/[\\/]seat\.json$/.test(ctx.input.file_path)) return seated(ctx, ctx.input.file_path);
  if (!/[\\/]inboxes[\\/][^\\/]+\.json$/.test(ctx.input.file_path)) return;
  const seat = seatOf(ctx);
  const delivery = seat && isPushed(ctx) ? deliver(ctx, seat, "push") : undefined;
  if (!seat || !delivery) return;
  const { text, from, journal, after } = delivery;
  // The client puts these words into a reminder of its own.
  return { wake: `# ${teamUpdates(seat.agent)}\n\n${text}\n\n${howToAnswer(from)}`, journal, after };
};

/** By the second, synchronous entry in hooks.json: what a waking hook prints the client does not read. */
function seated(ctx: Context, file: string): Outcome | undefined {
  const seat = seatOf(ctx);
  const watched = seat && isPushed(ctx) ? lazy().watchedBy(ctx, seat) : undefined;
  if (!watched) return undefined;
  const mark = readMailMark(ctx.places, ctx.input.session_id);
  writeMailMark(ctx.places, ctx.input.session_id, { ...mark, watched });
  return { watch: [file, watched] };
}

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

/** Under the heading it shares with whatever else the team has to say. */
function asContext(seat: Seat, delivery: Delivery | undefined, ending: string[] = []): Outcome {
  if (!delivery) return {};
  const { journal, after } = delivery;
  const text = [delivery.text, ...ending].join("\n\n");
  const under = teamUpdates(seat.agent);
  return { context: { name: "mail", text, under, where: "swarm inbox", priority: 100 }, journal, after };
}
