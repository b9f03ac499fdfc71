// One delivery: claim under the lock, hand over, mark when the answer is out. Loaded only when something waits.

import { existsSync } from "node:fs";
import { readTail } from "../core/files.ts";
import { inboxPath } from "../core/paths.ts";
import { shared } from "../core/process-wide.ts";
import { toText } from "../core/text.ts";
import { elapsedMs } from "../core/time.ts";
import type { Context } from "../hook/context.ts";
import { isTaken, type Mailbox } from "../hook/identity.ts";
import type { JournalNote, Outcome } from "../hook/outcome.ts";
import { teamUpdates } from "../hook/outcome.ts";
import { hasWordsAt, isInterrupted } from "../sessions/store/turn-end.ts";
import { leadOf, memberOf, readTeam } from "../teams/store/config.ts";
import { claimMail, hasQueued, markShown, requeue } from "./store/inbox.ts";
import type { Message } from "./store/message.ts";
import { dropWake, isTurnOpen, takeWake, type Unconfirmed } from "./store/session-watch.ts";
import { ensureInbox } from "./store/slots.ts";
import { ensureTriggers } from "./store/wake-triggers.ts";
import { type Batch, fitting, MAIL_HAS_COME, unread } from "./text.ts";

/** What was shown must be marked, or it comes again: behind the deadline, and in the spool if the lock cannot be had. */
const MARK_MS = 1_000;

/** The moments of `mail.deliver`. */
export type Moment = "start" | "prompt" | "tool" | "stop" | "push";

export interface Delivery {
  text: string;
  ids: string[];
  /** Who wrote last: the one to answer. */
  from: string;
  journal: JournalNote[];
  /** To be called when the text is in the client's hands. */
  after: () => void;
}

export function deliver(ctx: Context, mailbox: Mailbox, moment: Moment, room: number): Delivery | undefined {
  const roster = readTeam(ctx.paths, mailbox.team);
  if (isTaken(memberOf(roster, mailbox.agent), ctx)) return undefined;
  const isMember =
    memberOf(roster, mailbox.agent) !== undefined || (roster && mailbox.agent === leadOf(roster));
  const batch = claimMail(
    ctx.paths,
    mailbox.team,
    mailbox.agent,
    {
      by: ctx.input.session_id,
      now: ctx.now,
      expireDays: isMember ? undefined : ctx.settings["mail.retention_days"],
      choose: (queued, all) => (moment === "tool" && isJustTold(all, ctx.now) ? [] : fitting(queued, room)),
    },
    waiting(ctx),
  );
  if (batch.messages.length + batch.dead.length === 0) return undefined;
  return {
    text: unread(batch, room),
    ids: batch.messages.map((message) => message.id),
    from: batch.messages.at(-1)?.from ?? "",
    journal: notesOf(batch, moment),
    after: () => mark(ctx, mailbox, batch),
  };
}

/** Calls of one message run side by side, and the client shows their words in its own order: only one brings mail. */
const SIDE_BY_SIDE_MS = 2_000;

const isJustTold = (mail: Message[], now: Date) =>
  mail.some(({ claim, shownAt }) => {
    const at = Date.parse(toText(shownAt ?? (claim as { at?: string } | undefined)?.at));
    return Math.abs(now.getTime() - at) < SIDE_BY_SIDE_MS;
  });

/** Half of the time that is left: the other handlers of the event need theirs, the last report above all. */
const waiting = (ctx: Context) => ({ waitMs: Math.max(100, (ctx.deadline - elapsedMs()) / 2) });

function mark(ctx: Context, { team, agent }: Mailbox, { messages }: Batch): void {
  shared().deadline = elapsedMs() + MARK_MS;
  const ids = new Set(messages.map((message) => message.id));
  if (ids.size === 0) return;
  const keepRead = ctx.settings["mail.keep_read"];
  const retentionDays = ctx.settings["mail.retention_days"];
  markShown(ctx.paths, team, agent, { ids, now: ctx.now, keepRead, retentionDays }, { waitMs: MARK_MS });
}

const idsOf = (messages: Message[]) => messages.map((message) => message.id);

const notesOf = ({ messages, left, dead }: Batch, moment: Moment): JournalNote[] => [
  ...(messages.length > 0 ? [{ what: "mail-delivered", moment, ids: idsOf(messages), left }] : []),
  ...(dead.length > 0 ? [{ what: "mail-expired", ids: idsOf(dead) }] : []),
];

/** The inbox the client shall watch, and its bells: of a team that is there, and of nobody else's name. */
export function watchedBy(ctx: Context, { team, agent }: Mailbox): string[] {
  const roster = readTeam(ctx.paths, team);
  if (!roster && !existsSync(inboxPath(ctx.paths, team, agent))) return [];
  if (isTaken(memberOf(roster, agent), ctx)) return [];
  return [ensureInbox(ctx.paths, team, agent), ...ensureTriggers(ctx.paths, team, agent)];
}

/**
 * Wakes a session that sleeps, and no other: one at work gets its mail within its turn. The words carry no mail. The client
 * queues them, and what its other hooks say meanwhile would come before; the prompt hook of the turn they begin delivers.
 */
export function wake(ctx: Context, mailbox: Mailbox): Outcome | undefined {
  const { paths, input } = ctx;
  if (isTaken(memberOf(readTeam(paths, mailbox.team), mailbox.agent), ctx)) return undefined;
  if (!takeWake(paths, input.session_id)) return undefined;
  // Only now: a turn that began meanwhile has let go of the wake-up, and taken the mail.
  if (isAtWork(ctx) || !hasQueued(paths, mailbox.team, mailbox.agent, ctx.now)) {
    dropWake(paths, input.session_id);
    return undefined;
  }
  return { wake: `# ${teamUpdates(mailbox.agent)}\n\n${MAIL_HAS_COME}`, journal: [{ what: "mail-woke" }] };
}

const TAIL_BYTES = 16 * 1024;
const LONG_TAIL_BYTES = 4 * 1024 * 1024;

/** A call that a person broke off took its mail along: that waits again. After a turn that nobody stopped nothing is lost. */
export function recover({ paths, input }: Context, { team, agent }: Mailbox, told: Unconfirmed[]): void {
  const tail = readTail(input.transcript_path, LONG_TAIL_BYTES)?.text ?? "";
  const lost = told.filter(({ call }) => !hasWordsAt(tail, call)).flatMap(({ ids }) => ids);
  if (lost.length > 0) requeue(paths, team, agent, new Set(lost));
}

/** Whoever interrupts a turn ends it, and no event says so. */
function isAtWork({ paths, input }: Context): boolean {
  if (!isTurnOpen(paths, input.session_id)) return false;
  return !isInterrupted(readTail(input.transcript_path, TAIL_BYTES)?.text ?? "");
}
