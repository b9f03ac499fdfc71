// One delivery: claim under the lock, hand over, mark as shown when the answer is out; and mail as its reader sees it. Loaded only when
// mail waits.

import { existsSync } from "node:fs";
import { readTail } from "../core/files.ts";
import { elapsedMs, shared, sleepSync } from "../core/process.ts";
import { asWord, counted, escapeLine, escapeXml, toText } from "../core/text.ts";
import { type Context, isTaken, type Mailbox } from "../hook/context.ts";
import { type JournalNote, type Outcome, teamUpdates } from "../hook/outcome.ts";
import { hasWordsAt, isInterrupted } from "../sessions/store/turn-end.ts";
import { hasReader, isMember, memberOf, readTeam } from "../teams/store/config.ts";
import { isReachable } from "./addresses.ts" with { loading: "lazy" };
import { type Claimed, claimMail, hasUrgent, markShown, requeue } from "./store/inbox.ts";
import { ensureInbox, inboxPath } from "./store/mailbox-files.ts";
import type { Message } from "./store/message.ts";
import { claimWake, isTurnOpen, releaseWake, type Unconfirmed } from "./store/session-files.ts";
import { ensureTriggers } from "./store/wake-triggers.ts";

/** Past the hook's deadline if need be: what was shown must be marked, or it is shown again. */
const MARK_MS = 1_000;

/** Above all else, however long a project's welcome is: what is cut would count as read. */
const PRIORITY = 110;

/** The moments of `mail.deliver`. */
export type Moment = "start" | "prompt" | "tool" | "stop" | "push";

export function deliver(ctx: Context, mailbox: Mailbox, moment: Moment, room: number) {
  const { team, agent } = mailbox;
  const roster = readTeam(ctx.paths, team);
  const member = memberOf(roster, agent);
  if (isTaken(member, ctx)) return undefined;
  const claimed = claimMail(ctx.paths, team, agent, {
    by: ctx.input.session_id,
    now: ctx.now,
    expireDays: hasReader(roster, agent) ? undefined : ctx.settings["mail.retention_days"],
    choose: (queued, all) =>
      moment === "tool" && wasJustDelivered(all, ctx.now) ? [] : fitting(queued, room),
    // Half of the time that is left: the other handlers of the event need theirs, the last report above all.
    waitMs: Math.max(100, (ctx.deadline - elapsedMs()) / 2),
  });
  if (claimed.messages.length + claimed.dead.length === 0) return undefined;
  const ids = idsOf(claimed.messages);
  // Where mail is what makes the agent go on, its text says how to answer.
  const isAnswerable = ({ from }: Message) =>
    roster && (isMember(roster, from) || isReachable(ctx.paths, team, roster, from));
  const from =
    moment === "push" || moment === "stop" ? claimed.messages.findLast(isAnswerable)?.from : undefined;
  const text =
    mailText(claimed, room) + (from ? `\n\nAnswer with: swarm send ${asWord(short(from))} "<text>"` : "");
  const outcome: Outcome = {
    context: { name: "mail", text, under: teamUpdates(agent), where: "swarm inbox", priority: PRIORITY },
    journal: notesOf(claimed, moment),
    // What nobody heard waits again when this process, whose claim it is, has ended.
    after: (isHeard = true) => {
      if (isHeard) mark(ctx, mailbox, ids);
    },
  };
  return { ids, outcome };
}

/** Tool calls of one message run in parallel, and the client shows their hooks' texts in its own order: only one brings mail. */
const PARALLEL_CALLS_MS = 2_000;

const wasJustDelivered = (mail: Message[], now: Date) =>
  mail.some(({ claim, shownAt }) => {
    const at = Date.parse(toText(shownAt ?? claim?.at));
    return Math.abs(now.getTime() - at) < PARALLEL_CALLS_MS;
  });

function mark(ctx: Context, { team, agent }: Mailbox, ids: string[]): void {
  shared().deadline = elapsedMs() + MARK_MS;
  if (ids.length === 0) return;
  const { "mail.keep_read": keepRead, "mail.retention_days": retentionDays } = ctx.settings;
  markShown(ctx.paths, team, agent, { ids, now: ctx.now, keepRead, retentionDays, waitMs: MARK_MS });
}

const idsOf = (messages: Message[]) => messages.map(({ id }) => id);

const notesOf = ({ messages, left, dead }: Claimed, moment: Moment): JournalNote[] => [
  ...(messages.length > 0 ? [{ what: "mail-delivered", moment, ids: idsOf(messages), left }] : []),
  ...(dead.length > 0 ? [{ what: "mail-expired", ids: idsOf(dead) }] : []),
];

/** The inbox and the wake triggers that the client shall watch; none without a team, or if another process has this name. */
export function watchedFiles(ctx: Context, { team, agent }: Mailbox): string[] {
  const roster = readTeam(ctx.paths, team);
  if (!roster && !existsSync(inboxPath(ctx.paths, team, agent))) return [];
  if (isTaken(memberOf(roster, agent), ctx)) return [];
  return [ensureInbox(ctx.paths, team, agent), ...ensureTriggers(ctx.paths, team, agent)];
}

/**
 * Wakes an idle session; one at work gets its mail within its turn. The text carries no mail: the client queues it, and what its
 * other hooks say meanwhile would come first. The prompt hook of the turn that begins delivers.
 */
export function wake(ctx: Context, { team, agent, isLead }: Mailbox): Outcome | undefined {
  const { paths, input, settings } = ctx;
  if (isTaken(memberOf(readTeam(paths, team), agent), ctx)) return undefined;
  if (!claimWake(paths, input.session_id)) return undefined;
  // Several members often finish together: one turn for what they send is enough.
  if (isLead) sleepSync(Math.min(settings["mail.gather_ms"], LONGEST_GATHER_MS));
  // Only after the claim: a turn that began meanwhile has released it and taken the mail.
  if (isAtWork(ctx) || !hasUrgent(paths, team, agent, ctx.now)) {
    releaseWake(paths, input.session_id);
    return undefined;
  }
  return { wake: `# ${teamUpdates(agent)}\n\n${MAIL_HAS_COME}`, journal: [{ what: "mail-woke" }] };
}

const MAIL_HAS_COME =
  "New mail has come. It is delivered with this notice, or was delivered with the step before it.";

/** Well inside the hook's deadline and the life of a claim on a wake-up. */
const LONGEST_GATHER_MS = 3_000;

const TAIL_BYTES = 16 * 1024;
const LONG_TAIL_BYTES = 4 * 1024 * 1024;

/** No event reports an interrupted turn; only the transcript shows it. */
function isAtWork({ paths, input }: Context): boolean {
  if (!isTurnOpen(paths, input.session_id)) return false;
  return !isInterrupted(readTail(input.transcript_path, TAIL_BYTES)?.text ?? "");
}

/** A person who interrupts a tool call discards what its hook said: mail that went out with it waits again. */
export function requeueUnconfirmed(
  { paths, input }: Context,
  { team, agent }: Mailbox,
  unconfirmed: Unconfirmed[],
): void {
  const tail = readTail(input.transcript_path, LONG_TAIL_BYTES)?.text ?? "";
  const lost = unconfirmed.filter(({ call }) => !hasWordsAt(tail, call)).flatMap(({ ids }) => ids);
  if (lost.length > 0) requeue(paths, team, agent, lost);
}

// The text: the words and tags of Claude Swarm hooks, content escaped, and never longer than the room.

/** For the headings, and the lines about what was left out. */
const FRAME_ROOM = 600;
/** For the tags around one message's content. */
const TAG_ROOM = 400;
const LONGEST_NAME = 100;

/** The oldest messages that fit together; the first one always, cut if it must be. */
export function fitting(queued: readonly Message[], room: number): Message[] {
  let left = room - FRAME_ROOM;
  const end = queued.findIndex((message, at) => {
    left -= tag(message, room).length + 2;
    return left < 0 && at > 0;
  });
  return end < 0 ? [...queued] : queued.slice(0, end);
}

export function mailText({ messages, left, dead }: Claimed, room: number): string {
  const parts = messages.map((message) => tag(message, room));
  if (messages.length > 0) parts.unshift(`## Unread Messages (${messages.length})`);
  if (left > 0) parts.push(`${counted(left, "message")} more unread: \`swarm inbox\` shows them.`);
  const expired = counted(dead.length, "message");
  if (dead.length > 0)
    parts.push(`${expired} too old to be delivered, put aside: \`swarm inbox --all\` shows them.`);
  return parts.join("\n\n");
}

/** Inboxes can hold anything: a very long name would push the closing tags out of the room. */
const short = (text: string) => escapeLine(text.slice(0, LONGEST_NAME));

function tag(message: Message, room: number): string {
  return [
    "<message>",
    `  <from>${short(message.from)}</from>`,
    `  <timestamp>${short(message.timestamp)}</timestamp>`,
    `  <content>${contentOf(message, room - FRAME_ROOM - TAG_ROOM)}</content>`,
    "</message>",
  ].join("\n");
}

/** Cut after escaping, at the last whole character: an entity or a surrogate pair must not be split. */
function contentOf({ text, id }: Message, room: number): string {
  const whole = escapeXml(text);
  if (whole.length <= room) return whole;
  const head = whole.slice(0, room).replace(/&[a-z]{0,4}$|[\ud800-\udbff]$/, "");
  return `${head}\n[cut: the whole message is in \`swarm inbox ${asWord(short(id))}\`]`;
}
