// An inbox on disk: the file, its spool and its lock. What the entries mean is inbox.ts's.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { createFile, hasCode } from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import { readForeignJson, readJson } from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { inboxPath, mailSpoolDir, type Paths } from "../../core/paths.ts";
import { anything, listOf } from "../../core/shape.ts";
import { dropChange, readSpool, removeChanges, type Spooled, spoolNames } from "../../core/spool.ts";
import { makeDirectory, writeWhole } from "../../core/write-file.ts";
import { isNative } from "../../teams/store/config.ts";
import { readArchive } from "./archive.ts";
import { applied, type MailChange, mailChange, type Slot } from "./changes.ts";
import { takeLateMarks } from "./late-marks.ts";
import { asMessage, type Message } from "./message.ts";
import { type InboxKey, isTooLarge, LARGEST_INBOX_BYTES, scanEntries, splitOverflow } from "./overflow.ts";

export type { InboxKey } from "./overflow.ts";

/** The spool is merged up to this size of the inbox; the rest waits until its reader has made room. */
const MERGED_BYTES = 8 * 1024 * 1024;
/** Readers without the lock look at so much of a spool. */
const LOOKED_AT_BYTES = 8 * 1024 * 1024;

const pathOf = ({ paths, team, agent }: InboxKey) => inboxPath(paths, team, agent);
const spoolOf = ({ paths, team, agent }: InboxKey) => mailSpoolDir(paths, team, agent);

/** The client reads the inboxes of its own teams and knows nothing of our spools. */
export const hasSpool = ({ team }: InboxKey): boolean => !isNative(team);

/** Without the lock: every write is a rename, so this is the inbox before or after it. */
export function readSlots(box: InboxKey): Slot[] {
  const { changes } = hasSpool(box) ? readSpool(spoolOf(box), mailChange, LOOKED_AT_BYTES) : { changes: [] };
  return merged(box, readFile(box), changes);
}

/** How many files wait in the spool. */
export const spooled = (box: InboxKey): number => (hasSpool(box) ? spoolNames(spoolOf(box)).length : 0);

/** Accepted when this returns, without the lock. */
export const spool = (box: InboxKey, change: MailChange, now = new Date()): void =>
  dropChange(spoolOf(box), newId(now), change);

/** The lock could not be had, or was taken from us before the rename, with the temporary file or without. Nothing was written. */
export const isLocked = (error: unknown): boolean =>
  hasCode(error, "ELOCKED") || hasCode(error, "ELOCKLOST") || isTemporaryGone(error);

const isTemporaryGone = (error: unknown) =>
  hasCode(error, "ENOENT") && (error as NodeJS.ErrnoException).syscall === "rename";

/**
 * Merges the spool, then changes what is there; `undefined` changes nothing. `left`: what the spool still holds for lack of room, and
 * comes after everything in `slots`.
 */
export function updateSlots(
  box: InboxKey,
  waitMs: number | undefined,
  change: (slots: Slot[], left: number) => Slot[] | undefined,
): void {
  const path = pathOf(box);
  withLock(
    path,
    (held) => {
      if (hasSpool(box) && isTooLarge(path)) splitOverflow(box, new Date(), held.check);
      const { changes, left } = waiting(box);
      const late = takeLateMarks(path);
      const before = late.changes.reduce((slots, one) => applied(slots, one, () => []), readFile(box));
      const slots = merged(box, before, changes);
      const isMerged = changes.length + late.changes.length > 0;
      const next = change(slots, left) ?? (isMerged ? slots : undefined);
      if (next) writeWhole(path, serialised(next), { durable: true, beforeRename: held.check });
      removeChanges(spoolOf(box), changes);
      late.done();
    },
    waitMs,
  );
}

export const messagesIn = (slots: Slot[]): Message[] => slots.flatMap(({ message }) => message ?? []);

export const serialised = (slots: Slot[]): string =>
  `${JSON.stringify(
    slots.map(({ entry }) => entry),
    null,
    2,
  )}\n`;

function waiting(box: InboxKey): { changes: Spooled<MailChange>[]; left: number } {
  const names = spooled(box);
  const room = names > 0 ? MERGED_BYTES - (statSync(pathOf(box), { throwIfNoEntry: false })?.size ?? 0) : 0;
  return room > 0 ? readSpool(spoolOf(box), mailChange, room) : { changes: [], left: names };
}

function merged(box: InboxKey, slots: Slot[], changes: Spooled<MailChange>[]): Slot[] {
  let archive: Message[] | undefined;
  const archived = () => {
    archive ??= readArchive(box.paths, box.team, box.agent);
    return archive;
  };
  return changes.reduce((all, { change }) => applied(all, change, archived), slots);
}

const entries = listOf(anything);

/** A person may be writing it in place: only what stays broken is set aside, and never in a team of the client's. */
function readFile(box: InboxKey): Slot[] {
  const path = pathOf(box);
  if (isTooLarge(path)) return readBeginning(path);
  const own = () => (hasSpool(box) ? readJson(path, entries) : undefined);
  return (readForeignJson(path, entries) ?? own() ?? []).map(asSlot);
}

function readBeginning(path: string): Slot[] {
  const slots: Slot[] = [];
  scanEntries(path, (entry) => slots.push(asSlot(entry)), LARGEST_INBOX_BYTES);
  return slots;
}

const asSlot = (entry: unknown): Slot => ({ entry, message: asMessage(entry) });

/** Changes with every write: a rename brings a new inode even within one tick of the clock. */
export function mailboxStamp(box: InboxKey): string {
  const stat = statSync(pathOf(box), { throwIfNoEntry: false });
  const file = stat ? `${stat.mtimeMs}:${stat.ino}:${stat.size}` : "";
  const directory = spoolOf(box);
  if (!existsSync(directory)) return file;
  const names = spoolNames(directory);
  return names.length > 0 ? `${file}+${names.length}:${names.at(-1)}` : file;
}

/** The client watches only what is there. */
export function ensureInbox(paths: Paths, team: string, agent: string): string {
  const path = inboxPath(paths, team, agent);
  makeDirectory(dirname(path));
  createFile(path, "[]\n");
  return path;
}
