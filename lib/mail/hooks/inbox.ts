// Mail reaches its reader at every boundary, and wakes the sleeping: at session start, with a prompt, before stopping, in
// mid-turn, and by a push that begins a turn. It is never held back and never shown twice, save after a crash. Only hooks that
// the client waits for hand it over, one after another: so what one sender wrote is read in the order in which it was written.

import { noteProblem } from "../../core/journal.ts";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import { type Mailbox, mailboxOf } from "../../hook/identity.ts";
import type { Outcome } from "../../hook/outcome.ts";
import { teamUpdates } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import * as delivery from "../deliver.ts" with { loading: "lazy" };
import type { Delivery, Moment } from "../deliver.ts";
import { askedFor, hasMail, isPushed, watchedAnew, watchedFile, watchList } from "../push.ts";
import { inboxStamp } from "../store/inbox.ts";
import { readMailMark, removeMailMark, writeMailMark } from "../store/mail-marks.ts";
import {
  appendUnconfirmed,
  beginTurn,
  endTurn,
  removeWatch,
  takeUnconfirmed,
} from "../store/session-watch.ts";
import { isLocked } from "../store/slots.ts";
import { touchTrigger } from "../store/wake-triggers.ts";
import { howToAnswer, MAIL_ROOM } from "../text.ts";

/** After a compaction and the like the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row have to say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  const watched = mailbox && isPushed(ctx) ? delivery.watchedBy(ctx, mailbox) : [];
  const watch = watchList(watchedFile(ctx), watched);
  if (!mailbox) return { watch };
  if (ctx.input.source !== "compact") {
    settle(ctx, mailbox);
    endTurn(ctx.paths, ctx.input.session_id);
  }
  writeMailMark(ctx.paths, ctx.input.session_id, { watched: watched[0] });
  const room = mailbox.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...asContext(mailbox, deliver(ctx, mailbox, "start", room)), watch };
};

/** Also the hook that follows a push: its words begin the turn, and the mail comes here. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  settle(ctx, mailbox);
  const isWoken = isPushed(ctx) && beginTurn(ctx.paths, ctx.input.session_id);
  const delivery = deliver(ctx, mailbox, isWoken ? "push" : "prompt");
  return asContext(mailbox, delivery, isWoken && delivery ? answering(delivery) : []);
};

/** One look at the inbox's age; what had to wait is looked at again. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  const mark = readMailMark(ctx.paths, ctx.input.session_id);
  const looked = inboxStamp(ctx.paths, mailbox.team, mailbox.agent);
  if (looked === (mark.looked ?? "")) return;
  const delivery = deliver(ctx, mailbox, "tool");
  if (!delivery && hasMail(ctx, mailbox)) return;
  writeMailMark(ctx.paths, ctx.input.session_id, { ...askedFor(ctx, mailbox, mark), looked });
  if (delivery)
    appendUnconfirmed(ctx.paths, ctx.input.session_id, {
      call: ctx.input.tool_use_id ?? "",
      ids: delivery.ids,
    });
  return asContext(mailbox, delivery);
};

/** A turn that was broken off says nothing of its end: whoever comes next looks what became of its mail. */
function settle(ctx: Context, mailbox: Mailbox): void {
  const told = takeUnconfirmed(ctx.paths, ctx.input.session_id);
  if (told.length > 0) delivery.recover(ctx, mailbox, told);
}

/** A mailbox taken by the tool that just ran: watched before the turn is over. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  const mark = readMailMark(ctx.paths, ctx.input.session_id);
  const next = askedFor(ctx, mailbox, mark);
  if (next !== mark) writeMailMark(ctx.paths, ctx.input.session_id, next);
};

/** As context and not as a denial: the agent goes on all the same, and the gates behind it still have their say. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  const { paths, input } = ctx;
  // Before the look: what comes after it finds a session that sleeps, and wakes it.
  endTurn(paths, input.session_id);
  takeUnconfirmed(paths, input.session_id); // the turn went on to its end, and with it what its calls brought
  const mark = readMailMark(paths, input.session_id);
  const stops = input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  const delivery = stops < STOPS_SHOWN ? deliver(ctx, mailbox, "stop") : undefined;
  if (delivery && isPushed(ctx)) beginTurn(paths, input.session_id);
  const next = delivery ? askedFor(ctx, mailbox, mark) : watchedAnew(ctx, mailbox, mark);
  if (next !== mark || stops !== (mark.stops ?? 0))
    writeMailMark(paths, input.session_id, { ...next, stops });
  return delivery && asContext(mailbox, delivery, answering(delivery));
};

/** A turn that ended without a stop: by an error, or as only a prompt that nobody answers shows. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => turnOver(ctx);
export const notification: Handler<typeof events.Notification> = (ctx) =>
  ctx.input.notification_type === "idle_prompt" ? turnOver(ctx) : undefined;

function turnOver(ctx: Context): void {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  settle(ctx, mailbox);
  endTurn(ctx.paths, ctx.input.session_id);
  if (hasMail(ctx, mailbox)) touchTrigger(ctx.paths, mailbox.team, mailbox.agent);
}

export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (mailbox) settle(ctx, mailbox);
  if (ctx.input.reason === "resume") return;
  removeMailMark(ctx.paths, ctx.input.session_id);
  removeWatch(ctx.paths, ctx.input.session_id);
};

const answering = ({ from }: Delivery) => (from ? [howToAnswer(from)] : []);

/** A look without a lock; what it takes to deliver is loaded only when something waits. */
function deliver(ctx: Context, mailbox: Mailbox, moment: Moment, room = MAIL_ROOM): Delivery | undefined {
  if (!ctx.settings["mail.deliver"].includes(moment)) return undefined;
  if (!hasMail(ctx, mailbox)) return undefined;
  try {
    return delivery.deliver(ctx, mailbox, moment, room);
  } catch (error) {
    if (!isLocked(error)) throw error;
    noteProblem(`the mail of ${mailbox.agent} waits: its inbox is held by another process`);
    return undefined;
  }
}

/** Under the heading it shares with whatever else the team has to say. */
function asContext(mailbox: Mailbox, delivery: Delivery | undefined, ending: string[] = []): Outcome {
  if (!delivery) return {};
  const { journal, after } = delivery;
  const text = [delivery.text, ...ending].join("\n\n");
  const under = teamUpdates(mailbox.agent);
  return { context: { name: "mail", text, under, where: "swarm inbox", priority: 100 }, journal, after };
}

export { fileChanged } from "../push.ts";
