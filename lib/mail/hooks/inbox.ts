// Mail reaches its reader at session start, with a prompt, before a tool call and before stopping; an idle session is woken for it.
// Only hooks that the client waits for deliver, one after another, so that one sender's messages are read in order. The delivery
// contract is in store/inbox.ts.

import { unlessLocked } from "../../core/lock.ts";
import { noteProblem } from "../../core/process.ts";
import { type Context, type Mailbox, mailboxOf, runsInAnotherClient } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import * as delivery from "../deliver.ts" with { loading: "lazy" };
import type { Moment } from "../deliver.ts";
import { hasQueued, hasUrgent, inboxStamp } from "../store/inbox.ts";
import { inboxPath } from "../store/mailbox-files.ts";
import {
  appendUnconfirmed,
  awaitListed,
  beginTurn,
  countRenewals,
  endTurn,
  isWatchFile,
  type MailMark,
  markListed,
  readMailMark,
  removeSessionFiles,
  renewWatch,
  takeUnconfirmed,
  writeMailMark,
} from "../store/session-files.ts";
import { isWatchedMail, touchTrigger } from "../store/wake-triggers.ts";

/** Less than the client's limit, so that the texts of other features fit as well. */
export const MAIL_ROOM = 8_000;
/** Except at startup the lead also gets roster and tasks back, within 2,500 tokens together. */
const ROOM_BESIDE_ROSTER = 4_500;
/** The client shows what eight stop hooks in a row say, and drops the ninth. */
const STOPS_SHOWN = 8;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  const watched = mailbox && canWake(ctx) ? delivery.watchedFiles(ctx, mailbox) : [];
  // From the start, also without a mailbox: a session that creates or joins a team later is woken as well.
  const watchFile = ctx.entrypoint && canWake(ctx) ? renewWatch(ctx.paths, ctx.input.session_id) : undefined;
  const watch = watchList(watchFile, watched);
  if (!mailbox) return { watch };
  if (ctx.input.source !== "compact") {
    requeueUnconfirmed(ctx, mailbox);
    endTurn(ctx.paths, ctx.input.session_id);
  }
  writeMailMark(ctx.paths, ctx.input.session_id, { watched: watched[0] });
  const room = mailbox.isLead && ctx.input.source !== "startup" ? ROOM_BESIDE_ROSTER : MAIL_ROOM;
  return { ...deliver(ctx, mailbox, "start", room)?.outcome, watch };
};

/** Also follows a wake-up: its text begins the turn, and the mail comes here. */
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  requeueUnconfirmed(ctx, mailbox);
  const isWoken = canWake(ctx) && beginTurn(ctx.paths, ctx.input.session_id);
  return deliver(ctx, mailbox, isWoken ? "push" : "prompt")?.outcome;
};

/** Cheap while nothing changed: compares the inbox's stamp with the last one. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox || ctx.pause) return;
  const { session_id: session, tool_use_id: call = "" } = ctx.input;
  const mark = readMailMark(ctx.paths, session);
  const looked = inboxStamp(ctx.paths, mailbox.team, mailbox.agent);
  if (looked === (mark.looked ?? "")) return;
  const mail = deliver(ctx, mailbox, "tool");
  if (!mail && hasMail(ctx, mailbox)) return; // it had to wait: look again at the next call
  writeMailMark(ctx.paths, session, { ...askToWatch(ctx, mailbox, mark), looked });
  if (mail) appendUnconfirmed(ctx.paths, session, { call, ids: mail.ids });
  return mail?.outcome;
};

/** A mailbox that the tool just gave to this session is watched before the turn is over. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  const mark = readMailMark(ctx.paths, ctx.input.session_id);
  const next = askToWatch(ctx, mailbox, mark);
  if (next !== mark) writeMailMark(ctx.paths, ctx.input.session_id, next);
};

/** As context and not as a denial: either lets the agent go on, but after a denial the later gates would not run. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  const { paths, input } = ctx;
  endTurn(paths, input.session_id); // before looking for mail: what comes later finds an idle session, and wakes it
  takeUnconfirmed(paths, input.session_id); // the turn went on after those calls, so their mail was shown
  const mark = readMailMark(paths, input.session_id);
  const stops = input.stop_hook_active ? (mark.stops ?? 0) + 1 : 0;
  const mail = stops < STOPS_SHOWN ? deliver(ctx, mailbox, "stop") : undefined;
  if (mail && canWake(ctx)) beginTurn(paths, input.session_id);
  const next = mail ? askToWatch(ctx, mailbox, mark) : renewBeforeIdle(ctx, mailbox, mark);
  if (next !== mark || stops !== (mark.stops ?? 0))
    writeMailMark(paths, input.session_id, { ...next, stops });
  return mail?.outcome;
};

/** Turns that end without a Stop: by an error, or interrupted, which only the later idle prompt shows. */
export const stopFailure: Handler<typeof events.StopFailure> = (ctx) => endWithoutStop(ctx);
export const notification: Handler<typeof events.Notification> = (ctx) =>
  ctx.input.notification_type === "idle_prompt" ? endWithoutStop(ctx) : undefined;

function endWithoutStop(ctx: Context): void {
  const mailbox = mailboxOf(ctx);
  if (!mailbox) return;
  requeueUnconfirmed(ctx, mailbox);
  endTurn(ctx.paths, ctx.input.session_id);
  if (isWorthWaking(ctx, mailbox)) touchTrigger(ctx.paths, mailbox.team, mailbox.agent);
}

/** hooks.json has two entries for the watch file: one answers with the list of files to watch, one may wake the session. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  const path = ctx.input.file_path;
  if (ctx.record?.endedAt) return; // a session's files are removed at its end, which is a change too
  const mailbox = mailboxOf(ctx);
  if (!mailbox || !canWake(ctx)) return;
  if (isWatchFile(path))
    return ctx.entry === undefined ? listWatched(ctx, mailbox, path) : wakeAfterListing(ctx, mailbox, path);
  // Marking mail as shown changes the inbox too: then nothing waits.
  if (isWatchedMail(path) && isWorthWaking(ctx, mailbox)) return delivery.wake(ctx, mailbox);
};

/** In the synchronous entry: the client does not read the list from a hook that can wake. */
function listWatched(ctx: Context, mailbox: Mailbox, watchFile: string): Outcome | undefined {
  const watched = delivery.watchedFiles(ctx, mailbox);
  if (watched.length === 0 || countRenewals(watchFile) === 0) return undefined;
  const mark = readMailMark(ctx.paths, ctx.input.session_id);
  if (mark.watched !== watched[0])
    writeMailMark(ctx.paths, ctx.input.session_id, { ...mark, watched: watched[0] });
  return { watch: watchList(watchFile, watched), after: () => markListed(watchFile) };
}

/** The client drops a change that it was about to report when its list is replaced: so look again after that. */
function wakeAfterListing(ctx: Context, mailbox: Mailbox, watchFile: string): Outcome | undefined {
  if (countRenewals(watchFile) === 0) return undefined;
  const wake = () => (isWorthWaking(ctx, mailbox) ? delivery.wake(ctx, mailbox) : undefined);
  const woken = wake();
  if (!woken) awaitListed(watchFile);
  return woken ?? wake();
}

export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const mailbox = mailboxOf(ctx);
  if (mailbox) requeueUnconfirmed(ctx, mailbox);
  if (ctx.input.reason === "resume" || runsInAnotherClient(ctx)) return;
  removeSessionFiles(ctx.paths, ctx.input.session_id);
};

// The client's watch of a mailbox: asked for when a session starts or gets its mailbox, renewed before the session goes idle

/** The client acts only on a list that differs from the last one: every second list names its last file twice. */
const watchList = (watchFile: string | undefined, watched: string[]): string[] =>
  watchFile === undefined
    ? watched
    : [watchFile, ...watched, ...(countRenewals(watchFile) % 2 === 0 ? watched.slice(-1) : [])];

/**
 * Before a session goes idle. Our own writes may have cost the client its watch of the inbox, which matters where a person writes
 * into it by hand. The trigger is touched again for mail that stays, since its first touch found the session at work.
 */
function renewBeforeIdle(ctx: Context, mailbox: Mailbox, mark: MailMark): MailMark {
  if (!canWake(ctx)) return mark;
  const { team, agent } = mailbox;
  if (isWorthWaking(ctx, mailbox)) touchTrigger(ctx.paths, team, agent);
  const renewed = inboxStamp(ctx.paths, team, agent);
  if (renewed === mark.renewed) return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, renewed, asked: inboxPath(ctx.paths, team, agent) };
}

/** For a mailbox that a session got after its start: asks the client once to watch it. */
function askToWatch(ctx: Context, { team, agent }: Mailbox, mark: MailMark): MailMark {
  const inbox = inboxPath(ctx.paths, team, agent);
  if (!canWake(ctx) || mark.watched === inbox || mark.asked === inbox) return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, asked: inbox };
}

// Delivery

/** With `-p` FileChanged fires too, but the client ignores what its hook says: there PreToolUse looks for mail instead. */
const canWake = ({ settings, entrypoint, input }: Context): boolean =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli" && input.session_id !== "";

/** The mail of a paused agent waits: none is delivered and none wakes it. */
const hasMail = (ctx: Context, { team, agent }: Mailbox): boolean =>
  !ctx.pause && hasQueued(ctx.paths, team, agent, ctx.now);

/** What its sender marked as routine comes with the next turn. */
const isWorthWaking = (ctx: Context, { team, agent }: Mailbox): boolean =>
  !ctx.pause && hasUrgent(ctx.paths, team, agent, ctx.now);

/** No event reports an interrupted turn: the next hook looks what became of the mail of its tool calls. */
function requeueUnconfirmed(ctx: Context, mailbox: Mailbox): void {
  const unconfirmed = takeUnconfirmed(ctx.paths, ctx.input.session_id);
  if (unconfirmed.length > 0) delivery.requeueUnconfirmed(ctx, mailbox, unconfirmed);
}

/** Looks without a lock first; the rest is loaded only when mail waits. */
function deliver(ctx: Context, mailbox: Mailbox, moment: Moment, room = MAIL_ROOM) {
  if (!ctx.settings["mail.deliver"].includes(moment)) return undefined;
  // At a stop mail makes the agent go on, which is as dear as waking it.
  const isDue = moment === "stop" ? isWorthWaking : hasMail;
  if (!isDue(ctx, mailbox)) return undefined;
  return unlessLocked(
    () => delivery.deliver(ctx, mailbox, moment, room),
    () => void noteProblem(`the mail of ${mailbox.agent} waits: its inbox is held by another process`),
  );
}
