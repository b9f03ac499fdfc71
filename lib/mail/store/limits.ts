// How much an inbox holds: past its limits read mail makes room, and then senders are refused.

import { DEFAULTS, type Settings } from "../../core/settings-keys.ts";
import { appendArchive } from "./archive.ts";
import type { Slot } from "./changes.ts";
import { isUnread, type Message } from "./message.ts";
import { type InboxKey, messagesIn, serialised } from "./slots.ts";

export interface MailLimits {
  unread: number;
  bytes: number;
}

/** What is larger cannot be read back whole. */
const MOST_BYTES = 8 * 1024 * 1024;

export const mailLimits = (settings: Settings = DEFAULTS): MailLimits => ({
  unread: settings["mail.max_unread"],
  bytes: Math.min(MOST_BYTES, settings["mail.max_bytes"]),
});

const bytesOf = (slots: Slot[]): number => Buffer.byteLength(serialised(slots));

/** Read mail makes room before a sender is refused. */
export function withRoom(box: InboxKey, slots: Slot[], message: Message, limits: MailLimits): Slot[] {
  const tooMuch = bytesOf([...slots, { entry: message, message }]) - limits.bytes;
  if (tooMuch <= 0) return slots;
  let freed = 0;
  const old = slots.filter((slot) => {
    if (!slot.message?.read || freed >= tooMuch) return false;
    freed += bytesOf([slot]);
    return true;
  });
  appendArchive(box.paths, box.team, box.agent, messagesIn(old));
  return slots.filter((slot) => !old.includes(slot));
}

export function refuseIfFull(
  box: InboxKey,
  slots: Slot[],
  message: Message,
  limits: MailLimits,
  left: number,
): void {
  const unread = messagesIn(slots).filter(isUnread).length;
  const waiting = slots.filter((slot) => !slot.message?.read);
  const bytes = bytesOf([...waiting, { entry: message, message }]);
  const isFull = left > 0 || unread >= limits.unread || bytes > limits.bytes;
  if (!isFull) return;
  const { team, agent } = box;
  throw Object.assign(
    new Error(
      `the inbox of ${agent} is full: ${unread} unread messages, ${bytes} bytes with this one (mail.max_unread = ${limits.unread}, mail.max_bytes = ${limits.bytes}). ` +
        `Nothing was sent. ${agent} has to read first: swarm status shows whether it runs, swarm wake ${agent} wakes it; ` +
        `swarm inbox --team ${team} --agent ${agent} --peek shows what waits`,
    ),
    { code: "EMAILBOXFULL" },
  );
}
