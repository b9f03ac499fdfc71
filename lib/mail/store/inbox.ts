// Mail between agents. Each member of a team has an inbox: a JSON array in the client's entry format plus our keys.
//
// The delivery contract, which senders and readers can rely on (scripts/torture and test/mail/contract.test.ts check it):
//
// - Accepted means durable: when `appendMessage` returns, the message is synced to disk, in the inbox or in its spool.
// - At least once: a message is claimed under the lock, shown, then marked. It is shown twice only if a process died or stalled in
//   between.
// - In order: one sender's messages are shown to one reader in the order in which they were accepted. While an earlier one is claimed
//   by a process that may still be alive, later ones wait, at most until the claim's lease ends (`LEASE_MS`). Not covered: a process
//   that stalls longer than its lease between claim and show; a tool call that a person interrupted while another one showed later
//   mail; version 0.1.0 writing to the same inbox.
// - Unread mail does not expire while its reader is a member of the team. For a removed member it becomes a dead letter after the
//   retention time: archived, announced, journalled, `dead` in the sender's outbox.
// - A lock that is not free in time loses nothing: the change is spooled and merged by the next holder of the lock. So is a broadcast to
//   a large team, as one file for all its readers.
// - Past the limits (`MailLimits`: unread messages, bytes of the file) read mail is archived first; then the sender is refused.
// - An inbox that is too large to be read is split without loss (overflow.ts).
// - Inboxes of the client's own teams have no spool, no split and no claims: there a writer gets the lock or an error.

import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { MB } from "../../core/file-kind.ts";
import { ignoring, makeDirectory, readOwnText, sizeOf } from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import { parsedLines } from "../../core/json.ts";
import { isLocked, withLock } from "../../core/lock.ts";
import type { Paths } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { DEFAULTS, type Settings } from "../../core/settings.ts";
import { lifeOf, startOf } from "../../system/processes.ts";
import { appendArchived, readArchived } from "./archive.ts";
import { linkChange, linkedBytes } from "./broadcasts.ts";
import {
  broadcastsDir,
  hasWaiting,
  inboxPath,
  type MailboxFiles,
  mailboxFiles,
  readersWithLinks,
  readersWithSpool,
  readSlots,
  SMALLEST_MESSAGE_BYTES,
  serialised,
  spoolChange,
  stampOf,
  updateSlots,
} from "./mailbox-files.ts";
import {
  applyChange,
  asDead,
  type Fate,
  fateOf,
  isOlderThan,
  isUnanswered,
  isUnread,
  type MailChange,
  type Message,
  messagesIn,
  type Slot,
  slotOf,
  stateOf,
} from "./message.ts";
import { touchTrigger } from "./wake-triggers.ts";

// Sending

interface Sending {
  waitMs?: number;
  limits?: MailLimits;
  /** The message is accepted only after a sync of `inboxesDir`: for many of one team, whose inboxes are in one directory. */
  syncsLater?: boolean;
  /** Refuses the message by an error. Called under the inbox's lock: who takes another name leaves the roster, then moves its mail. */
  check?: () => void;
}

/** Throws when the mailbox is full, and in a team of the client's own when the lock is not free in time. */
export function appendMessage(
  paths: Paths,
  team: string,
  to: string,
  message: Message,
  { waitMs, limits = mailLimits(), syncsLater = false, check = () => {} }: Sending = {},
): void {
  const files = mailboxFiles(paths, team, to);
  const appended = (slots: Slot[]) => applyChange(slots, { messages: [message] }, () => []);
  const append = (slots: Slot[], left: number) => {
    check();
    const next = appended(slots);
    const bytes = refuseIfFull(files, next, limits, left);
    return bytes > limits.bytes ? makeRoom(files, next, bytes - limits.bytes) : next;
  };
  try {
    updateSlots(files, waitMs, append, syncsLater ? "content" : true);
  } catch (error) {
    if (!isLocked(error) || !files.hasSpool) throw error;
    check();
    // A report or note is not counted here: reading all mail would cost the turns that end together more than their few messages.
    if (message.kind === undefined) refuseIfFull(files, appended(readSlots(files)), limits, 0);
    spoolChange(files, { messages: [message] });
  }
  if (!message.routine) touchTrigger(paths, team, to);
}

/** A note beside something that is done already, which a mailbox that takes no mail must not break off. True where it was accepted. */
export function notify(paths: Paths, team: string, to: string, message: Message, sending?: Sending): boolean {
  const append = () => {
    appendMessage(paths, team, to, message, sending);
    return true;
  };
  return reported(append, `${to} could not be notified`) === true;
}

/** So many broadcasts wait for a reader; the next goes into its inbox, and they with it. */
const MOST_LINKS = 20;

/** For those whose inbox has room for certain; returns them. The others, and all in a team of the client's own, are written to directly. */
export function broadcast(
  paths: Paths,
  team: string,
  readers: readonly string[],
  message: Message,
  limits: MailLimits,
): ReadonlySet<string> {
  const directory = broadcastsDir(paths, team);
  const links = readersWithLinks(directory);
  const spooled = readersWithSpool(paths, team);
  const bytesIn = linkedBytes(directory);
  const bytes = limits.bytes - bytesOf([slotOf(message)]);
  const largest = (limits.unread - MOST_LINKS) * SMALLEST_MESSAGE_BYTES;
  const certain = readers.filter((reader) => {
    const waiting = links.get(reader) ?? [];
    if (waiting.length >= MOST_LINKS || spooled.has(reader)) return false;
    const size = sizeOf(inboxPath(paths, team, reader));
    return size <= largest && size + bytesIn(waiting) <= bytes;
  });
  const accepted = certain.length > 0 ? linkChange(directory, certain, { messages: [message] }) : [];
  for (const reader of accepted) touchTrigger(paths, team, reader);
  return new Set(accepted);
}

/** Into the inboxes of some readers that have not looked since: other programs read those files, and 0.1.0 knows no broadcasts. */
export function mergeBroadcasts(paths: Paths, team: string, most: number): void {
  for (const reader of [...readersWithLinks(broadcastsDir(paths, team)).keys()].slice(0, most)) {
    const merge = () => updateSlots(mailboxFiles(paths, team, reader), 0, () => undefined);
    // The holder of the lock merges them.
    reported(() => ignoring(isLocked, merge), `the broadcasts to ${reader} in team ${team} wait`);
  }
}

// Limits

export type MailLimits = ReturnType<typeof mailLimits>;

/** More could not be read back whole. */
const MOST_BYTES = 8 * MB;

export const mailLimits = (settings: Settings = DEFAULTS) => ({
  unread: settings["mail.max_unread"],
  bytes: Math.min(MOST_BYTES, settings["mail.max_bytes"]),
});

const bytesOf = (slots: Slot[]): number => Buffer.byteLength(serialised(slots));

/** Archives read mail, oldest first, until so many bytes are free. */
function makeRoom(files: MailboxFiles, slots: Slot[], tooMuch: number): Slot[] {
  let freed = 0;
  return withoutArchived(files, slots, (message) => {
    if (!message.read || freed >= tooMuch) return false;
    freed += bytesOf([slotOf(message)]);
    return true;
  });
}

/** Moves the messages that are meant to the archive, unread ones as dead letters; `isMeant` is asked oldest first. */
function withoutArchived(files: MailboxFiles, slots: Slot[], isMeant: (message: Message) => boolean): Slot[] {
  const moved = new Set(slots.filter(({ message }) => message && isMeant(message)));
  if (moved.size === 0) return slots;
  appendArchived(files, messagesIn([...moved]).map(asDead));
  return slots.filter((slot) => !moved.has(slot));
}

/** Returns how many bytes an inbox of `next` has; read mail does not count for the limit, since it can be archived. */
function refuseIfFull({ team, agent }: MailboxFiles, next: Slot[], limits: MailLimits, left: number): number {
  const all = bytesOf(next);
  const waiting = () => bytesOf(next.filter((slot) => !slot.message?.read));
  const unread = messagesIn(next).filter(isUnread).length - 1;
  if (left === 0 && unread < limits.unread && (all <= limits.bytes || waiting() <= limits.bytes)) return all;
  throw Object.assign(
    new Error(
      `the inbox of ${agent} is full: ${unread} unread messages, ${waiting()} bytes with this one (mail.max_unread = ${limits.unread}, mail.max_bytes = ${limits.bytes}). ` +
        `Nothing was sent. ${agent} has to read first: swarm status shows whether it runs, swarm wake ${agent} wakes it; ` +
        `swarm inbox --team ${team} --agent ${agent} --peek shows what waits`,
    ),
    { code: "EMAILBOXFULL" },
  );
}

// Reading, without the lock; spooled mail is included

export const readInbox = (paths: Paths, team: string, agent: string): Message[] =>
  messagesIn(readSlots(mailboxFiles(paths, team, agent)));

/** Archived mail and the inbox, oldest first. A message that is just moving from one to the other is given once. */
export function readAllMail(paths: Paths, team: string, agent: string): Message[] {
  const files = mailboxFiles(paths, team, agent);
  const inbox = messagesIn(readSlots(files)); // first: what moves between the two reads would be missed the other way round
  const here = new Set(inbox.map(({ id }) => id));
  return [...readArchived(files).filter(({ id }) => id === "" || !here.has(id)), ...inbox];
}

export const readUnread = (paths: Paths, team: string, agent: string): Message[] =>
  readInbox(paths, team, agent).filter(isUnread);

export const countUnread = (paths: Paths, team: string, agent: string): number =>
  readUnread(paths, team, agent).length;

export const hasQueued = (paths: Paths, team: string, agent: string, now: Date): boolean =>
  deliverable(readInbox(paths, team, agent), now).length > 0;

/** Whether some of it is worth a turn of its own. */
export const hasUrgent = (paths: Paths, team: string, agent: string, now: Date): boolean =>
  deliverable(readInbox(paths, team, agent), now).some(({ routine }) => routine !== true);

/** Unread, not being shown by another process, and not behind an earlier message of the same sender that is. */
function deliverable(messages: Message[], now: Date): Message[] {
  const held = new Set<string>();
  return messages.filter((message) => {
    if (!isUnread(message)) return false;
    if (stateOf(message, now) === "claimed" && isHeld(message)) held.add(message.from);
    return !held.has(message.from);
  });
}

/** A claim ends with its lease, or as soon as the process that made it is gone. */
const isHeld = ({ claim }: Message): boolean => claim !== undefined && lifeOf(claim) !== "gone";

/** Differs after every change of the inbox or its spool. */
export const inboxStamp = (paths: Paths, team: string, agent: string): string =>
  stampOf(mailboxFiles(paths, team, agent));

// Showing: claim, then mark

export interface Claim {
  /** The session that is going to show it. */
  by: string;
  now: Date;
  /** Only for a reader that is no member any more: its unread mail becomes dead letters after this many days. */
  expireDays?: number;
  /** Picks from the deliverable messages those that are shown now. */
  choose: (queued: Message[], all: Message[]) => Message[];
  waitMs?: number;
}

export type Claimed = ReturnType<typeof claimMail>;

/** Returns what is claimed, how much is left, and what just became dead letters and is in the archive now. */
export function claimMail(
  paths: Paths,
  team: string,
  agent: string,
  { by, now, expireDays, choose, waitMs }: Claim,
) {
  const claimed = { messages: [] as Message[], left: 0, dead: [] as Message[] };
  const files = mailboxFiles(paths, team, agent);
  // Before the lock: on some systems a program must be started for the time.
  const claim = { by, at: now.toISOString(), pid: process.pid, startedAt: startOf(process.pid) };
  updateSlots(files, waitMs, (slots, inSpool) => {
    const isExpired = (message: Message) =>
      expireDays !== undefined && isUnread(message) && isOlderThan(message, expireDays, now);
    claimed.dead = messagesIn(slots).filter(isExpired);
    const rest = withoutArchived(files, slots, isExpired);
    const messages = messagesIn(rest);
    const queued = deliverable(messages, now);
    const chosen = new Set(choose(queued, messages));
    const next = [...rest];
    // What is shown first is at the beginning: the rest of a full inbox need not be passed.
    for (let at = 0; claimed.messages.length < chosen.size && at < rest.length; at++) {
      const { message } = rest[at] as Slot;
      if (!message || !chosen.has(message)) continue;
      const claiming = { ...message, id: message.id || newId(now), state: "claimed", claim };
      claimed.messages.push(claiming);
      next[at] = slotOf(claiming);
    }
    claimed.left = queued.length - chosen.size + inSpool;
    return chosen.size + claimed.dead.length > 0 ? next : undefined;
  });
  return claimed;
}

interface Shown {
  ids: Iterable<string>;
  now: Date;
  keepRead: number;
  retentionDays: number;
  waitMs?: number;
}

/** Marks what was shown, by id. Read mail that is too much or too old moves to the archive. */
export function markShown(paths: Paths, team: string, agent: string, shown: Shown): void {
  const { ids, now, keepRead, retentionDays, waitMs } = shown;
  const files = mailboxFiles(paths, team, agent);
  changeInbox(files, { shown: [...ids], at: now.toISOString() }, waitMs, (slots) =>
    withoutOldRead(files, slots, keepRead, (message) => isOlderThan(message, retentionDays, now)),
  );
}

/** Moves read mail beyond `keepRead`, and what is too old besides, to the archive. */
function withoutOldRead(
  files: MailboxFiles,
  slots: Slot[],
  keepRead: number,
  isTooOld = (_: Message) => false,
): Slot[] {
  let surplus = messagesIn(slots).filter(({ read }) => read).length - keepRead;
  return withoutArchived(files, slots, (message) => message.read && (surplus-- > 0 || isTooOld(message)));
}

/** What turned out not to have been shown waits again. */
export function requeue(paths: Paths, team: string, agent: string, ids: Iterable<string>): void {
  changeInbox(mailboxFiles(paths, team, agent), { requeued: [...ids] });
}

/** The read messages that are meant become answered, in the archive where the inbox has none of them. */
export function markAnswered(
  paths: Paths,
  team: string,
  agent: string,
  isMeant: (message: Message) => boolean,
  answeredBy: string,
): void {
  const files = mailboxFiles(paths, team, agent);
  const isOpen = (message: Message) => message.id !== "" && isUnanswered(message) && isMeant(message);
  const answered = messagesIn(readSlots(files)).flatMap((message) => (isOpen(message) ? message.id : []));
  const archived = answered.length === 0 ? readArchived(files).filter(isOpen) : [];
  const parts = archived.map(({ id }) => ({ id, state: "answered", answeredBy }));
  if (answered.length > 0) changeInbox(files, { answered, by: answeredBy });
  else appendArchived(files, parts);
}

/** What became of mail whose reader is on another machine, for its senders here. Read mail beyond `keepRead` is archived. */
export function markFates(
  paths: Paths,
  team: string,
  agent: string,
  fates: readonly Fate[],
  keepRead: number,
  waitMs?: number,
): void {
  const files = mailboxFiles(paths, team, agent);
  const inbox = messagesIn(readSlots(files));
  if (inbox.some((message) => fateOf(message, fates)))
    changeInbox(files, { fates: [...fates] }, waitMs, (slots) => withoutOldRead(files, slots, keepRead));
  const ids = new Set(inbox.map(({ id }) => id));
  if (fates.every(({ id }) => ids.has(id))) return;
  const archived = readArchived(files).filter(({ id }) => !ids.has(id));
  appendArchived(
    files,
    archived.flatMap((message) => {
      const fate = fateOf(message, fates);
      return fate ? { id: message.id, ...fate.fields } : [];
    }),
  );
}

/** Every id that a mailbox and its whole archive know, with the machine it came from; empty for mail from this one. */
export function readOrigins(paths: Paths, team: string, agent: string): Map<string, string> {
  const files = mailboxFiles(paths, team, agent);
  const inbox = messagesIn(readSlots(files)); // first, as above
  const lines = [`${files.archive}.1`, files.archive].flatMap((path) =>
    parsedLines<Message>(readOwnText(path) ?? ""),
  );
  const archived = lines.filter(({ text }) => typeof text === "string"); // not a part of a message
  return new Map([...archived, ...inbox].flatMap(({ id, via }) => (id ? [[id, via?.machine ?? ""]] : [])));
}

/** At once, or by the next holder of the lock; `tidy` runs only under the lock. */
function changeInbox(
  files: MailboxFiles,
  change: MailChange,
  waitMs?: number,
  tidy = (slots: Slot[]): Slot[] => slots,
): void {
  try {
    updateSlots(files, waitMs, (slots) => tidy(applyChange(slots, change, () => readArchived(files))));
  } catch (error) {
    if (!isLocked(error) || !files.hasSpool) throw error;
    spoolChange(files, change);
  }
}

// Removing a member: nothing is deleted, and what nobody read is a dead letter in its sender's outbox

/** Moves all mail to the archive; returns how many messages were unread. */
export function buryInbox(paths: Paths, team: string, agent: string): number {
  const files = mailboxFiles(paths, team, agent);
  let dead = 0;
  emptyInbox(files, (messages) => {
    appendArchived(files, messages.map(asDead));
    dead += messages.filter(isUnread).length;
  });
  return dead;
}

/** For a member that has another name from now on: unread mail goes to its new inbox, the rest to the archive of the old name. */
export function moveMail(paths: Paths, team: string, from: string, to: string): void {
  const files = mailboxFiles(paths, team, from);
  emptyInbox(files, (messages) => {
    for (const message of messages) if (isUnread(message)) appendMessage(paths, team, to, message);
    const rest = messages.filter((message) => !isUnread(message));
    appendArchived(files, rest);
  });
}

/** `take` must have put them elsewhere when it returns. Entries that are no messages stay. */
function emptyInbox(files: MailboxFiles, take: (messages: Message[]) => void): void {
  let taken = 0;
  do {
    updateSlots(files, undefined, (slots) => {
      const messages = messagesIn(slots);
      take(messages);
      taken = messages.length;
      return taken > 0 ? slots.filter(({ message }) => !message) : undefined;
    });
  } while (taken > 0 && hasWaiting(files)); // what stays may leave no room
}

/** Moves the file out of the team's inboxes, with what waited for it; returns where it is now, if there was one. */
export function archiveInbox(paths: Paths, team: string, agent: string, now: Date): string | undefined {
  const files = mailboxFiles(paths, team, agent);
  const aside = files.asidePath("removed", now.toISOString().replace(/[:.]/g, "-"));
  makeDirectory(dirname(aside));
  if (hasWaiting(files)) updateSlots(files, undefined, () => undefined);
  const isMoved = withLock(files.inbox, () => {
    appendArchived(files, messagesIn(readSlots(files)).filter(isUnread).map(asDead));
    if (!existsSync(files.inbox)) return false;
    renameSync(files.inbox, aside);
    return true;
  });
  if (hasWaiting(files)) buryInbox(paths, team, agent); // it came meanwhile, or had no room
  return isMoved ? aside : undefined;
}
