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

import { MB } from "../../core/file-kind.ts";
import { ignoring, readOwnText, sizeOf } from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import { parsedLines } from "../../core/json.ts";
import { isLocked } from "../../core/lock.ts";
import type { Paths } from "../../core/paths.ts";
import { reported } from "../../core/process.ts";
import { DEFAULTS, type Settings } from "../../core/settings.ts";
import { lifeOf, startOf } from "../../system/processes.ts";
import { appendArchived, readArchived } from "./archive.ts";
import { linkChange, linkedBytes } from "./broadcasts.ts";
import {
  broadcastsDir,
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

// Reading, without the lock; mail that waits to be merged is included

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
  readInbox(paths, team, agent).some(deliverable(now));

/** Whether some of it is worth a turn of its own. */
export function hasUrgent(paths: Paths, team: string, agent: string, now: Date): boolean {
  const isDeliverable = deliverable(now);
  return readInbox(paths, team, agent).some((one) => isDeliverable(one) && one.routine !== true);
}

/** Asked of the messages in their order: unread, not being shown by another process, and not behind one of the same sender that is. */
function deliverable(now: Date): (message: Message) => boolean {
  const heldSenders = new Set<string>();
  return (message) => {
    if (!isUnread(message)) return false;
    if (message.claim && stateOf(message, now) === "claimed" && isHeld(message))
      heldSenders.add(message.from);
    return !heldSenders.has(message.from);
  };
}

/** A claim ends with its lease, or as soon as the process that made it is gone. */
const isHeld = ({ claim }: Message): boolean => claim !== undefined && lifeOf(claim) !== "gone";

/** Differs after every change of the inbox or its spool. */
export const inboxStamp = (paths: Paths, team: string, agent: string): string =>
  stampOf(mailboxFiles(paths, team, agent));

// Showing: claim, show, mark

interface ClaimOptions {
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
  { by, now, expireDays, choose, waitMs }: ClaimOptions,
) {
  const claimed = { messages: [] as Message[], left: 0, dead: [] as Message[] };
  const files = mailboxFiles(paths, team, agent);
  // Before the lock: on some systems a program must be started for the time.
  const claim = { by, at: now.toISOString(), pid: process.pid, startedAt: startOf(process.pid) };
  updateSlots(files, waitMs, (slots, unmerged) => {
    if (expireDays !== undefined)
      claimed.dead = messagesIn(slots).filter((one) => isUnread(one) && isOlderThan(one, expireDays, now));
    const rest = moveToArchive(files, slots, claimed.dead);
    const messages = messagesIn(rest);
    const queued = messages.filter(deliverable(now));
    const chosen = new Set(choose(queued, messages));
    const next = [...rest];
    // The chosen ones are near the beginning: the rest of a full inbox need not be passed.
    for (let at = 0; claimed.messages.length < chosen.size && at < rest.length; at++) {
      const { message } = rest[at] as Slot;
      if (!message || !chosen.has(message)) continue;
      const claiming = { ...message, id: message.id || newId(now), state: "claimed", claim };
      claimed.messages.push(claiming);
      next[at] = slotOf(claiming);
    }
    claimed.left = queued.length - chosen.size + unmerged;
    return chosen.size + claimed.dead.length > 0 ? next : undefined;
  });
  return claimed;
}

interface MarkOptions {
  ids: Iterable<string>;
  now: Date;
  keepRead: number;
  retentionDays: number;
  waitMs?: number;
}

/** Marks what was shown, by id. Read mail that is too much or too old moves to the archive. */
export function markShown(
  paths: Paths,
  team: string,
  agent: string,
  { ids, now, keepRead, retentionDays, waitMs }: MarkOptions,
): void {
  const files = mailboxFiles(paths, team, agent);
  changeInbox(files, { shown: [...ids], at: now.toISOString() }, waitMs, (slots) =>
    archiveOldRead(files, slots, keepRead, (message) => isOlderThan(message, retentionDays, now)),
  );
}

/** What turned out not to have been shown waits again. */
export function requeue(paths: Paths, team: string, agent: string, ids: Iterable<string>): void {
  changeInbox(mailboxFiles(paths, team, agent), { requeued: [...ids] });
}

/** The read messages that `isMeant` picks become answered, in the archive where the inbox has none of them. */
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
  if (answered.length > 0) {
    changeInbox(files, { answered, by: answeredBy });
    return;
  }
  const archived = readArchived(files).filter(isOpen);
  const parts = archived.map(({ id }) => ({ id, state: "answered", answeredBy }));
  appendArchived(files, parts);
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

/** Moves read mail beyond `keepRead`, and what is too old besides, to the archive; returns what stays. */
function archiveOldRead(
  files: MailboxFiles,
  slots: Slot[],
  keepRead: number,
  isTooOld = (_: Message) => false,
): Slot[] {
  const read = messagesIn(slots).filter((message) => message.read);
  let surplus = read.length - keepRead;
  const old = read.filter((message) => surplus-- > 0 || isTooOld(message));
  return moveToArchive(files, slots, old);
}

/** Unread ones as dead letters. Returns what stays. */
function moveToArchive(files: MailboxFiles, slots: Slot[], messages: readonly Message[]): Slot[] {
  if (messages.length === 0) return slots;
  appendArchived(files, messages.map(asDead));
  const moved = new Set(messages);
  return slots.filter(({ message }) => !message || !moved.has(message));
}

// Sending

interface SendOptions {
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
  { waitMs, limits = mailLimits(), syncsLater = false, check = () => {} }: SendOptions = {},
): void {
  const files = mailboxFiles(paths, team, to);
  const appended = (slots: Slot[]) => applyChange(slots, { messages: [message] }, () => []);
  const append = (slots: Slot[], unmerged: number) => {
    check();
    const next = appended(slots);
    const surplus = requireRoom(files, next, limits, unmerged);
    return surplus > 0 ? makeRoom(files, next, surplus) : next;
  };
  try {
    updateSlots(files, waitMs, append, syncsLater ? "content" : true);
  } catch (error) {
    if (!isLocked(error) || !files.hasSpool) throw error;
    check();
    // A report or note is not counted here: reading all mail would cost the turns that end together more than their few messages.
    if (message.kind === undefined) requireRoom(files, appended(readSlots(files)), limits, 0);
    spoolChange(files, { messages: [message] });
  }
  if (!message.routine) touchTrigger(paths, team, to);
}

/** A note beside something that is done already, which a mailbox that takes no mail must not break off. True where it was accepted. */
export function notify(
  paths: Paths,
  team: string,
  to: string,
  message: Message,
  options?: SendOptions,
): boolean {
  const append = () => {
    appendMessage(paths, team, to, message, options);
    return true;
  };
  return reported(append, `${to} could not be notified`) === true;
}

/** So many broadcasts wait for a reader; the next goes into its inbox, and they with it. */
const MOST_LINKS = 20;

/** As one file for all readers whose inboxes have room for certain; returns those. The caller sends to each of the others. */
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
  const mostBytes = limits.bytes - bytesOf([slotOf(message)]);
  // Of so few bytes an inbox has too few messages to be full, whatever is linked.
  const fewBytes = (limits.unread - MOST_LINKS) * SMALLEST_MESSAGE_BYTES;
  const hasRoom = (reader: string) => {
    const waiting = links.get(reader) ?? [];
    if (waiting.length >= MOST_LINKS || spooled.has(reader)) return false;
    const size = sizeOf(inboxPath(paths, team, reader));
    return size <= fewBytes && size + bytesIn(waiting) <= mostBytes;
  };
  const certain = readers.filter(hasRoom);
  const accepted = certain.length > 0 ? linkChange(directory, certain, { messages: [message] }) : [];
  for (const reader of accepted) touchTrigger(paths, team, reader);
  return new Set(accepted);
}

/** Into the inboxes of some readers that have not looked since: other programs read those files, and 0.1.0 knows no broadcasts. */
export function mergeBroadcasts(paths: Paths, team: string, mostReaders: number): void {
  for (const reader of [...readersWithLinks(broadcastsDir(paths, team)).keys()].slice(0, mostReaders)) {
    const merge = () => updateSlots(mailboxFiles(paths, team, reader), 0, () => undefined);
    // The holder of the lock merges them.
    reported(() => ignoring(isLocked, merge), `the broadcasts to ${reader} in team ${team} wait`);
  }
}

// The limits of a mailbox

export type MailLimits = ReturnType<typeof mailLimits>;

/** More could not be read back whole. */
const MOST_BYTES = 8 * MB;

export const mailLimits = (settings: Settings = DEFAULTS) => ({
  unread: settings["mail.max_unread"],
  bytes: Math.min(MOST_BYTES, settings["mail.max_bytes"]),
});

/** Throws when the mailbox is full. Returns how many bytes of read mail must be archived, since it does not count for the limit. */
function requireRoom(
  { team, agent }: MailboxFiles,
  next: Slot[],
  limits: MailLimits,
  unmerged: number,
): number {
  const all = bytesOf(next);
  const waiting = () => bytesOf(next.filter((slot) => !slot.message?.read));
  const unread = messagesIn(next).filter(isUnread).length - 1;
  if (unmerged === 0 && unread < limits.unread && (all <= limits.bytes || waiting() <= limits.bytes))
    return all - limits.bytes;
  throw Object.assign(
    new Error(
      `the inbox of ${agent} is full: ${unread} unread messages, ${waiting()} bytes with this one (mail.max_unread = ${limits.unread}, mail.max_bytes = ${limits.bytes}). ` +
        `Nothing was sent. ${agent} has to read first: swarm status shows whether it runs, swarm wake ${agent} wakes it; ` +
        `swarm inbox --team ${team} --agent ${agent} --peek shows what waits`,
    ),
    { code: "EMAILBOXFULL" },
  );
}

/** Archives read mail, oldest first, until so many bytes are free. */
function makeRoom(files: MailboxFiles, slots: Slot[], surplus: number): Slot[] {
  let freed = 0;
  const moved = messagesIn(slots).filter((message) => {
    if (!message.read || freed >= surplus) return false;
    freed += bytesOf([slotOf(message)]);
    return true;
  });
  return moveToArchive(files, slots, moved);
}

const bytesOf = (slots: Slot[]): number => Buffer.byteLength(serialised(slots));

// Mail to and from other machines

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
    changeInbox(files, { fates: [...fates] }, waitMs, (slots) => archiveOldRead(files, slots, keepRead));
  const here = new Set(inbox.map(({ id }) => id));
  if (fates.every(({ id }) => here.has(id))) return;
  const archived = readArchived(files).filter(({ id }) => !here.has(id));
  const parts = archived.flatMap((message) => {
    const fate = fateOf(message, fates);
    return fate ? { id: message.id, ...fate.fields } : [];
  });
  appendArchived(files, parts);
}

/** Every id that a mailbox and its whole archive know, with the machine it came from; empty for mail from this one. */
export function readOrigins(paths: Paths, team: string, agent: string): Map<string, string> {
  const files = mailboxFiles(paths, team, agent);
  const inbox = messagesIn(readSlots(files)); // before the archive, as in readAllMail
  const lines = [`${files.archive}.1`, files.archive].flatMap((path) =>
    parsedLines<Message>(readOwnText(path) ?? ""),
  );
  const archived = lines.filter(({ text }) => typeof text === "string"); // not a part of a message
  return new Map([...archived, ...inbox].flatMap(({ id, via }) => (id ? [[id, via?.machine ?? ""]] : [])));
}
