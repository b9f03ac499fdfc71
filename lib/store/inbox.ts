// Inboxes: one JSON array a member, in the client's entry format plus our keys. Entries we cannot read stay where they are.
// A message is claimed under the lock, shown, then marked: twice in a crash, never zero times.
import { closeSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { asMessage, isExpired, type Message, stateOf } from "../parse/message.ts";
import { anything, listOf } from "../parse/shape.ts";
import { appendArchive, readArchive } from "./archive.ts";
import { ringBell } from "./bells.ts";
import { newId } from "./journal.ts";
import { appendLateMark, takeLateMarks } from "./late-marks.ts";
import { withLock } from "./lock.ts";
import { inboxPath, type Places } from "./paths.ts";
import { readForeignJson, readJson } from "./read-json.ts";
import { hasCode } from "./read-text.ts";
import { makeDirectory, writeJson } from "./write-file.ts";

export type { Message } from "../parse/message.ts";

/** Below what `readText` accepts, so that a full inbox can still be read. */
const FULL_BYTES = 12 * 1024 * 1024;

/** An entry as it stands in the file, and what it says if it is a message. */
export interface Slot {
  entry: unknown;
  message: Message | undefined;
}

type Change = (slots: Slot[]) => Slot[] | undefined;
/** How long to wait for the lock. */
export type Waiting = { waitMs?: number };

/** Accepted means on disk: synced before this returns. */
export function appendMessage(
  places: Places,
  team: string,
  to: string,
  message: Message,
  waiting: Waiting = {},
): void {
  const path = inboxPath(places, team, to);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size + 2 * message.text.length > FULL_BYTES) throw new Error(`the inbox of ${to} is full`);
  update(path, waiting, (slots) => [...slots, { entry: { state: "queued", ...message }, message }]);
  ringBell(places, team, to);
}

/** Without the lock: every write is a rename, so this is the inbox before or after it. */
export const readInbox = (places: Places, team: string, agent: string): Message[] =>
  read(inboxPath(places, team, agent)).flatMap(({ message }) => message ?? []);

/** Whether something waits to be shown. */
export const hasQueued = (places: Places, team: string, agent: string, now: Date): boolean =>
  readInbox(places, team, agent).some((message) => stateOf(message, now) === "queued");

export interface Claim {
  /** The session that is going to show it. */
  by: string;
  now: Date;
  retentionDays: number;
  /** Which of the waiting messages fit: the others stay in the queue. */
  choose: (queued: Message[], all: Message[]) => Message[];
}

export interface Claimed {
  messages: Message[];
  /** Still waiting. */
  left: number;
  /** Too old to be shown: in the archive now. */
  dead: number;
}

export function claimMail(
  places: Places,
  team: string,
  agent: string,
  claim: Claim,
  waiting: Waiting = {},
): Claimed {
  const claimed: Claimed = { messages: [], left: 0, dead: 0 };
  update(inboxPath(places, team, agent), waiting, (slots) => {
    const dead = slots.filter(({ message }) => message && isExpired(message, claim.now, claim.retentionDays));
    const rest = slots.filter((slot) => !dead.includes(slot));
    const queued = rest.filter(({ message }) => message && stateOf(message, claim.now) === "queued");
    const chosen = new Set(claim.choose(messagesIn(queued), messagesIn(rest)));
    const letters = messagesIn(dead).map((message) => ({ ...message, state: "dead" }));
    appendArchive(places, team, agent, letters);
    const next = rest.map((slot) =>
      slot.message && chosen.has(slot.message) ? claimedSlot(slot.message, claim) : slot,
    );
    claimed.messages = next.flatMap((slot, at) => (slot !== rest[at] && slot.message ? slot.message : []));
    claimed.left = queued.length - chosen.size;
    claimed.dead = dead.length;
    return chosen.size + dead.length > 0 ? next : undefined;
  });
  return claimed;
}

export const messagesIn = (slots: Slot[]): Message[] => slots.flatMap(({ message }) => message ?? []);

function claimedSlot(message: Message, { by, now }: Claim): Slot {
  const id = message.id || newId(now);
  const entry = { ...message, id, state: "claimed", claim: { by, at: now.toISOString() } };
  return { entry, message: entry };
}

interface Shown {
  ids: ReadonlySet<string>;
  now: Date;
  keepRead: number;
}

/** Marks what was shown, by id, and moves the oldest read mail beyond `keepRead` to the archive. */
export function markShown(
  places: Places,
  team: string,
  agent: string,
  shown: Shown,
  waiting: Waiting = {},
): void {
  try {
    markNow(places, team, agent, shown, waiting);
  } catch (error) {
    if (!hasCode(error, "ELOCKED")) throw error;
    appendLateMark(inboxPath(places, team, agent), { ids: [...shown.ids], at: shown.now.toISOString() });
  }
}

function markNow(places: Places, team: string, agent: string, shown: Shown, waiting: Waiting): void {
  update(inboxPath(places, team, agent), waiting, (slots) => {
    const marked = slots.map((slot) =>
      slot.message && shown.ids.has(slot.message.id) && !slot.message.read
        ? shownSlot(slot.message, shown.now.toISOString())
        : slot,
    );
    const read = marked.filter(({ message }) => message?.read);
    const old = read.slice(0, Math.max(0, read.length - shown.keepRead));
    appendArchive(places, team, agent, messagesIn(old));
    return marked.filter((slot) => !old.includes(slot));
  });
}

function shownSlot({ claim: _, ...message }: Message, shownAt: string): Slot {
  const entry = { ...message, read: true, state: "shown", shownAt } as Message;
  return { entry, message: entry };
}

/** What turned out not to have been shown waits again, in its old place; what was archived since, before the rest. */
export function requeue(places: Places, team: string, agent: string, ids: ReadonlySet<string>): void {
  update(inboxPath(places, team, agent), {}, (slots) => {
    const here = new Set(messagesIn(slots).map((message) => message.id));
    const gone = readArchive(places, team, agent).filter(({ id }) => ids.has(id) && !here.has(id));
    const again = slots.map((slot) =>
      slot.message?.state === "shown" && ids.has(slot.message.id) ? queuedSlot(slot.message) : slot,
    );
    return [...gone.filter(({ state }) => state === "shown").map(queuedSlot), ...again];
  });
}

function queuedSlot({ shownAt: _, ...message }: Message): Slot {
  const entry = { ...message, read: false, state: "queued" } as Message;
  return { entry, message: entry };
}

/** The entries for which `whether` holds become answered; returns them as they were. */
export function markAnswered(
  places: Places,
  team: string,
  agent: string,
  whether: (message: Message) => boolean,
  answeredBy: string,
): Message[] {
  const answered: Message[] = [];
  update(inboxPath(places, team, agent), {}, (slots) => {
    const next = slots.map((slot) => {
      if (!slot.message?.read || slot.message.state === "answered" || !whether(slot.message)) return slot;
      answered.push(slot.message);
      return { ...slot, entry: { ...slot.message, state: "answered", answeredBy } };
    });
    return answered.length > 0 ? next : undefined;
  });
  return answered;
}

/** A member that is removed leaves no mail behind: everything goes to the archive, the unread as dead letters. */
export function buryInbox(places: Places, team: string, agent: string): number {
  let dead = 0;
  update(inboxPath(places, team, agent), {}, (slots) => {
    const messages = messagesIn(slots);
    const letters = messages.map((message) => (message.read ? message : { ...message, state: "dead" }));
    dead = messages.filter((message) => !message.read).length;
    appendArchive(places, team, agent, letters);
    return messages.length > 0 ? slots.filter(({ message }) => !message) : undefined;
  });
  return dead;
}

/** The client watches only what is there. */
export function ensureInbox(places: Places, team: string, agent: string): string {
  const path = inboxPath(places, team, agent);
  makeDirectory(dirname(path));
  try {
    const fd = openSync(path, "wx", 0o600);
    writeSync(fd, "[]\n");
    closeSync(fd);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  return path;
}

/** Changes with every write: a rename brings a new inode even within one tick of the clock. */
export function inboxStamp(places: Places, team: string, agent: string): string {
  const stat = statSync(inboxPath(places, team, agent), { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.ino}:${stat.size}` : "";
}

export function update(path: string, { waitMs }: Waiting, change: Change): void {
  withLock(
    path,
    (held) => {
      const { marks, done } = takeLateMarks(path);
      const slots = withMarks(read(path), marks);
      const changed = change(slots) ?? (marks.size > 0 ? slots : undefined);
      if (changed)
        writeJson(
          path,
          changed.map(({ entry }) => entry),
          { durable: true, beforeRename: held.check },
        );
      done();
    },
    waitMs,
  );
}

const withMarks = (slots: Slot[], marks: ReadonlyMap<string, string>): Slot[] =>
  slots.map((slot) => {
    const shownAt = slot.message && !slot.message.read ? marks.get(slot.message.id) : undefined;
    return slot.message && shownAt ? shownSlot(slot.message, shownAt) : slot;
  });

const entries = listOf(anything);

/** A person may be writing it in place: only what stays broken is set aside. */
const read = (path: string): Slot[] =>
  (readForeignJson(path, entries) ?? readJson(path, entries) ?? []).map((entry) => ({
    entry,
    message: asMessage(entry),
  }));
