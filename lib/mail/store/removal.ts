// The inbox of a member that leaves its team: nothing is deleted, and senders find what nobody read as dead letters in their outbox.
import { renameSync } from "node:fs";
import { dirname } from "node:path";
import { withLock } from "../../core/lock.ts";
import { inboxPath, type Paths, removedInboxPath } from "../../core/paths.ts";
import { makeDirectory } from "../../core/write-file.ts";
import { appendArchive } from "./archive.ts";
import { isUnread, type Message } from "./message.ts";
import { messagesIn, readSlots, spooled, updateSlots } from "./slots.ts";

const asDead = (message: Message): Message => (isUnread(message) ? { ...message, state: "dead" } : message);

/** Everything goes to the archive; returns how many were unread. */
export function buryInbox(paths: Paths, team: string, agent: string): number {
  const box = { paths, team, agent };
  let dead = 0;
  do {
    updateSlots(box, undefined, (slots) => {
      const messages = messagesIn(slots);
      appendArchive(paths, team, agent, messages.map(asDead));
      dead += messages.filter(isUnread).length;
      return messages.length > 0 ? slots.filter(({ message }) => !message) : undefined;
    });
  } while (spooled(box) > 0);
  return dead;
}

/** Moves the file as it is. What was spooled goes to the archive. */
export function moveInbox(paths: Paths, team: string, agent: string, to: string): void {
  const box = { paths, team, agent };
  const path = inboxPath(paths, team, agent);
  withLock(path, () => {
    appendArchive(paths, team, agent, messagesIn(readSlots(box)).filter(isUnread).map(asDead));
    renameSync(path, to);
  });
  if (spooled(box) > 0) buryInbox(paths, team, agent);
}

/** Moves it out of the team's inboxes; returns where it is now. */
export function archiveInbox(paths: Paths, team: string, agent: string, now: Date): string {
  const to = removedInboxPath(paths, team, agent, now.toISOString().replace(/[:.]/g, "-"));
  makeDirectory(dirname(to));
  moveInbox(paths, team, agent, to);
  return to;
}
