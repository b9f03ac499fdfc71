// Inboxes: one JSON array a member, in the client's entry format plus our keys. Entries that are no messages stay where they are.
//
// What sender and reader can rely on (torture/load.ts and test/store/mail-contract.test.ts hold it):
// - Accepted means durable: when `appendMessage` returns, the message is synced to disk, in the inbox or in its spool.
// - At least once: claimed under the lock, shown, then marked. A message is shown twice only when a process died or stalled between.
// - In order: one sender's messages are shown to one reader in the order in which they were accepted. While an earlier one is claimed
//   by a process that may still live, later ones wait, at most until the claim's lease ends (`LEASE_MS`). Not covered: a process
//   that stalls longer than its lease between claim and show, a tool call that a person broke off while another one showed later
//   mail, and version 0.1.0 writing to the same inbox.
// - Unread mail does not expire while its reader is a member of the team. For a removed member it becomes a dead letter after the
//   retention time: archived, announced, journalled, `dead` in the sender's outbox.
// - A lock that cannot be had in time loses nothing: the change is spooled (spool.ts) and merged by the next holder.
// - Past the limits (`MailLimits`: unread messages, bytes of the file) read mail is archived first; then the sender is refused.
// - An inbox that is too large to be read is split without loss (overflow.ts).
// - Inboxes of the client's own teams have no spool, no split and no claims: there a writer gets the lock or an error.

import { newId } from "../../core/journal.ts";
import type { Paths } from "../../core/paths.ts";
import { lifeOf, startOf } from "../../system/processes.ts";
import { appendArchive, readArchive } from "./archive.ts";
import { applied, isOpenQuestion, type MailChange, type Slot } from "./changes.ts";
import { type MailLimits, mailLimits, refuseIfFull, withRoom } from "./limits.ts";
import { isOlderThan, isUnread, type MailState, type Message, stateOf } from "./message.ts";
import {
  hasSpool,
  type InboxKey,
  isLocked,
  mailboxStamp,
  messagesIn,
  readSlots,
  spool,
  updateSlots,
} from "./slots.ts";
import { touchTrigger } from "./wake-triggers.ts";

export type { Message } from "./message.ts";

export interface Waiting {
  /** How long to wait for the lock. */
  waitMs?: number;
}

interface Sending extends Waiting {
  limits?: MailLimits;
}

/** Throws when the mailbox is full, and in a team of the client's when the lock cannot be had. */
export function appendMessage(
  paths: Paths,
  team: string,
  to: string,
  message: Message,
  { waitMs, limits = mailLimits() }: Sending = {},
): void {
  const box = { paths, team, agent: to };
  try {
    updateSlots(box, waitMs, (slots, left) => {
      const room = withRoom(box, slots, message, limits);
      refuseIfFull(box, room, message, limits, left);
      return applied(room, { messages: [message] }, () => []);
    });
  } catch (error) {
    if (!isLocked(error) || !hasSpool(box)) throw error;
    spoolMessage(box, message, limits);
  }
  touchTrigger(paths, team, to);
}

/** For a process that may be ended any moment: never waits. `mergeMail` brings it into the inbox when there is time. */
export function dropMessage(
  paths: Paths,
  team: string,
  to: string,
  message: Message,
  limits = mailLimits(),
): void {
  spoolMessage({ paths, team, agent: to }, message, limits);
  touchTrigger(paths, team, to);
}

/** Nothing is lost if the lock cannot be had: the next holder merges. */
export function mergeMail(paths: Paths, team: string, agent: string, { waitMs }: Waiting): void {
  try {
    updateSlots({ paths, team, agent }, waitMs, () => undefined);
  } catch (error) {
    if (!isLocked(error)) throw error;
  }
}

function spoolMessage(box: InboxKey, message: Message, limits: MailLimits): void {
  refuseIfFull(box, readSlots(box), message, limits, 0);
  spool(box, { messages: [message] });
}

/** Without the lock, spooled mail included. */
export const readInbox = (paths: Paths, team: string, agent: string): Message[] =>
  messagesIn(readSlots({ paths, team, agent }));

export const readUnread = (paths: Paths, team: string, agent: string): Message[] =>
  readInbox(paths, team, agent).filter(isUnread);

export const countUnread = (paths: Paths, team: string, agent: string): number =>
  readUnread(paths, team, agent).length;

/** Whether there is something that could be shown now. */
export const hasQueued = (paths: Paths, team: string, agent: string, now: Date): boolean =>
  deliverable(readInbox(paths, team, agent), now).length > 0;

/** Unread, not being shown by another process, and not behind an earlier message of the same sender that is. */
function deliverable(messages: readonly Message[], now: Date): Message[] {
  const held = new Set<string>();
  return messages.filter(isUnread).filter((message) => {
    const isClaimed = stateNow(message, now) === "claimed";
    if (isClaimed) held.add(message.from);
    return !isClaimed && !held.has(message.from);
  });
}

/** A claim ends with its lease, or as soon as the process that made it is gone. */
function stateNow(message: Message, now: Date): MailState {
  const state = stateOf(message, now);
  const by = message["claim"] as { pid?: number; startedAt?: string } | undefined;
  return state === "claimed" && by && lifeOf(by) === "gone" ? "queued" : state;
}

export interface Claim {
  /** The session that is going to show it. */
  by: string;
  now: Date;
  /** Set for a reader that is no member any more: its unread mail becomes dead letters after so many days. */
  expireDays?: number;
  /** Which of the waiting messages fit: the others stay in the queue. */
  choose: (queued: Message[], all: Message[]) => Message[];
}

export interface Claimed {
  messages: Message[];
  /** Still waiting. */
  left: number;
  /** Put aside as dead letters: in the archive now. */
  dead: Message[];
}

export function claimMail(
  paths: Paths,
  team: string,
  agent: string,
  claim: Claim,
  { waitMs }: Waiting = {},
): Claimed {
  const claimed: Claimed = { messages: [], left: 0, dead: [] };
  const { now, expireDays = Number.POSITIVE_INFINITY } = claim;
  updateSlots({ paths, team, agent }, waitMs, (slots, inSpool) => {
    const isDead = ({ message }: Slot) =>
      message !== undefined && isUnread(message) && isOlderThan(message, expireDays, now);
    claimed.dead = messagesIn(slots.filter(isDead));
    const rest = slots.filter((slot) => !isDead(slot));
    const queued = deliverable(messagesIn(rest), now);
    const chosen = new Set(claim.choose(queued, messagesIn(rest)));
    appendArchive(
      paths,
      team,
      agent,
      claimed.dead.map((message) => ({ ...message, state: "dead" })),
    );
    const startedAt = chosen.size > 0 ? startOf(process.pid) : undefined;
    const next = rest.map((slot) =>
      slot.message && chosen.has(slot.message) ? claimedSlot(slot.message, claim, startedAt) : slot,
    );
    claimed.messages = next.flatMap((slot, at) => (slot !== rest[at] && slot.message ? slot.message : []));
    claimed.left = queued.length - chosen.size + inSpool;
    return chosen.size + claimed.dead.length > 0 ? next : undefined;
  });
  return claimed;
}

function claimedSlot(message: Message, { by, now }: Claim, startedAt: string | undefined): Slot {
  const id = message.id || newId(now);
  const claim = { by, at: now.toISOString(), pid: process.pid, startedAt };
  const entry = { ...message, id, state: "claimed", claim };
  return { entry, message: entry };
}

interface Shown {
  ids: ReadonlySet<string>;
  now: Date;
  keepRead: number;
  retentionDays: number;
}

/** Marks what was shown, by id. Read mail that is too much or too old moves to the archive. */
export function markShown(
  paths: Paths,
  team: string,
  agent: string,
  { ids, now, keepRead, retentionDays }: Shown,
  waiting: Waiting = {},
): void {
  const shown = { shown: [...ids], at: now.toISOString() };
  change({ paths, team, agent }, shown, waiting, (slots) => {
    const read = slots.filter(({ message }) => message?.read);
    const surplus = new Set(read.slice(0, Math.max(0, read.length - keepRead)));
    const old = read.filter((slot) => surplus.has(slot) || isOld(slot, retentionDays, now));
    appendArchive(paths, team, agent, messagesIn(old));
    return slots.filter((slot) => !old.includes(slot));
  });
}

const isOld = ({ message }: Slot, days: number, now: Date) =>
  message !== undefined && isOlderThan(message, days, now);

/** What turned out not to have been shown waits again. */
export function requeue(paths: Paths, team: string, agent: string, ids: ReadonlySet<string>): void {
  change({ paths, team, agent }, { requeued: [...ids] });
}

/** The read messages for which `whether` holds become answered; returns them as they were. */
export function markAnswered(
  paths: Paths,
  team: string,
  agent: string,
  whether: (message: Message) => boolean,
  answeredBy: string,
): Message[] {
  const answered = readInbox(paths, team, agent).filter((one) => isOpenQuestion(one) && whether(one));
  if (answered.length > 0)
    change({ paths, team, agent }, { answered: answered.map(({ id }) => id), by: answeredBy });
  return answered;
}

/** At once, or by the next holder of the lock; `tidy` runs only under the lock. */
function change(
  box: InboxKey,
  what: MailChange,
  { waitMs }: Waiting = {},
  tidy = (slots: Slot[]): Slot[] => slots,
): void {
  try {
    updateSlots(box, waitMs, (slots) =>
      tidy(applied(slots, what, () => readArchive(box.paths, box.team, box.agent))),
    );
  } catch (error) {
    if (!isLocked(error) || !hasSpool(box)) throw error;
    spool(box, what);
  }
}

export const inboxStamp = (paths: Paths, team: string, agent: string): string =>
  mailboxStamp({ paths, team, agent });
