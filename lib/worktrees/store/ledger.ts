// The ledger of a repository: who wrote which file, when, in which tree, and who read it last. One line an entry, in 256 files by
// the hash of the file's name: a call reads only the part that its file is in, however much was written elsewhere. Whether a write
// is still uncommitted is not noted: git knows it better.

import { statSync } from "node:fs";
import { KB, type LogKind } from "../../core/file-kind.ts";
import { namesIn, readRotatedTail, statIfThere } from "../../core/files.ts";
import { appendLines, parsedLine, rotateIfFull } from "../../core/json.ts";
import { addTo } from "../../core/lists.ts";
import type { Paths } from "../../core/paths.ts";
import { branchOf, hashOf, ignoresCase, type Located, repositoryPath, type Tree } from "./repository.ts";

export const LEDGER: LogKind = {
  name: "ledgers of repositories",
  path: "swarm/repositories/<repository>/ledger/<part>.jsonl",
  ends: "age",
  maxBytes: 96 * KB,
};

export interface Entry {
  /** Milliseconds since 1970: when the call began. */
  at: number;
  /** Below the top level, with `/`; the same in every worktree. */
  file: string;
  /** The agent's key. */
  by: string;
  /** The top level of the tree. */
  tree: string;
  branch?: string;
  how: "edit" | "shell" | "read";
  /** The call's id, as the client names it. */
  call?: string;
}

/** Names that differ only in case lie together: on some systems they are one file. */
const partOf = (file: string): string => `${hashOf(file.toLowerCase()).slice(0, 2)}.jsonl`;

const directoryOf = (paths: Paths, tree: Pick<Tree, "common">) => repositoryPath(paths, tree, "ledger");

type Noted = Pick<Entry, "by" | "how" | "call"> & { now: Date };

export function noteFiles(paths: Paths, files: readonly Located[], { now, ...noted }: Noted): void {
  const branches = new Map<string, string | undefined>();
  const parts = new Map<string, Entry[]>();
  for (const { tree, file } of files) {
    if (!branches.has(tree.gitDir)) branches.set(tree.gitDir, branchOf(tree));
    const part = `${directoryOf(paths, tree)}/${partOf(file)}`;
    const entry = { at: now.getTime(), file, tree: tree.top, branch: branches.get(tree.gitDir), ...noted };
    addTo(parts, part, entry);
  }
  for (const [part, entries] of parts)
    if (appendLines(part, entries) > LEDGER.maxBytes) rotateIfFull(part, LEDGER.maxBytes);
}

/** All that is known about one file in every tree of its repository, oldest first. */
export function entriesOf(paths: Paths, tree: Pick<Tree, "common">, file: string): Entry[] {
  const part = readRotatedTail(`${directoryOf(paths, tree)}/${partOf(file)}`, 2 * LEDGER.maxBytes);
  const name = JSON.stringify(file);
  if (!ignoresCase(tree))
    return linesWith(part, name)
      .flatMap(parsed)
      .filter((entry) => entry.file === file);
  const lines = part.split("\n").filter((line) => line.toLowerCase().includes(name.toLowerCase()));
  return lines.flatMap(parsed).filter((entry) => entry.file.toLowerCase() === file.toLowerCase());
}

/** Not by splitting the text: a part has hundreds of lines, of which few are about one file. */
function linesWith(text: string, searched: string): string[] {
  const lines: string[] = [];
  for (let at = text.indexOf(searched); at >= 0; ) {
    const end = text.indexOf("\n", at);
    lines.push(text.slice(text.lastIndexOf("\n", at) + 1, end < 0 ? undefined : end));
    at = end < 0 ? -1 : text.indexOf(searched, end);
  }
  return lines;
}

/** A file's time may be that of the last tick before it was written. */
const TICK_MS = 20;

/** Every write since a moment, in one tree or in all, oldest first. Parts that did not change since are not opened. */
export function writesSince(paths: Paths, tree: Pick<Tree, "common">, since: Date, top?: string): Entry[] {
  const directory = directoryOf(paths, tree);
  const from = since.getTime();
  const changed = namesIn(directory).filter(
    (name) => (statSync(`${directory}/${name}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= from - TICK_MS,
  );
  const parts = new Set(changed.flatMap((name) => /^(\w+\.jsonl)(\.1)?$/.exec(name)?.[1] ?? []));
  return [...parts]
    .flatMap((part) => readRotatedTail(`${directory}/${part}`, 2 * LEDGER.maxBytes).split("\n"))
    .flatMap(parsed)
    .filter((entry) => entry.at >= from && entry.how !== "read" && (top === undefined || entry.tree === top))
    .sort((a, b) => a.at - b.at);
}

/** By file, the newest first. Reads the whole ledger: for calls that start git anyway. */
export function writesByFile(paths: Paths, tree: Pick<Tree, "common">): Map<string, Entry[]> {
  const found = new Map<string, Entry[]>();
  for (const entry of writesSince(paths, tree, new Date(0)).reverse()) addTo(found, entry.file, entry);
  return found;
}

/** An entry is made before its call runs. */
const CLOCK_SLACK_MS = 2_000;
const LONGEST_CALL_MS = 10 * 60_000;

/** When the file really changed; nothing where the call failed, was refused or has not run. */
export function changedAt({ tree, file, at }: Entry): number | undefined {
  const stat = statIfThere(`${tree}/${file}`);
  if (!stat) return at; // deleted
  if (stat.ctimeMs < at - CLOCK_SLACK_MS) return undefined;
  return stat.ctimeMs - at < LONGEST_CALL_MS ? Math.max(at, stat.ctimeMs) : at;
}

/** Torn and damaged lines are passed over. */
function parsed(line: string): Entry[] {
  const entry = parsedLine<Entry>(line);
  const texts = [entry?.file, entry?.by, entry?.tree];
  return typeof entry?.at === "number" && texts.every((one) => typeof one === "string") ? [entry] : [];
}
