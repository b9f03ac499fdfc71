// The inbox of a mailbox and the changes that wait for its lock: paths, reading, and writing under the lock. The rules of delivery are
// in inbox.ts, the format of an entry in message.ts.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileKind, MB } from "../../core/file-kind.ts";
import {
  attempt,
  createFile,
  linkFile,
  makeDirectory,
  namesIn,
  readOwnText,
  readText,
  removeFile,
  sizeOf,
  stemsIn,
  type WriteOptions,
  writeWhole,
} from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import {
  dropChange,
  parsedLines,
  readForeignJson,
  readJson,
  readSpool,
  spoolNames,
} from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, segment, teamPath, whyNotSegment } from "../../core/paths.ts";
import { once, shared } from "../../core/process.ts";
import { anything, listOf } from "../../core/shape.ts";
import { isNative } from "../../teams/store/config.ts";
import { ARCHIVE, readArchived } from "./archive.ts";
import { BROADCASTS, linksByReader, readerOfLink } from "./broadcasts.ts";
import {
  applyChange,
  asSlot,
  type MailChange,
  type Message,
  mailChange,
  messagesIn,
  type Slot,
} from "./message.ts";
import { scanEntries, splitOverflow } from "./overflow.ts" with { loading: "lazy" };

const MERGED = "merged by the next process that holds the lock";

/** The inbox is a JSON array, replaced by rename under its lock; its spool holds the changes that wait for that lock. */
export const MAILBOX_FILES: readonly FileKind[] = [
  {
    name: "inboxes",
    path: "teams/<team>/inboxes/<agent>.json",
    kept: "read mail moves to the archive (mail.keep_read); senders are refused past mail.max_unread and mail.max_bytes",
  },
  { name: "changes to an inbox", path: "teams/<team>/spool/<agent>/<change>.json", kept: MERGED },
  BROADCASTS,
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
];

// Paths

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
export const broadcastsDir = (paths: Paths, team: string): string => teamPath(paths, team, "broadcasts");

/** Creates an empty inbox where there is none: the client watches only files that exist. */
export function ensureInbox(paths: Paths, team: string, agent: string): string {
  const path = inboxPath(paths, team, agent);
  if (existsSync(path)) return path;
  makeDirectory(dirname(path));
  // Linked, so that it has its content from the first moment: a reader would set an empty inbox aside as damaged.
  const temp = `${path}.tmp.${process.pid.toString(16)}-0`;
  createFile(temp, "[]\n");
  try {
    if (!linkFile(temp, path)) createFile(path, "[]\n"); // there by now, or a file system without links
  } finally {
    removeFile(temp);
  }
  return path;
}

// What a team has

/** The names for which there is an inbox, or something that waits to be merged into one; members or not. */
export function listInboxes(paths: Paths, team: string): string[] {
  const spooled = [...readersWithSpool(paths, team)].filter((name) => !whyNotSegment(name));
  const linked = readersWithLinks(broadcastsDir(paths, team)).keys();
  const named = stemsIn(inboxesDir(paths, team), ".json");
  return [...new Set([...named, ...linked, ...spooled])].sort();
}

/** The names for which there is an inbox or an archive. A removed member has only an archive left. */
export const listMailboxes = (paths: Paths, team: string): string[] =>
  [...new Set([...listInboxes(paths, team), ...stemsIn(teamPath(paths, team, "archive"), ".jsonl")])].sort();

/** The readers in whose spools something waits. */
export function readersWithSpool(paths: Paths, team: string): ReadonlySet<string> {
  const directory = teamPath(paths, team, "spool");
  const readers = existsSync(directory) ? namesIn(directory) : []; // most teams have none
  return new Set(readers.filter((reader) => spoolNames(join(directory, reader)).length > 0));
}

/** The readers for whom broadcasts wait, with the names of their links. */
export const readersWithLinks = (broadcasts: string): ReadonlyMap<string, readonly string[]> =>
  existsSync(broadcasts) ? linksByReader(broadcasts) : new Map(); // most teams have none

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

// Reading: the inbox file, and what waits to be merged into it

/** Larger inboxes are never read whole. */
const LARGEST_INBOX_BYTES = 12 * MB;
/** A spool is merged until the inbox has this size, and read so far without the lock; the rest waits until there is room. */
const MERGED_BYTES = 8 * MB;

/** `[{"text":""}]`: a smaller inbox holds no message and need not be read. */
export const SMALLEST_MESSAGE_BYTES = 13;

/** Without the lock, with what waits to be merged. Every write is a rename, so this is the inbox before or after it. */
export function readSlots(files: MailboxFiles): Slot[] {
  const { waiting } = readWaiting(files, MERGED_BYTES); // first: what is merged between the two reads would be missed
  const slots = sizeOf(files.inbox) < SMALLEST_MESSAGE_BYTES ? [] : readInboxFile(files);
  return withChanges(files, slots, waiting);
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

/** A file of changes that waits for the lock. */
interface Waiting {
  path: string;
  changes: MailChange[];
}

/** In the order in which they apply. `unmerged` counts the spooled changes for which there was no room. */
function readWaiting(files: MailboxFiles, room: number): { waiting: Waiting[]; unmerged: number } {
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
  return { waiting: [...linked, ...spooled], unmerged: left };
}

const linkNames = ({ broadcasts, agent }: MailboxFiles): readonly string[] =>
  readersWithLinks(broadcasts).get(agent) ?? [];

/** In the order in which they apply. */
const waitingNames = (files: MailboxFiles): string[] => [...linkNames(files), ...spoolNames(files.spool)];

export const hasWaiting = (files: MailboxFiles): boolean => waitingNames(files).length > 0;

function withChanges(files: MailboxFiles, slots: Slot[], waiting: Waiting[]): Slot[] {
  const archived = once(() => readArchived(files));
  const changes = waiting.flatMap((one) => one.changes);
  return changes.reduce((all, change) => applyChange(all, change, archived), slots);
}

/** Differs after every change of the inbox, or of what waits for it: a rename brings a new inode even within one tick of the clock. */
export function stampOf(files: MailboxFiles): string {
  const stat = statSync(files.inbox, { throwIfNoEntry: false });
  const file = stat ? `${stat.mtimeMs}:${stat.ino}:${stat.size}` : "";
  const names = waitingNames(files);
  return names.length > 0 ? `${file}+${names.length}:${names.at(-1)}` : file;
}

// Writing: into the inbox under its lock, or into its spool without

/**
 * Under the lock: merges what waits, then writes what `change` returns; `undefined` changes nothing. `unmerged` counts the spooled
 * changes for which there was no room; they are newer than everything in `slots`.
 */
export function updateSlots(
  files: MailboxFiles,
  waitMs: number | undefined,
  change: (slots: Slot[], unmerged: number) => Slot[] | undefined,
  durable: WriteOptions["durable"] = true,
): void {
  withLock(
    files.inbox,
    (held) => {
      if (!files.hasSpool) requireWhole(files.inbox);
      else if (sizeOf(files.inbox) > LARGEST_INBOX_BYTES) splitOverflow(files, new Date(), held.check);
      const old = readOldMarks(files.inbox);
      const { waiting, unmerged } = readWaiting(files, MERGED_BYTES - sizeOf(files.inbox));
      const merged = [...old, ...waiting];
      const slots = withChanges(files, readInboxFile(files), merged);
      const next = change(slots, unmerged) ?? (merged.length > 0 ? slots : undefined);
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

/** On disk when this returns, without the lock. */
export const spoolChange = ({ spool }: MailboxFiles, change: MailChange): void =>
  dropChange(spool, newId(new Date()), change);

/** Throws where an inbox of the client's own cannot be read to its end: what is written would be all that is left of it. */
function requireWhole(inbox: string): void {
  const size = sizeOf(inbox);
  if (size > LARGEST_INBOX_BYTES) throw new Error(`${inbox} has ${size} bytes, more than can be changed`);
  // The client makes it empty and fills it then.
  if (size > 0 && !readForeignJson(inbox, entries)) throw new Error(`${inbox} is damaged; it was left alone`);
}

/** Version 0.1.0 left marks beside an inbox whose lock it could not get; `.taken` is what a process died with. */
const readOldMarks = (inbox: string): Waiting[] =>
  [`${inbox}.shown.taken`, `${inbox}.shown`].flatMap((path) => {
    const text = existsSync(path) ? readOwnText(path) : undefined; // an exception is dear
    return text === undefined ? [] : { path, changes: parsedLines(text).flatMap(asOldMark) };
  });

const asOldMark = ({ ids, at }: { ids?: unknown; at?: unknown }): MailChange[] =>
  Array.isArray(ids) && typeof at === "string" ? [{ shown: ids, at }] : [];

const texts = new WeakMap<Slot[], string>();

/** Once for the same entries: a sender counts their bytes before they are written. */
export function serialised(slots: Slot[]): string {
  const entriesOf = () => slots.map(({ entry }) => entry);
  const text = texts.get(slots) ?? `${JSON.stringify(entriesOf(), null, 2)}\n`;
  texts.set(slots, text);
  return text;
}
