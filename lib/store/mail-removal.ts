// The inbox of a member that leaves its team: nothing is deleted, and senders find what nobody read as dead letters in their outbox.
import { renameSync } from "node:fs";
import { isUnread, type Message } from "../parse/message.ts";
import { appendArchive } from "./archive.ts";
import { withLock } from "./lock.ts";
import { messagesIn, readSlots, spooled, updateSlots } from "./mailbox.ts";
import { inboxPath, type Places } from "./paths.ts";

const asDead = (message: Message): Message => (isUnread(message) ? { ...message, state: "dead" } : message);

/** Everything goes to the archive; returns how many were unread. */
export function buryInbox(places: Places, team: string, agent: string): number {
  const box = { places, team, agent };
  let dead = 0;
  do {
    updateSlots(box, undefined, (slots) => {
      const messages = messagesIn(slots);
      appendArchive(places, team, agent, messages.map(asDead));
      dead += messages.filter(isUnread).length;
      return messages.length > 0 ? slots.filter(({ message }) => !message) : undefined;
    });
  } while (spooled(box) > 0);
  return dead;
}

/** Moves the file as it is. What was spooled goes to the archive. */
export function moveInbox(places: Places, team: string, agent: string, to: string): void {
  const box = { places, team, agent };
  const path = inboxPath(places, team, agent);
  withLock(path, () => {
    appendArchive(places, team, agent, messagesIn(readSlots(box)).filter(isUnread).map(asDead));
    renameSync(path, to);
  });
  if (spooled(box) > 0) buryInbox(places, team, agent);
}
