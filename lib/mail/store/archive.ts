// The archive of a mailbox: a log of JSON lines with the mail that left the inbox.

import { type LogKind, MB } from "../../core/file-kind.ts";
import { readRotatedTail } from "../../core/files.ts";
import { appendLines, parsedLines, rotateIfFull } from "../../core/json.ts";
import type { MailboxFiles } from "./mailbox-files.ts";
import { asMessage, type Message } from "./message.ts";

export const ARCHIVE: LogKind = {
  name: "mail archives",
  path: "teams/<team>/archive/<agent>.jsonl",
  kept: "two of a size",
  maxBytes: 8 * MB,
};

/** Durable when it returns: only then may the inbox drop these. A part of a message adds to an earlier line of the same id. */
export function appendArchived({ archive }: MailboxFiles, messages: Partial<Message>[]): void {
  if (messages.length === 0) return;
  appendLines(archive, messages, { durable: true });
  rotateIfFull(archive, ARCHIVE.maxBytes);
}

const TAIL_BYTES = 512 * 1024;

/** The newest of it, oldest first. */
export function readArchived({ archive }: MailboxFiles): Message[] {
  const byId = new Map<string | number, Message>();
  for (const [at, message] of parsedLines<Message>(readRotatedTail(archive, TAIL_BYTES)).entries()) {
    const key = message.id || at; // of other programs, without one
    byId.set(key, { ...byId.get(key), ...message });
  }
  return [...byId.values()].flatMap((message) => asMessage(message) ?? []);
}
