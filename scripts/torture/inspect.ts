// Looks at a home after the storm: is every file whole, is everything there that was promised?
import { type Dirent, lstatSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { isTemporary } from "../../lib/core/files.ts";
import type { Home } from "../../test/support/home-at.ts";

/** Everything below; what goes while we look was not there. */
export function filesIn(directory: string): string[] {
  const entries = namesIn(directory);
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...filesIn(path)] : [path];
  });
}

function namesIn(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** JSON files that are none, and files our stores had to set aside: neither may ever come from our own writing. */
export function damaged(home: Home): string[] {
  return filesIn(home.path(".claude")).flatMap((path) => {
    if (/\.corrupt-/.test(path)) return [`${path} was set aside`];
    if (!path.endsWith(".json") || isTemporary(path)) return [];
    return isJson(textOf(path) ?? "{}") ? [] : [`${path} is no JSON`];
  });
}

/** Of a file that is one and is still there. */
function textOf(path: string): string | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export const leftovers = (home: Home): number => filesIn(home.path(".claude")).filter(isTemporary).length;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Every message that can still be found, waiting, spooled, read or archived, of one reader or of all: its text. */
export function mailIn(home: Home, reader = "[^\\\\/]+"): Set<string> {
  const inbox = new RegExp(`[\\\\/]inboxes[\\\\/]${reader}\\.json$`);
  const waiting = new RegExp(
    `[\\\\/](spool[\\\\/]${reader}[\\\\/].+|broadcasts[\\\\/].+\\+${reader})\\.json$`,
  );
  const archive = new RegExp(`[\\\\/]archive[\\\\/]${reader}\\.(.+\\.)?jsonl?(\\.1)?$`);
  const texts = filesIn(home.path(".claude")).flatMap((path) => {
    if (isTemporary(path)) return [];
    if (inbox.test(path)) return entries(textOf(path) ?? "[]");
    if (waiting.test(path)) return spooled(textOf(path) ?? "{}");
    if (!archive.test(path)) return [];
    const text = textOf(path) ?? "[]";
    return path.endsWith(".json") ? entries(text) : text.split("\n").flatMap((line) => entries(`[${line}]`));
  });
  return new Set(texts);
}

const spooled = (text: string): string[] =>
  isJson(text) ? entries(JSON.stringify((JSON.parse(text) as { messages?: object[] }).messages ?? [])) : [];

function entries(text: string): string[] {
  if (!isJson(text)) return [];
  return (JSON.parse(text) as { text?: string }[]).flatMap((one) => one.text ?? []);
}

/** What a hook showed its reader, each message by its text. */
export function shownIn(output: string): string[] {
  const text = output.startsWith("{") ? textOfReply(output) : output;
  return [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");
}

function textOfReply(output: string): string {
  if (!isJson(output)) return "";
  return JSON.parse(output).hookSpecificOutput?.additionalContext ?? "";
}

/** As if the time after which a lock counts as left behind had passed. */
export function ageLocks(home: Home): number {
  const locks = filesIn(home.root).filter((path) => /\.lock(\.breaking)?$/.test(path) && isDirectory(path));
  for (const lock of locks) utimesSync(lock, 0, 0);
  return locks.length;
}

const isDirectory = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
