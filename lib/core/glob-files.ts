// The files a pattern names, found folder by folder: shallow ones first, in order of name. Links to folders are not
// followed, folders nobody means are passed over, and the search ends when enough is found or too much was looked at.
import { type Dirent, opendirSync, readdirSync, statSync } from "node:fs";
import { alternatives, isGlob, nameMatcher } from "./glob.ts";
import { hasCode, isAbsence } from "./read-file.ts";

const PASSED_OVER = new Set(["node_modules", ".git"]);
/** Directory entries looked at for one pattern: a few milliseconds' worth. */
export const MOST_ENTRIES = 1_000;
const ENTRIES_AT_ONCE = 512;
/** A directory file of this size has some thousands of entries. */
const CROWDED_BYTES = 48 * 1024;

export interface Found {
  paths: string[];
  /** There may be more. */
  isCut: boolean;
}

interface Place {
  directory: string;
  parts: string[];
}

/** `pattern` with forward slashes, below `root`; at most `most` files. */
export function matchingFiles(root: string, pattern: string, most: number): Found {
  const paths = new Set<string>();
  const purse = { left: MOST_ENTRIES };
  for (const one of alternatives(pattern)) {
    const parts = one.split("/").filter((part) => part !== "" && part !== ".");
    for (const path of walk({ directory: root, parts }, purse)) {
      if (paths.size === most) return { paths: [...paths], isCut: true };
      paths.add(path);
    }
  }
  return { paths: [...paths], isCut: purse.left <= 0 };
}

type List = (directory: string) => Dirent[];

function* walk(start: Place, purse: { left: number }): Generator<string> {
  const queue: Place[] = [start];
  const known = new Map<string, Dirent[]>();
  const list: List = (directory) => {
    const entries = known.get(directory) ?? listing(directory, purse);
    known.set(directory, entries);
    return entries;
  };
  for (let place = queue.shift(); place; place = queue.shift()) {
    const [part, ...rest] = place.parts;
    if (part === undefined || (purse.left <= 0 && !known.has(place.directory))) continue;
    if (part === "**") queue.push(...acrossFolders(place, rest, list));
    else if (rest.length > 0) queue.push(...oneFolderDown(place.directory, part, rest, list));
    else yield* filesIn(place.directory, part, list);
  }
}

/** Here first, then one folder down with the same pattern. */
function acrossFolders({ directory, parts }: Place, rest: string[], list: List): Place[] {
  const below = list(directory).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith(".") && !PASSED_OVER.has(entry.name),
  );
  const here = { directory, parts: rest.length > 0 ? rest : ["*"] };
  return [here, ...inOrder(below).map((name) => ({ directory: `${directory}/${name}`, parts }))];
}

function oneFolderDown(directory: string, part: string, rest: string[], list: List): Place[] {
  if (!isGlob(part)) return [{ directory: `${directory}/${part}`, parts: rest }];
  const matches = nameMatcher(part);
  const matching = list(directory).filter((entry) => entry.isDirectory() && matches(entry.name));
  return inOrder(matching).map((name) => ({ directory: `${directory}/${name}`, parts: rest }));
}

function filesIn(directory: string, part: string, list: List): string[] {
  if (!isGlob(part)) return isFile(`${directory}/${part}`) ? [`${directory}/${part}`] : [];
  const matches = nameMatcher(part);
  const matching = list(directory).filter(
    (entry) => matches(entry.name) && (entry.isFile() || entry.isSymbolicLink()),
  );
  return inOrder(matching).map((name) => `${directory}/${name}`);
}

/** Only what matched is put in order: of ten thousand that is little. */
const inOrder = (entries: Dirent[]) => entries.map((entry) => entry.name).sort();

/** `readdirSync` is the faster, but reads a folder of ten thousand to its end before it answers. */
function listing(directory: string, purse: { left: number }): Dirent[] {
  if (purse.left <= 0) return [];
  try {
    const entries =
      statSync(directory).size > CROWDED_BYTES
        ? firstEntries(directory, purse.left)
        : readdirSync(directory, { withFileTypes: true });
    purse.left -= entries.length;
    return entries;
  } catch (error) {
    if (isClosed(error)) return [];
    throw error;
  }
}

function firstEntries(directory: string, most: number): Dirent[] {
  const open = opendirSync(directory, { bufferSize: ENTRIES_AT_ONCE });
  const entries: Dirent[] = [];
  for (let entry = open.readSync(); entry && entries.length < most; entry = open.readSync())
    entries.push(entry);
  open.closeSync();
  return entries;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    if (isClosed(error)) return false;
    throw error;
  }
}

const isClosed = (error: unknown) =>
  isAbsence(error) || ["EACCES", "EPERM", "ELOOP"].some((code) => hasCode(error, code));
