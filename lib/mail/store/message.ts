// One entry of an inbox: its format, its states and the changes it goes through. Files are the business of mailbox-files.ts.

import { newId } from "../../core/journal.ts";
import { asTable } from "../../core/json.ts";
import { listOf, type Shape, someText, table } from "../../core/shape.ts";
import { DAY_MS } from "../../core/time.ts";

export interface Message {
  /** Empty where the writer gave none; delivery then adds one. */
  id: string;
  from: string;
  text: string;
  timestamp: string;
  read: boolean;
  summary?: string;
  color?: string;
  /** `report` for a teammate's last message of a turn, `system` for Swarm's own notes, nothing for what an agent or a person wrote. */
  kind?: string;
  /** Shown with the reader's next turn, without waking it. */
  routine?: boolean;
  replyTo?: string;
  state?: string;
  shownAt?: string;
  answeredBy?: string;
  claim?: MailClaim;
  /** Of mail from another machine: who sent it there, under which id, and to whom. */
  via?: { machine: string; agent: string; id: string; to?: string };
  /** Of mail to another machine: where it went. */
  relayedTo?: string;
  /** Why it was refused there. */
  reason?: string;
  [key: string]: unknown;
}

/** Who is showing the message right now. Version 0.1.0 left no process. */
interface MailClaim {
  by?: string;
  at?: string;
  pid?: number;
  startedAt?: string | undefined;
}

/** `relayed` and `refused` are states of mail to another machine. */
export type MailState = "queued" | "claimed" | "relayed" | "shown" | "answered" | "dead" | "refused";

/** A claim that no mark followed ends after this time. */
const LEASE_MS = 30_000;

/** Longer texts are refused by `swarm send` and cut everywhere else. */
export const LONGEST_TEXT = 100_000;

/** How the text of a last report begins, and its summary, which says no more. */
export const REPORT_MARK = "[report] ";
export const REPORT_SUMMARY = "report";

export interface Draft {
  from: string;
  text: string;
  at: Date;
  summary?: string | undefined;
  kind?: "report" | "system";
  routine?: boolean | undefined;
}

export const newMessage = ({ from, text, at, summary, kind, routine }: Draft): Message => ({
  id: newId(at),
  from,
  text,
  ...(summary ? { summary } : {}),
  timestamp: at.toISOString(),
  read: false,
  ...(kind ? { kind } : {}),
  ...(routine ? { routine } : {}),
});

/**
 * The entry as a message, whether Swarm, the client or a person wrote it; `undefined` for an entry that is none. By hand and not by
 * a schema: a wrong type in any field but the text must not cost the message.
 */
export function asMessage(entry: unknown): Message | undefined {
  const given = asTable(entry);
  if (!given || isComplete(given)) return given;
  const text = given["text"] ?? given["content"]; // `content`: older writers
  if (typeof text !== "string") return undefined;
  return {
    ...given,
    id: firstText(given["id"], given["msg_id"], given["message_id"]),
    from: firstText(given["from"]) || "unknown",
    text,
    timestamp: timeOf(given["timestamp"]),
    read: given["read"] === true,
  } as Message;
}

/** As Swarm writes it: an inbox of thousands need not be copied to be read. */
const isComplete = (given: Record<string, unknown>): given is Message =>
  typeof given["text"] === "string" &&
  isFilled(given["id"]) &&
  isFilled(given["from"]) &&
  typeof given["timestamp"] === "string" &&
  typeof given["read"] === "boolean";

const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";

const firstText = (...values: unknown[]) => (values.find(isFilled) as string | undefined) ?? "";

function timeOf(value: unknown): string {
  if (typeof value === "string") return value;
  const at = typeof value === "number" ? new Date(value) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
}

export function stateOf(message: Message, now: Date): MailState {
  const { state } = message;
  if (state === "answered" || state === "dead" || state === "relayed" || state === "refused") return state;
  if (message.read) return "shown";
  return isClaimed(message, now) ? "claimed" : "queued";
}

/** Other programs write inboxes too: `at` may be anything. */
const isClaimed = ({ claim }: Message, now: Date) =>
  typeof claim?.at === "string" && Math.abs(now.getTime() - Date.parse(claim.at)) < LEASE_MS;

/** The one definition of unread mail: what delivery has still to show. */
export const isUnread = ({ read, state }: Message): boolean =>
  !read && state !== "answered" && state !== "dead";

/** Read, and its sender may still expect an answer. */
export const isUnanswered = ({ read, state }: Message): boolean => read && state !== "answered";

/** By when it was shown, or else sent; never without a readable time. */
export function isOlderThan({ shownAt, timestamp }: Message, days: number, now: Date): boolean {
  const at = typeof shownAt === "string" ? shownAt : timestamp;
  return now.getTime() - Date.parse(at) > days * DAY_MS;
}

/** Unread mail that nobody will read. */
export const asDead = (message: Message): Message =>
  isUnread(message) ? { ...message, state: "dead" } : message;

/** An entry as it is in the file, and the message it is, if it is one. Entries that are none stay where they are. */
export interface Slot {
  entry: unknown;
  message: Message | undefined;
}

export const asSlot = (entry: unknown): Slot => ({ entry, message: asMessage(entry) });
export const slotOf = (message: Message): Slot => ({ entry: message, message });

export function messagesIn(slots: readonly Slot[]): Message[] {
  const messages: Message[] = [];
  for (const { message } of slots) if (message) messages.push(message);
  return messages;
}

/** A change to an inbox: applied at once under its lock, or from its spool by the next holder. */
export type MailChange =
  | { messages: Message[] }
  | { shown: string[]; at: string }
  | { answered: string[]; by: string }
  /** Claimed or marked as shown, but the client never showed them. */
  | { requeued: string[] }
  | { fates: Fate[] };

/** What became of a message whose reader is on another machine. With `machine` it holds only for what went there. */
export interface Fate {
  id: string;
  machine?: string;
  fields: Partial<Message> & { state: string };
}

const ids = listOf(someText);

export const mailChange: Shape<MailChange> = (value, at) => {
  const { messages, shown, answered, requeued, fates, ...more } = table(value, at);
  if (shown) return { shown: ids(shown, "shown"), at: someText(more["at"], "at") };
  if (answered) return { answered: ids(answered, "answered"), by: someText(more["by"], "by") };
  if (requeued) return { requeued: ids(requeued, "requeued") };
  if (fates) return { fates: listOf(table)(fates, "fates") as unknown as Fate[] };
  return { messages: listOf(asMessage)(messages, "messages").flatMap((message) => message ?? []) };
};

/**
 * Idempotent: a crash between merging a spool and removing it applies a change twice. `readArchive` is called only for changes that
 * need it.
 */
export function applyChange(slots: Slot[], change: MailChange, readArchive: () => Message[]): Slot[] {
  if ("shown" in change) return withShown(slots, new Set(change.shown), change.at);
  if ("answered" in change) return withAnswered(slots, new Set(change.answered), change.by);
  if ("requeued" in change) return withRequeued(slots, new Set(change.requeued), readArchive());
  if ("fates" in change) return withFates(slots, change.fates);
  const known = new Set([...messagesIn(slots), ...readArchive()].map(({ id }) => id));
  const fresh = change.messages.filter(({ id }) => id === "" || !known.has(id));
  return [...slots, ...fresh.map((message) => slotOf({ state: "queued", ...message }))];
}

/** `change` returns the message as it is from now on, or `undefined` where it stays as it is. */
const replaced = (slots: Slot[], change: (message: Message) => Message | undefined): Slot[] =>
  slots.map((slot) => {
    const next = slot.message && change(slot.message);
    return next ? slotOf(next) : slot;
  });

/** Other programs may give two messages one id: then only those that were claimed have been shown. */
function withShown(slots: Slot[], shown: ReadonlySet<string>, shownAt: string): Slot[] {
  const isMeant = ({ id, read }: Message) => !read && shown.has(id);
  const claims = messagesIn(slots).filter((message) => message.claim && isMeant(message));
  const claimed = new Set(claims.map(({ id }) => id));
  return replaced(slots, (message) => {
    if (!isMeant(message) || (!message.claim && claimed.has(message.id))) return undefined;
    return { ...withoutClaim(message), read: true, state: "shown", shownAt };
  });
}

const withoutClaim = ({ claim: _, ...message }: Message) => message as Message;

const withAnswered = (slots: Slot[], answered: ReadonlySet<string>, answeredBy: string): Slot[] =>
  replaced(slots, (message) =>
    isUnanswered(message) && answered.has(message.id)
      ? { ...message, state: "answered", answeredBy }
      : undefined,
  );

const PROGRESS = ["relayed", "shown", "answered"];
const progressOf = (state: string | undefined): number =>
  state === "refused" || state === "dead" ? PROGRESS.length : PROGRESS.indexOf(state ?? "");

/** The newest of its fates that is further than the message has come, or nothing. */
export const fateOf = (message: Message, fates: readonly Fate[]): Fate | undefined =>
  fates.findLast(
    ({ id, machine, fields }) =>
      id === message.id &&
      (machine === undefined || machine === message.relayedTo) &&
      progressOf(fields.state) > progressOf(message.read ? message.state : undefined),
  );

const withFates = (slots: Slot[], fates: readonly Fate[]): Slot[] =>
  replaced(slots, (message) => {
    const fate = fateOf(message, fates);
    return fate && { ...withoutClaim(message), ...fate.fields, read: true };
  });

/** Each in its old place; what was archived meanwhile goes to the front, since it is older than the rest. */
function withRequeued(slots: Slot[], requeued: ReadonlySet<string>, archive: Message[]): Slot[] {
  const here = new Set(messagesIn(slots).map(({ id }) => id));
  const archived = archive.filter(({ id, state }) => requeued.has(id) && !here.has(id) && state === "shown");
  const kept = replaced(slots, (message) =>
    message.state === "shown" && requeued.has(message.id) ? queuedAgain(message) : undefined,
  );
  return [...archived.map((message) => slotOf(queuedAgain(message))), ...kept];
}

const queuedAgain = ({ shownAt: _, ...message }: Message) =>
  ({ ...message, read: false, state: "queued" }) as Message;
