// The files of one mailbox: inbox, spool, archive and wake triggers. The rules of delivery are in inbox.ts, the format of an entry in
// message.ts.

import { existsSync, linkSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileKind, type LogKind, MB } from "../../core/file-kind.ts";
import {
  attempt,
  createFile,
  hasCode,
  isAbsence,
  isNoFile,
  makeDirectory,
  namesIn,
  readOwnText,
  readRotatedTail,
  readText,
  removeFile,
  sizeOf,
  stemsIn,
  syncDirectory,
  type WriteOptions,
  withFile,
  writeWhole,
} from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import {
  appendLines,
  dropChange,
  parsedLines,
  readForeignJson,
  readJson,
  readSpool,
  rotateIfFull,
  spoolNames,
} from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, segment, teamPath, whyNotSegment } from "../../core/paths.ts";
import { noteProblem, once, shared } from "../../core/process.ts";
import { anything, listOf } from "../../core/shape.ts";
import { isNative } from "../../teams/store/config.ts";
import {
  applyChange,
  asMessage,
  asSlot,
  type MailChange,
  type Message,
  mailChange,
  messagesIn,
  type Slot,
} from "./message.ts";
import { scanEntries, splitOverflow } from "./overflow.ts" with { loading: "lazy" };

const ARCHIVE: LogKind = {
  name: "mail archives",
  path: "teams/<team>/archive/<agent>.jsonl",
  kept: "two of a size",
  maxBytes: 8 * MB,
};
const MERGED = "merged by the next process that holds the lock";

/** The inbox is a JSON array, replaced by rename under its lock; its spool holds the changes that wait for that lock. */
export const MAILBOX_FILES: readonly FileKind[] = [
  {
    name: "inboxes",
    path: "teams/<team>/inboxes/<agent>.json",
    kept: "read mail moves to the archive (mail.keep_read); senders are refused past mail.max_unread and mail.max_bytes",
  },
  { name: "changes to an inbox", path: "teams/<team>/spool/<agent>/<change>.json", kept: MERGED },
  {
    name: "broadcasts to large teams",
    path: "teams/<team>/broadcasts/<change>.json",
    kept: "each reader merges and removes its own link",
  },
  { name: "marks of 0.1.0", path: "teams/<team>/inboxes/<agent>.json.{shown,shown.taken}", kept: MERGED },
  ARCHIVE,
  {
    name: "inboxes that were too large",
    path: "teams/<team>/archive/<agent>.overflow-<time>.json",
    ends: "person",
  },
  {
    name: "inboxes of removed members",
    path: "teams/<team>/archive/<agent>.removed-<time>.json",
    ends: "person",
  },
  { name: "wake triggers", path: "teams/<team>/bells/<agent>", kept: "two a member, a character each" },
];

export type MailboxFiles = ReturnType<typeof mailboxFiles>;

export function mailboxFiles(paths: Paths, team: string, agent: string) {
  const name = segment(agent);
  return {
    paths,
    team,
    agent,
    inbox: inboxPath(paths, team, agent),
    spool: teamPath(paths, team, "spool", name),
    broadcasts: broadcastsDir(paths, team),
    archive: teamPath(paths, team, "archive", `${name}.jsonl`),
    /** Not in the client's own teams: the client reads those inboxes and knows nothing of our spools. */
    hasSpool: !isNative(team),
    /** Where the inbox is kept when it is taken out of use. */
    asidePath: (why: "removed" | "overflow", stamp: string) =>
      teamPath(paths, team, "archive", `${name}.${why}-${stamp}.json`),
  };
}

export const inboxesDir = (paths: Paths, team: string): string => teamPath(paths, team, "inboxes");
export const inboxPath = (paths: Paths, team: string, agent: string): string =>
  teamPath(paths, team, "inboxes", `${segment(agent)}.json`);
export const wakeTriggerPath = (paths: Paths, team: string, agent: string, which: number): string =>
  teamPath(paths, team, "bells", `${segment(agent)}.${which}`);

/** A file whose change may mean new mail: an inbox or a wake trigger. */
export const isWatchedMail = (path: string): boolean =>
  /[\\/](inboxes[\\/][^\\/]+\.json|bells[\\/][^\\/]+)$/.test(path);

/** The names for which there is an inbox, or something that waits to be merged into one; members or not. */
export function listInboxes(paths: Paths, team: string): string[] {
  const spooled = [...readersWithSpool(paths, team)].filter(isSegment);
  const linked = linksByReader(paths, team).keys();
  const named = stemsIn(inboxesDir(paths, team), ".json");
  return [...new Set([...named, ...linked, ...spooled])].sort();
}

/** The names for which there is an inbox or an archive. A removed member has only an archive left. */
export const listMailboxes = (paths: Paths, team: string): string[] =>
  [...new Set([...listInboxes(paths, team), ...stemsIn(teamPath(paths, team, "archive"), ".jsonl")])].sort();

const isSegment = (name: string): boolean => !whyNotSegment(name);

/** Larger inboxes are never read whole. */
const LARGEST_INBOX_BYTES = 12 * MB;
/** A spool is merged until the inbox has this size, and read so far without the lock; the rest waits until there is room. */
const MERGED_BYTES = 8 * MB;

/** `[{"text":""}]`: a smaller inbox holds no message and need not be read. */
export const SMALLEST_MESSAGE_BYTES = 13;

/** Without the lock, spooled mail included. Every write is a rename, so this is the inbox before or after it. */
export function readSlots(files: MailboxFiles): Slot[] {
  const { waiting } = readWaiting(files, MERGED_BYTES); // first: what is merged between the two reads would be missed
  const slots = sizeOf(files.inbox) < SMALLEST_MESSAGE_BYTES ? [] : readInboxFile(files);
  return withChanges(files, slots, waiting);
}

/** The readers in whose spools something waits: of most teams none, which one look shows. */
export function readersWithSpool(paths: Paths, team: string): ReadonlySet<string> {
  const directory = teamPath(paths, team, "spool");
  const readers = existsSync(directory) ? namesIn(directory) : [];
  return new Set(readers.filter((reader) => spoolNames(join(directory, reader)).length > 0));
}

/** In the order in which they apply. */
const waitingNames = (files: MailboxFiles): string[] => [...linkNames(files), ...spoolNames(files.spool)];

export const hasWaiting = (files: MailboxFiles): boolean => waitingNames(files).length > 0;

/** On disk when this returns, without the lock. */
export const spoolChange = ({ spool }: MailboxFiles, change: MailChange): void =>
  dropChange(spool, newId(new Date()), change);

/**
 * Under the lock: merges the spool, then writes what `change` returns; `undefined` changes nothing. `left` counts the spooled
 * changes for which there was no room; they are newer than everything in `slots`.
 */
export function updateSlots(
  files: MailboxFiles,
  waitMs: number | undefined,
  change: (slots: Slot[], left: number) => Slot[] | undefined,
  durable: WriteOptions["durable"] = true,
): void {
  withLock(
    files.inbox,
    (held) => {
      if (!files.hasSpool) requireWhole(files.inbox);
      else if (sizeOf(files.inbox) > LARGEST_INBOX_BYTES) splitOverflow(files, new Date(), held.check);
      const old = readOldMarks(files.inbox);
      const { waiting, left } = readWaiting(files, MERGED_BYTES - sizeOf(files.inbox));
      const merged = [...old, ...waiting];
      const slots = withChanges(files, readInboxFile(files), merged);
      const next = change(slots, left) ?? (merged.length > 0 ? slots : undefined);
      if (next) {
        const text = serialised(next);
        // What leaves the spool must be in the inbox for good.
        writeWhole(files.inbox, text, { durable: merged.length > 0 || durable, beforeRename: held.check });
        remembered(text, next);
      }
      for (const { path } of merged) removeFile(path);
    },
    waitMs,
  );
}

/** Throws where an inbox of the client's own cannot be read to its end: what is written would be all that is left of it. */
function requireWhole(inbox: string): void {
  const size = sizeOf(inbox);
  if (size > LARGEST_INBOX_BYTES) throw new Error(`${inbox} has ${size} bytes, more than can be changed`);
  // The client makes it empty and fills it then.
  if (size > 0 && !readForeignJson(inbox, entries)) throw new Error(`${inbox} is damaged; it was left alone`);
}

const texts = new WeakMap<Slot[], string>();

/** Once for the same entries: a sender counts their bytes before they are written. */
export function serialised(slots: Slot[]): string {
  const entriesOf = () => slots.map(({ entry }) => entry);
  const text = texts.get(slots) ?? `${JSON.stringify(entriesOf(), null, 2)}\n`;
  texts.set(slots, text);
  return text;
}

/** A file of changes that waits for the lock. */
interface Waiting {
  path: string;
  changes: MailChange[];
}

/** In the order in which they apply. `left` counts the spooled changes for which there was no room. */
function readWaiting(files: MailboxFiles, room: number): { waiting: Waiting[]; left: number } {
  const { spool, broadcasts } = files;
  const { changes, left } =
    room > 0 ? readSpool(spool, mailChange, room) : { changes: [], left: spoolNames(spool).length };
  const spooled = changes.map(({ name, change }) => ({ path: join(spool, name), changes: [change] }));
  // After the spool: what was linked before something in it is then seen too.
  const linked = linkNames(files).flatMap((name) => {
    const path = join(broadcasts, name);
    const change = readJson(path, mailChange);
    return change ? { path, changes: [change] } : [];
  });
  return { waiting: [...linked, ...spooled], left };
}

// Broadcasts to a large team: one file, linked once for each reader into one directory, is on disk after two syncs, where a write of
// each inbox takes one a reader. `<number>-<id>+<reader>.json` is a change that waits for the reader's lock like those in its spool. It
// applies before those: a reader whose spool holds something gets no link, and a sender's later message is spooled or written later.

const broadcastsDir = (paths: Paths, team: string): string => teamPath(paths, team, "broadcasts");

const readerOfLink = (name: string): string | undefined =>
  name.match(/^\d{12}-[A-Za-z0-9_-]+\+(.+)\.json$/)?.[1];

/** By reader, in the order in which they were sent. */
export function linksByReader(paths: Paths, team: string): Map<string, string[]> {
  const links = new Map<string, string[]>();
  const directory = broadcastsDir(paths, team);
  if (!existsSync(directory)) return links; // as in most teams
  for (const name of namesIn(directory).sort()) {
    const reader = readerOfLink(name);
    if (reader && isSegment(reader)) addTo(links, reader, name);
  }
  return links;
}

const linkNames = ({ paths, team, agent }: MailboxFiles): string[] =>
  linksByReader(paths, team).get(agent) ?? [];

/** How many bytes these links have at most once they are merged: an entry of an inbox is indented. Links of one broadcast are one file. */
export function linkedBytes(paths: Paths, team: string): (names: readonly string[]) => number {
  const sizes = new Map<string, number>();
  return (names) =>
    names.reduce((sum, name) => {
      const one = name.slice(0, name.indexOf("+"));
      const size = sizes.get(one) ?? 2 * sizeOf(join(broadcastsDir(paths, team), name));
      sizes.set(one, size);
      return sum + size;
    }, 0);
}

/**
 * Accepted when this returns, for those that it names. The inboxes of the others are written instead, which says what is wrong: a file
 * system without links, a directory that cannot be used or synced. One that has both shows it once.
 */
export function linkChange(paths: Paths, team: string, readers: string[], change: MailChange): string[] {
  const directory = broadcastsDir(paths, team);
  try {
    makeDirectory(directory);
    syncDirectory(dirname(directory));
    const names = namesIn(directory);
    removeUnfinished(directory, names);
    const last = Number(names.sort().findLast(isNumbered)?.slice(0, 12) ?? 0);
    const stem = join(directory, `${String(last + 1).padStart(12, "0")}-${newId(new Date())}`);
    const whole = `${stem}.json`;
    try {
      writeWhole(whole, `${JSON.stringify(change)}\n`, { durable: true });
      const linked = readers.filter((reader) => isLinked(whole, `${stem}+${segment(reader)}.json`));
      syncDirectory(directory);
      return linked;
    } finally {
      removeFile(whole);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error; // not of the file system
    return [];
  }
}

const isNumbered = (name: string): boolean => /^\d{12}-/.test(name);

const UNFINISHED_MS = 10 * 60_000;

/** What senders that died have left. One that still lives and finds its file gone writes the inboxes. */
function removeUnfinished(directory: string, names: readonly string[]): void {
  for (const name of names.filter((one) => isNumbered(one) && !one.includes("+"))) {
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && Math.abs(Date.now() - stat.mtimeMs) > UNFINISHED_MS) removeFile(path);
  }
}

const isLinked = (from: string, to: string): boolean =>
  attempt(() => {
    linkSync(from, to);
    return true;
  }) === true;

/** Version 0.1.0 left marks beside an inbox whose lock it could not get; `.taken` is what a process died with. */
const readOldMarks = (inbox: string): Waiting[] =>
  [`${inbox}.shown.taken`, `${inbox}.shown`].flatMap((path) => {
    const text = existsSync(path) ? readOwnText(path) : undefined; // an exception is dear
    return text === undefined ? [] : { path, changes: parsedLines(text).flatMap(asOldMark) };
  });

const asOldMark = ({ ids, at }: { ids?: unknown; at?: unknown }): MailChange[] =>
  Array.isArray(ids) && typeof at === "string" ? [{ shown: ids, at }] : [];

function withChanges(files: MailboxFiles, slots: Slot[], waiting: Waiting[]): Slot[] {
  const archived = once(() => readArchived(files));
  const changes = waiting.flatMap((one) => one.changes);
  return changes.reduce((all, change) => applyChange(all, change, archived), slots);
}

const entries = listOf(anything);

function readInboxFile({ inbox, hasSpool }: Pick<MailboxFiles, "inbox" | "hasSpool">): Slot[] {
  if (sizeOf(inbox) > LARGEST_INBOX_BYTES) return readBeginning(inbox);
  const text = readText(inbox);
  if (text === undefined) return [];
  const known = shared().inbox;
  if (known?.text === text) return known.slots as Slot[];
  const listed: unknown = attempt(() => JSON.parse(text));
  if (Array.isArray(listed)) return remembered(text, listed.map(asSlot));
  // A person may be writing the file in place, so it is read again before it counts as damaged; never so in the client's own teams.
  const again = readForeignJson(inbox, entries) ?? (hasSpool ? readJson(inbox, entries) : undefined);
  return (again ?? []).map(asSlot);
}

/** A delivery reads the same mail three times, to look, to claim and to mark it: comparing texts costs a hundredth of parsing one. */
function remembered(text: string, slots: Slot[]): Slot[] {
  shared().inbox = { text, slots };
  return slots;
}

function readBeginning(inbox: string): Slot[] {
  const slots: Slot[] = [];
  scanEntries(inbox, (entry) => slots.push(asSlot(entry)), LARGEST_INBOX_BYTES);
  return slots;
}

/** All messages of a team's directory, wherever that was moved to: in its inboxes, or waiting to be merged into them. */
export function readInboxesBelow(teamDirectory: string): Message[] {
  const at = (...parts: string[]) => join(teamDirectory, ...parts);
  const merged = stemsIn(at("inboxes"), ".json").flatMap((name) =>
    readInboxFile({ inbox: at("inboxes", `${name}.json`), hasSpool: false }),
  );
  const spooled = namesIn(at("spool")).flatMap((reader) =>
    spoolNames(at("spool", reader)).map((name) => at("spool", reader, name)),
  );
  const linked = namesIn(at("broadcasts")).filter(readerOfLink);
  const changes = [...spooled, ...linked.map((name) => at("broadcasts", name))].flatMap(
    (path) => readForeignJson(path, mailChange) ?? [],
  );
  return [...messagesIn(merged), ...changes.flatMap((one) => ("messages" in one ? one.messages : []))];
}

/** Changes with every write: a rename brings a new inode even within one tick of the clock. */
export function stampOf(files: MailboxFiles): string {
  const stat = statSync(files.inbox, { throwIfNoEntry: false });
  const file = stat ? `${stat.mtimeMs}:${stat.ino}:${stat.size}` : "";
  const names = waitingNames(files);
  return names.length > 0 ? `${file}+${names.length}:${names.at(-1)}` : file;
}

/** Creates an empty inbox where there is none: the client watches only files that exist. */
export function ensureInbox(paths: Paths, team: string, agent: string): string {
  const path = inboxPath(paths, team, agent);
  if (existsSync(path)) return path;
  makeDirectory(dirname(path));
  // Linked, so that it has its content from the first moment: a reader would set an empty inbox aside as damaged.
  const temp = `${path}.tmp.${process.pid.toString(16)}-0`;
  createFile(temp, "[]\n");
  try {
    if (!isLinked(temp, path)) createFile(path, "[]\n"); // there by now, or a file system without links
  } finally {
    removeFile(temp);
  }
  return path;
}

const ARCHIVE_TAIL_BYTES = 512 * 1024;

/** Durable when it returns: only then may the inbox drop these. A part of a message adds to an earlier line of the same id. */
export function appendArchived({ archive }: MailboxFiles, messages: Partial<Message>[]): void {
  if (messages.length === 0) return;
  appendLines(archive, messages, { durable: true });
  rotateIfFull(archive, ARCHIVE.maxBytes);
}

/** The newest of it, oldest first. */
export function readArchived({ archive }: MailboxFiles): Message[] {
  const byId = new Map<string | number, Message>();
  for (const [at, message] of parsedLines<Message>(readRotatedTail(archive, ARCHIVE_TAIL_BYTES)).entries()) {
    const key = message.id || at; // of other programs, without one
    byId.set(key, { ...byId.get(key), ...message });
  }
  return [...byId.values()].flatMap((message) => asMessage(message) ?? []);
}

// Wake triggers: two files beside each inbox for the client to watch. It loses its watch of a file that is renamed over twice within
// milliseconds, as inboxes are; a trigger is only ever written in place. Two, used in turns of a second, because the client reports
// a change only after the file has been quiet for half a second.

/** Fires the client's FileChanged hook of a session that watches this mailbox. Without a trigger file nothing watches. */
export function touchTrigger(paths: Paths, team: string, agent: string): void {
  const trigger = wakeTriggerPath(paths, team, agent, Math.floor(Date.now() / 1000) % 2);
  if (existsSync(trigger)) writeTrigger(trigger, "change");
}

export function ensureTriggers(paths: Paths, team: string, agent: string): string[] {
  const triggers = [0, 1].map((which) => wakeTriggerPath(paths, team, agent, which));
  const missing = triggers.filter((trigger) => !existsSync(trigger));
  if (missing.length > 0) makeDirectory(teamPath(paths, team, "bells"));
  for (const trigger of missing) writeTrigger(trigger, "create");
  return triggers;
}

/** The mail is on disk by now: a trigger that cannot be written must not make its sender send again. */
function writeTrigger(trigger: string, purpose: "change" | "create"): void {
  try {
    withFile(trigger, purpose, (fd) => writeSync(fd, "!", 0));
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "EEXIST", "EACCES")) return;
    if (!isNoFile(error) && !hasCode(error, "ENOSPC", "EDQUOT", "EROFS")) throw error;
    noteProblem(`${trigger} wakes nobody: ${(error as Error).message}`);
  }
}
