// The client's watch of an inbox: asked for when a session starts or takes its mailbox, renewed before it sleeps, and heard when
// something changes. It wakes whom mail waits for; the mail itself comes with the turn that begins.

import { inboxPath } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { type Mailbox, mailboxOf } from "../hook/identity.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import * as delivery from "./deliver.ts" with { loading: "lazy" };
import { hasQueued, inboxStamp } from "./store/inbox.ts";
import { type MailMark, readMailMark, writeMailMark } from "./store/mail-marks.ts";
import { awaitListed, markListed, renewals, renewWatch } from "./store/session-watch.ts";
import { touchTrigger } from "./store/wake-triggers.ts";

/** Our own marking changes the file too: then nothing waits any more, and the session sleeps on. */
export const fileChanged: Handler<typeof events.FileChanged> = (ctx) => {
  const path = ctx.input.file_path;
  if (ctx.record?.endedAt) return; // its files go when it ends, and that is a change too
  if (/[\\/]seat$/.test(path)) return ctx.entry === undefined ? seated(ctx, path) : lookedAfter(ctx, path);
  if (!/[\\/](inboxes[\\/][^\\/]+\.json|bells[\\/][^\\/]+)$/.test(path)) return;
  const mailbox = mailboxOf(ctx);
  if (mailbox && isPushed(ctx) && hasMail(ctx, mailbox)) return delivery.wake(ctx, mailbox);
};

/** By the synchronous entry in hooks.json: what a waking hook prints the client does not read. */
function seated(ctx: Context, file: string): Outcome | undefined {
  const mailbox = mailboxOf(ctx);
  const watched = mailbox && isPushed(ctx) ? delivery.watchedBy(ctx, mailbox) : [];
  if (watched.length === 0 || renewals(file) === 0) return undefined;
  const mark = readMailMark(ctx.paths, ctx.input.session_id);
  if (mark.watched !== watched[0])
    writeMailMark(ctx.paths, ctx.input.session_id, { ...mark, watched: watched[0] });
  return { watch: watchList(file, watched), after: () => markListed(file) };
}

/** By the entry beside it: a change that the client was about to tell is forgotten with the list it stood on. */
function lookedAfter(ctx: Context, file: string): Outcome | undefined {
  const mailbox = mailboxOf(ctx);
  if (!mailbox || !isPushed(ctx) || renewals(file) === 0) return undefined;
  const wake = () => (hasMail(ctx, mailbox) ? delivery.wake(ctx, mailbox) : undefined);
  const atOnce = wake();
  if (!atOnce) awaitListed(file);
  return atOnce ?? wake();
}

/** Watched from the start, also without a mailbox: who makes or joins a team later is woken as well. */
export const watchedFile = (ctx: Context) =>
  ctx.entrypoint && isPushed(ctx) && ctx.input.session_id
    ? renewWatch(ctx.paths, ctx.input.session_id)
    : undefined;

/** The client looks anew only at a list unlike the last one: every second list names its last file twice. */
export const watchList = (mailbox: string | undefined, watched: string[]) =>
  mailbox === undefined
    ? watched
    : [mailbox, ...watched, ...(renewals(mailbox) % 2 === 0 ? watched.slice(-1) : [])];

/**
 * Before it sleeps. Our own writes may have cost the client its watch of the inbox, where a person writes by hand; and what was
 * left to a later moment rings again, since whoever rang first found the session at work.
 */
export function watchedAnew(ctx: Context, mailbox: Mailbox, mark: MailMark): MailMark {
  if (!isPushed(ctx) || !ctx.input.session_id) return mark;
  if (hasMail(ctx, mailbox)) touchTrigger(ctx.paths, mailbox.team, mailbox.agent);
  const renewed = inboxStamp(ctx.paths, mailbox.team, mailbox.agent);
  if (renewed === mark.renewed) return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, renewed, asked: inboxPath(ctx.paths, mailbox.team, mailbox.agent) };
}

const isWatched = ({ paths }: Context, { team, agent }: Mailbox, mark: MailMark) =>
  mark.watched === inboxPath(paths, team, agent);

/** A mailbox that was taken in mid-session: the change of its file makes the client watch the inbox. Asked once. */
export function askedFor(ctx: Context, mailbox: Mailbox, mark: MailMark): MailMark {
  const asked = inboxPath(ctx.paths, mailbox.team, mailbox.agent);
  if (!isPushed(ctx) || !ctx.input.session_id || isWatched(ctx, mailbox, mark) || mark.asked === asked)
    return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, asked };
}

/** In `-p` a file's change fires too, but nobody hears what its hook says: there PreToolUse looks instead. */
export const isPushed = ({ settings, entrypoint }: Context) =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli";

export const hasMail = ({ paths, now }: Context, { team, agent }: Mailbox) =>
  hasQueued(paths, team, agent, now);
