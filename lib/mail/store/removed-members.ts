// The mailbox of a member that is removed or takes another name. Nothing is deleted: mail that nobody read is a dead letter in its
// sender's outbox.

import { existsSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { makeDirectory } from "../../core/files.ts";
import { withLock } from "../../core/lock.ts";
import type { Paths } from "../../core/paths.ts";
import { appendArchived } from "./archive.ts";
import { appendMessage } from "./inbox.ts";
import { hasWaiting, type MailboxFiles, mailboxFiles, readSlots, updateSlots } from "./mailbox-files.ts";
import { asDead, isUnread, type Message, messagesIn } from "./message.ts";

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

/** `store` must have put the messages elsewhere when it returns. Entries that are no messages stay. */
function emptyInbox(files: MailboxFiles, store: (messages: Message[]) => void): void {
  let taken = 0;
  do {
    updateSlots(files, undefined, (slots) => {
      const messages = messagesIn(slots);
      store(messages);
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
