// An inbox that is too large to be read at once, made by hand or by an older version. It is read in pieces: its unread messages go to
// the spool in batches, in order, and the file itself is kept whole beside the archive. Under the inbox's lock.
import { readSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt, makeDirectory, syncDirectory, withFile, writeWhole } from "../../core/files.ts";
import { appendJournal } from "../../core/journal.ts";
import { noteProblem } from "../../core/process.ts";
import type { MailboxFiles } from "./mailbox-files.ts";
import { asMessage, isUnread, LONGEST_TEXT, type Message, newMessage } from "./message.ts";

const CHUNK_BYTES = 1024 * 1024;
const BATCH_BYTES = 512 * 1024;
/** A larger entry is not parsed; it stays in the file that is kept. */
const LARGEST_ENTRY_BYTES = 64 * 1024 * 1024;

/**
 * A crash before the rename leaves the large file in place: the next holder splits it again into batches of the same names and
 * contents. `renewLock` throws when the lock was lost.
 */
export function splitOverflow(files: MailboxFiles, now: Date, renewLock: () => void): void {
  const { paths, team, agent, inbox, spool } = files;
  const { mtime, size } = statSync(inbox);
  const stamp = mtime.toISOString().replace(/[:.]/g, "-");
  const aside = files.asidePath("overflow", stamp);
  let batch: Message[] = [notice(size, aside, stamp, now)];
  let bytes = 0;
  let batches = 0;
  let entries = 0;
  const ids = new Set<string>();
  const flush = () => {
    renewLock();
    // Sorts before everything that was spooled since, and after what is left of an earlier overflow.
    const name = `000000000000-overflow-${stamp}-${String(batches++).padStart(8, "0")}.json`;
    writeWhole(join(spool, name), `${JSON.stringify({ messages: batch })}\n`, { durable: true });
    batch = [];
    bytes = 0;
  };
  scanEntries(inbox, (entry, length) => {
    const message = asMessage(entry);
    const own = `overflow-${stamp}-${entries++}`;
    if (!message || !isUnread(message)) return;
    const id = message.id && !ids.has(message.id) ? message.id : own; // a second one of an id would count as known
    ids.add(id);
    batch.push({ ...message, id, text: shortened(message.text, aside) });
    bytes += Math.min(length, LONGEST_TEXT);
    if (bytes > BATCH_BYTES) flush();
  });
  flush();
  makeDirectory(dirname(aside));
  renewLock();
  renameSync(inbox, aside);
  syncDirectory(dirname(aside));
  syncDirectory(dirname(inbox));
  noteProblem(
    `${inbox} had ${size} bytes; its unread mail was split into the spool, the file is kept as ${aside}`,
  );
  const by = { event: "store", session: "", agent, feature: "inbox" };
  appendJournal(paths, now, { ...by, what: "mail-overflow", team, bytes: size, kept: aside });
}

const shortened = (text: string, aside: string): string =>
  text.length <= LONGEST_TEXT
    ? text
    : `${text.slice(0, LONGEST_TEXT)}\n[cut: the whole message is in ${aside}]`;

const notice = (size: number, aside: string, stamp: string, at: Date): Message => ({
  ...newMessage({
    from: "swarm",
    text: `This inbox had grown to ${Math.ceil(size / 1024 / 1024)} MB. Its unread messages follow in their order. What was read, and what was no message, was put aside with the whole file: ${aside}`,
    at,
    summary: "inbox was too large",
    kind: "system",
  }),
  id: `overflow-${stamp}`, // the same when a crash makes it split again
});

const [QUOTE, ESCAPE, COMMA] = [0x22, 0x5c, 0x2c];
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);

/** Calls `take` for each entry of a JSON array, in bounded memory. Ends where the text stops being an array, or after `mostBytes`. */
export function scanEntries(
  path: string,
  take: (entry: unknown, bytes: number) => void,
  mostBytes = Number.POSITIVE_INFINITY,
): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length <= LARGEST_ENTRY_BYTES) parts.push(Buffer.from(piece));
  };
  const finish = () => {
    const isWhole = length <= LARGEST_ENTRY_BYTES;
    // A damaged entry, and none between two commas, stay in the file that is kept.
    const entry: unknown = isWhole ? attempt(() => JSON.parse(Buffer.concat(parts).toString())) : undefined;
    if (entry !== undefined) take(entry, length);
    parts = [];
    length = 0;
  };
  withFile(path, "read", (fd) => {
    for (let total = 0; total < mostBytes; ) {
      const got = readSync(fd, chunk, 0, CHUNK_BYTES, null);
      if (got === 0) return;
      total += got;
      let from = 0;
      for (let at = 0; at < got; at++) {
        const byte = chunk[at] as number;
        if (isEscaped) isEscaped = false;
        else if (inString) {
          if (byte === ESCAPE) isEscaped = true;
          else if (byte === QUOTE) inString = false;
        } else if (byte === QUOTE) inString = true;
        else if (OPEN.has(byte)) {
          if (++depth === 1) from = at + 1;
        } else if (CLOSE.has(byte) ? --depth === 0 : byte === COMMA && depth === 1) {
          keep(chunk.subarray(from, at));
          finish();
          if (depth === 0) return;
          from = at + 1;
        }
      }
      if (depth > 0) keep(chunk.subarray(from, got));
    }
  });
}
