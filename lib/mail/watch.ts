// The client's watch of a mailbox: asked for when a session starts or gets its mailbox, renewed before the session goes idle. When a
// watched file changes, the client fires FileChanged (hooks/inbox.ts).

import type { Context } from "../hook/context.ts";
import type { Mailbox } from "../hook/identity.ts";
import { hasQueued, inboxStamp } from "./store/inbox.ts";
import { inboxPath, touchTrigger } from "./store/mailbox-files.ts";
import { countRenewals, type MailMark, renewWatch } from "./store/session-files.ts";

/** From the start, also without a mailbox: a session that creates or joins a team later is woken as well. */
export const startWatch = (ctx: Context): string | undefined =>
  ctx.entrypoint && canWake(ctx) && ctx.input.session_id
    ? renewWatch(ctx.paths, ctx.input.session_id)
    : undefined;

/** The client acts only on a list that differs from the last one: every second list names its last file twice. */
export const watchList = (watchFile: string | undefined, watched: string[]): string[] =>
  watchFile === undefined
    ? watched
    : [watchFile, ...watched, ...(countRenewals(watchFile) % 2 === 0 ? watched.slice(-1) : [])];

/**
 * Before a session goes idle. Our own writes may have cost the client its watch of the inbox, which matters where a person writes
 * into it by hand. The trigger is touched again for mail that stays, since its first touch found the session at work.
 */
export function renewBeforeIdle(ctx: Context, mailbox: Mailbox, mark: MailMark): MailMark {
  if (!canWake(ctx) || !ctx.input.session_id) return mark;
  const { team, agent } = mailbox;
  if (hasMail(ctx, mailbox)) touchTrigger(ctx.paths, team, agent);
  const renewed = inboxStamp(ctx.paths, team, agent);
  if (renewed === mark.renewed) return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, renewed, asked: inboxPath(ctx.paths, team, agent) };
}

/** For a mailbox that a session got after its start: asks the client once to watch it. */
export function askToWatch(ctx: Context, { team, agent }: Mailbox, mark: MailMark): MailMark {
  const inbox = inboxPath(ctx.paths, team, agent);
  if (!canWake(ctx) || !ctx.input.session_id || mark.watched === inbox || mark.asked === inbox) return mark;
  renewWatch(ctx.paths, ctx.input.session_id);
  return { ...mark, asked: inbox };
}

/** With `-p` FileChanged fires too, but the client ignores what its hook says: there PreToolUse looks for mail instead. */
export const canWake = ({ settings, entrypoint }: Context): boolean =>
  settings["mail.deliver"].includes("push") && (entrypoint ?? "cli") === "cli";

export const hasMail = ({ paths, now }: Context, { team, agent }: Mailbox): boolean =>
  hasQueued(paths, team, agent, now);
