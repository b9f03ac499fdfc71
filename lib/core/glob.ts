// Every pattern that comes from outside: file patterns of settings, tool patterns, the shell's own patterns in a command.
// Matched without regular expressions, whose backtracking takes exponential time on a hostile pattern. The work is at most
// (length of the pattern) × (length of the text), and a call that would need more than MOST_STEPS throws.

import { type Dirent, opendirSync, readdirSync, statSync } from "node:fs";
import { hasCode, ifReadable, isFile } from "./files.ts";

const MOST_ALTERNATIVES = 32;
const LONGEST_FILE_PATTERN = 4_096;
const MOST_STEPS = 1_000_000;

const LIMIT_CODE = "PATTERN_LIMIT";
export const isPatternLimit = (error: unknown): boolean => hasCode(error, LIMIT_CODE);

export const isGlob = (path: string): boolean => /[*?[{]/.test(path);

/** `a/{b,c}` as `a/b` and `a/c`; what is too much or never closed is taken as it stands. */
export function alternatives(pattern: string): string[] {
  if (pattern.length > LONGEST_FILE_PATTERN) return [pattern];
  let done = [pattern];
  for (;;) {
    const next = done.flatMap(expandFirst);
    if (next.length === done.length || next.length > MOST_ALTERNATIVES) return done;
    done = next;
  }
}

function expandFirst(pattern: string): string[] {
  const match = pattern.match(/^([^{}]*)\{([^{}]*,[^{}]*)\}([\s\S]*)$/);
  if (!match) return [pattern];
  const [, before = "", choices = "", after = ""] = match;
  return choices.split(",").map((choice) => before + choice + after);
}

/** One character: itself, any (`null`), or one of a list. */
type One = string | null | ((char: string) => boolean);
const RUN = Symbol("any run of characters");
type Tokens = readonly (One | typeof RUN)[];

export interface PatternRules {
  /** Only `*` is special; `?` and `[` stand for themselves. */
  starsOnly?: boolean;
  /** Other characters that stand for any run. */
  isRun?: (char: string) => boolean;
  /** A bracket with unusual content matches any one character, for callers that must not miss a match. */
  isGenerous?: boolean;
}

export function patternOf(pattern: string, rules: PatternRules = {}) {
  const tokens = tokensOf(pattern, rules);
  return {
    matches: (text: string) => matchesWhole(tokens, text, stepCounter()),
    /** The length of the shortest or longest beginning of `text` that it matches. */
    prefix: (text: string, longest: boolean) => prefixLength(tokens, text, longest, stepCounter()),
    /** The same for the end of `text`. */
    suffix: (text: string, longest: boolean) =>
      prefixLength(tokens.toReversed(), reversed(text), longest, stepCounter()),
    /** Replaces the first match, or all that do not overlap: from the left, the longest at each place. */
    replace: (text: string, replacement: string, all: boolean) =>
      replaced(tokens, text, replacement, all, stepCounter()),
  };
}

type Count = (steps: number) => void;

function stepCounter(): Count {
  let left = MOST_STEPS;
  return (steps) => {
    left -= steps;
    if (left < 0) throw Object.assign(new Error("a pattern takes too long to match"), { code: LIMIT_CODE });
  };
}

/** From the left; where a character does not fit, the last run takes one more and what follows it is tried again. */
function matchesWhole(tokens: Tokens, text: string, count: Count): boolean {
  let next = 0; // in the tokens
  let at = 0; // in the text
  let run: { next: number; end: number } | undefined;
  while (at < text.length) {
    const token = tokens[next];
    if (token === RUN) {
      next++;
      run = { next, end: at };
    } else if (token !== undefined && fits(token, text.charAt(at))) {
      next++;
      at++;
    } else if (run) {
      count(at - run.end);
      next = run.next;
      at = ++run.end;
    } else return false;
  }
  return tokens.slice(next).every((token) => token === RUN);
}

/** Follows all ways to match at once, one character at a time. */
function prefixLength(tokens: Tokens, text: string, longest: boolean, count: Count): number | undefined {
  let open = withRuns(tokens, new Set([0]));
  let found: number | undefined;
  for (let at = 0; ; at++) {
    if (open.has(tokens.length)) found = at;
    if (at >= text.length || open.size === 0 || (found !== undefined && !longest)) return found;
    open = advanced(tokens, open, text.charAt(at), count);
  }
}

function advanced(tokens: Tokens, open: ReadonlySet<number>, char: string, count: Count): Set<number> {
  count(open.size);
  const next = new Set<number>();
  for (const at of open) {
    const token = tokens[at];
    if (token === RUN) next.add(at);
    else if (token !== undefined && fits(token, char)) next.add(at + 1);
  }
  return withRuns(tokens, next);
}

/** Where in `text` a match begins: one pass from the end, in which a match may end anywhere. */
function startsIn(tokens: Tokens, text: string, count: Count): number[] {
  const backwards = tokens.toReversed();
  const starts: number[] = [];
  let open = withRuns(backwards, new Set([0]));
  for (let at = text.length; ; at--) {
    if (open.has(backwards.length)) starts.push(at);
    if (at === 0) return starts.reverse();
    open = withRuns(backwards, advanced(backwards, open, text.charAt(at - 1), count).add(0));
  }
}

function replaced(tokens: Tokens, text: string, replacement: string, all: boolean, count: Count): string {
  let done = "";
  let from = 0;
  for (const start of startsIn(tokens, text, count)) {
    if (start < from) continue;
    const length = prefixLength(tokens, text.slice(start), true, count) ?? 0;
    if (length === 0) continue;
    done += text.slice(from, start) + replacement;
    from = start + length;
    if (!all) break;
  }
  return done + text.slice(from);
}

const fits = (one: One, char: string): boolean =>
  one === null || (typeof one === "string" ? one === char : one(char));

const reversed = (text: string) => text.split("").reverse().join("");

/** A run may be empty: the place behind it is open as well. Runs never stand side by side. */
function withRuns(tokens: Tokens, open: Set<number>): Set<number> {
  for (const at of open) if (tokens[at] === RUN) open.add(at + 1);
  return open;
}

function tokensOf(pattern: string, { starsOnly, isRun, isGenerous }: PatternRules): Tokens {
  const tokens: Tokens[number][] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "*" || isRun?.(char)) {
      if (tokens.at(-1) !== RUN) tokens.push(RUN);
      continue;
    }
    const close = char === "[" && !starsOnly ? closeOf(pattern, at) : -1;
    if (close > 0) {
      tokens.push(listed(pattern.slice(at + 1, close), isGenerous === true));
      at = close;
    } else tokens.push(char === "?" && !starsOnly ? null : char);
  }
  return tokens;
}

const LONGEST_BRACKET = 64;

function closeOf(pattern: string, at: number): number {
  const close = pattern.slice(at, at + LONGEST_BRACKET).indexOf("]", 2);
  return close < 0 ? -1 : at + close;
}

function listed(list: string, isGenerous: boolean): One {
  const isNot = list.startsWith("!") || list.startsWith("^");
  const signs = isNot ? list.slice(1) : list;
  if (isGenerous && (!/^[\w\s/.,:@-]+$/.test(signs) || hasReversedRange(signs))) return null;
  return (char) => isListed(signs, char) !== isNot;
}

const hasReversedRange = (signs: string) =>
  [...signs.matchAll(/(.)-(.)/gs)].some(([, from = "", to = ""]) => from > to);

function isListed(signs: string, sign: string): boolean {
  for (let at = 0; at < signs.length; at++) {
    const isRange = signs[at + 1] === "-" && at + 2 < signs.length;
    const last = isRange ? signs[at + 2] : signs[at];
    if (sign >= (signs[at] ?? "") && sign <= (last ?? "")) return true;
    if (isRange) at += 2;
  }
  return false;
}

/** For one part of a path. A name that begins with a dot must be asked for with one. */
export function nameMatcher(part: string): (name: string) => boolean {
  const pattern = patternOf(part);
  return (name) => (!name.startsWith(".") || part.startsWith(".")) && pattern.matches(name);
}

// The files a pattern names, found folder by folder: shallow ones first, in order of name. Links to folders are not
// followed, folders nobody means are passed over, and the search ends when enough is found or too much was looked at.
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
  const budget = { left: MOST_ENTRIES };
  for (const one of alternatives(pattern)) {
    const parts = one.split("/").filter((part) => part !== "" && part !== ".");
    for (const path of walk({ directory: root, parts }, budget)) {
      if (paths.size === most) return { paths: [...paths], isCut: true };
      paths.add(path);
    }
  }
  return { paths: [...paths], isCut: budget.left <= 0 };
}

type List = (directory: string) => Dirent[];

function* walk(start: Place, budget: { left: number }): Generator<string> {
  const queue: Place[] = [start];
  const known = new Map<string, Dirent[]>();
  const list: List = (directory) => {
    const entries = known.get(directory) ?? listing(directory, budget);
    known.set(directory, entries);
    return entries;
  };
  for (let place = queue.shift(); place; place = queue.shift()) {
    const [part, ...rest] = place.parts;
    if (part === undefined || (budget.left <= 0 && !known.has(place.directory))) continue;
    if (part === "**") queue.push(...acrossFolders(place, rest, list));
    else if (rest.length > 0) queue.push(...placesAt(named(place.directory, part, list, isFolder), rest));
    else if (isGlob(part)) yield* named(place.directory, part, list, isFileOrLink);
    else if (isFile(`${place.directory}/${part}`)) yield `${place.directory}/${part}`;
  }
}

const isFolder = (entry: Dirent) => entry.isDirectory();
const isFileOrLink = (entry: Dirent) => entry.isFile() || entry.isSymbolicLink();
const placesAt = (directories: string[], parts: string[]): Place[] =>
  directories.map((directory) => ({ directory, parts }));

/** Here first, then one folder down with the same pattern. */
function acrossFolders({ directory, parts }: Place, rest: string[], list: List): Place[] {
  const isMeant = (entry: Dirent) =>
    isFolder(entry) && !entry.name.startsWith(".") && entry.name !== "node_modules";
  const here = { directory, parts: rest.length > 0 ? rest : ["*"] };
  return [here, ...placesAt(pathsIn(directory, list, isMeant), parts)];
}

/** A name that is no pattern is not looked for. */
function named(directory: string, part: string, list: List, isMeant: (entry: Dirent) => boolean): string[] {
  if (!isGlob(part)) return [`${directory}/${part}`];
  const matches = nameMatcher(part);
  return pathsIn(directory, list, (entry) => matches(entry.name) && isMeant(entry));
}

/** Only what matched is put in order: of ten thousand that is little. */
const pathsIn = (directory: string, list: List, isMeant: (entry: Dirent) => boolean): string[] =>
  list(directory)
    .filter(isMeant)
    .map((entry) => `${directory}/${entry.name}`)
    .sort();

/** `readdirSync` is the faster, but reads a folder of ten thousand to its end before it answers. */
function listing(directory: string, budget: { left: number }): Dirent[] {
  if (budget.left <= 0) return [];
  const read = () =>
    statSync(directory).size > CROWDED_BYTES
      ? firstEntries(directory, budget.left)
      : readdirSync(directory, { withFileTypes: true });
  const entries = ifReadable(read) ?? [];
  budget.left -= entries.length;
  return entries;
}

function firstEntries(directory: string, most: number): Dirent[] {
  const open = opendirSync(directory, { bufferSize: ENTRIES_AT_ONCE });
  const entries: Dirent[] = [];
  for (let entry = open.readSync(); entry && entries.length < most; entry = open.readSync())
    entries.push(entry);
  open.closeSync();
  return entries;
}
