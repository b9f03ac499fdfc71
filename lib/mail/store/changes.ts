// The changes an inbox goes through, as values: applied at once under its lock, or from its spool by the next holder. Applying one a
// second time changes nothing.

import { listOf, type Shape, someText, table } from "../../core/shape.ts";
import { asMessage, type Message } from "./message.ts";

export type MailChange =
  | { messages: Message[] }
  | { shown: string[]; at: string }
  | { answered: string[]; by: string }
  /** Claimed or marked, but the client never showed it. */
  | { requeued: string[] };

/** An entry as it is in the file, and the message it is, if it is one. */
export interface Slot {
  entry: unknown;
  message: Message | undefined;
}

const ids = listOf(someText);

export const mailChange: Shape<MailChange> = (value, at) => {
  const { messages, shown, answered, requeued, ...more } = table(value, at);
  if (shown) return { shown: ids(shown, "shown"), at: someText(more["at"], "at") };
  if (answered) return { answered: ids(answered, "answered"), by: someText(more["by"], "by") };
  if (requeued) return { requeued: ids(requeued, "requeued") };
  return { messages: listOf(asMessage)(messages, "messages").flatMap((message) => message ?? []) };
};

/** `archived` is asked only for changes to which it matters: reading it costs a file. */
export function applied(slots: Slot[], change: MailChange, archived: () => Message[]): Slot[] {
  if ("shown" in change) return withShown(slots, new Set(change.shown), change.at);
  if ("answered" in change) return withAnswered(slots, new Set(change.answered), change.by);
  if ("requeued" in change) return withRequeued(slots, new Set(change.requeued), archived());
  const known = new Set([...slots.map(({ message }) => message?.id), ...archived().map(({ id }) => id)]);
  const fresh = change.messages.filter(({ id }) => id === "" || !known.has(id));
  return [...slots, ...fresh.map((message) => slotOf({ state: "queued", ...message }))];
}

const slotOf = (message: Message): Slot => ({ entry: message, message });

const withShown = (slots: Slot[], shown: ReadonlySet<string>, shownAt: string): Slot[] =>
  slots.map((slot) => {
    if (!slot.message || slot.message.read || !shown.has(slot.message.id)) return slot;
    const { claim: _, ...message } = slot.message;
    return slotOf({ ...message, read: true, state: "shown", shownAt } as Message);
  });

const withAnswered = (slots: Slot[], answered: ReadonlySet<string>, answeredBy: string): Slot[] =>
  slots.map((slot) =>
    isOpenQuestion(slot.message) && answered.has(slot.message.id)
      ? slotOf({ ...slot.message, state: "answered", answeredBy })
      : slot,
  );

export const isOpenQuestion = (message: Message | undefined): message is Message =>
  message?.read === true && message.state !== "answered";

/** In its old place; what was archived since comes before the rest, since it is older. */
function withRequeued(slots: Slot[], lost: ReadonlySet<string>, archive: Message[]): Slot[] {
  const here = new Set(slots.map(({ message }) => message?.id));
  const gone = archive.filter(({ id, state }) => lost.has(id) && !here.has(id) && state === "shown");
  const again = slots.map((slot) =>
    slot.message?.state === "shown" && lost.has(slot.message.id) ? queued(slot.message) : slot,
  );
  return [...gone.map(queued), ...again];
}

const queued = ({ shownAt: _, ...message }: Message): Slot =>
  slotOf({ ...message, read: false, state: "queued" } as Message);
