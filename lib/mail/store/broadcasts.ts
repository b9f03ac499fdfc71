// Broadcasts to a large team: one file, linked once for each reader into one directory, is on disk after two syncs, where a write of
// each inbox takes one a reader. `<number>-<id>+<reader>.json` is a change that waits for the reader's lock like those in its spool. It
// applies before those: a reader whose spool holds something gets no link, and a sender's later message is spooled or written later.

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import {
  linkFile,
  makeDirectory,
  namesIn,
  removeFile,
  sizeOf,
  syncDirectory,
  writeWhole,
} from "../../core/files.ts";
import { newId } from "../../core/journal.ts";
import { addTo } from "../../core/lists.ts";
import { segment, whyNotSegment } from "../../core/paths.ts";
import type { MailChange } from "./message.ts";

export const BROADCASTS: FileKind = {
  name: "broadcasts to large teams",
  path: "teams/<team>/broadcasts/<change>.json",
  kept: "each reader merges and removes its own link",
};

/** `undefined` for other files: what a sender has not finished yet, and what other programs put there. */
export const readerOfLink = (name: string): string | undefined =>
  name.match(/^\d{12}-[A-Za-z0-9_-]+\+(.+)\.json$/)?.[1];

/** The names of the links of each reader, in the order in which they were sent. */
export function linksByReader(directory: string): Map<string, string[]> {
  const links = new Map<string, string[]>();
  for (const name of namesIn(directory).sort()) {
    const reader = readerOfLink(name);
    if (reader && !whyNotSegment(reader)) addTo(links, reader, name);
  }
  return links;
}

/** How many bytes these links have at most once they are merged: an entry of an inbox is indented. Links of one broadcast are one file. */
export function linkedBytes(directory: string): (names: readonly string[]) => number {
  const sizes = new Map<string, number>();
  return (names) =>
    names.reduce((sum, name) => {
      const broadcast = name.slice(0, name.indexOf("+"));
      const size = sizes.get(broadcast) ?? 2 * sizeOf(join(directory, name));
      sizes.set(broadcast, size);
      return sum + size;
    }, 0);
}

/**
 * Accepted when this returns, for those that it names. The inboxes of the others are written instead, which says what is wrong: a file
 * system without links, a directory that cannot be used or synced. One that has both shows it once.
 */
export function linkChange(directory: string, readers: readonly string[], change: MailChange): string[] {
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
      const linked = readers.filter((reader) => linkFile(whole, `${stem}+${segment(reader)}.json`));
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
