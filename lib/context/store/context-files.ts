// Finds and reads the files a session is given at its start: only inside the paths it may look into, never a giant.
import { statSync } from "node:fs";
import { isAbsolute, join, parse, relative, sep } from "node:path";
import { readHead } from "../../core/files.ts";
import { isGlob, matchingFiles } from "../../core/glob.ts";
import { realPathWithin } from "../../core/real-path.ts";

export const HUGE_BYTES = 1024 * 1024;
const MOST_PER_PATTERN = 20;
const MOST_ASKED = 100;
const REPLACEMENT = /\ufffd+$/;

export interface Scope {
  /** Relative entries start here. */
  root: string;
  home: string;
  /** What may be looked into. */
  within: string[];
  /** For `${PROJECT_PATH}`. */
  projectPath: string;
}

export interface ContextFile {
  /** As a person would write it: relative inside the project. */
  path: string;
  real: string;
  bytes: number;
}

export interface Collected {
  files: ContextFile[];
  /** What was asked for and is not given, with the reason. */
  refused: string[];
}

export function collectFiles(entries: readonly string[], scope: Scope): Collected {
  const files = new Map<string, ContextFile>();
  const refused: string[] = [];
  for (const entry of entries.slice(0, MOST_ASKED)) {
    const found = filesOf(entry, scope);
    refused.push(...found.refused);
    for (const file of found.files) if (!files.has(file.real)) files.set(file.real, file);
  }
  return { files: [...files.values()], refused };
}

/** A plain file that is not there is passed over in silence. */
function filesOf(entry: string, scope: Scope): Collected {
  const asked = join(isAbsolute(absolute(entry, scope)) ? "" : scope.root, absolute(entry, scope));
  const { base, pattern } = splitAtPattern(asked);
  if (pattern === "") return described([asked], entry, scope);
  if (!realPathWithin(base, scope.within)) return { files: [], refused: [] };
  const { paths, isCut } = matchingFiles(base, pattern, MOST_PER_PATTERN);
  const found = described(paths, entry, scope);
  return { files: found.files, refused: [...found.refused, ...(isCut ? [`more of ${entry}`] : [])] };
}

const absolute = (entry: string, { home, projectPath }: Scope) =>
  entry.replaceAll("${PROJECT_PATH}", projectPath).replace(/^~(?=\/)/, home);

/** Up to the first part with a wildcard nothing needs to be searched. */
function splitAtPattern(path: string): { base: string; pattern: string } {
  const parts = path.split(sep);
  const at = parts.findIndex(isGlob);
  if (at < 0) return { base: path, pattern: "" };
  return { base: parts.slice(0, at).join(sep) || sep, pattern: parts.slice(at).join("/") };
}

function described(paths: string[], entry: string, scope: Scope): Collected {
  const collected: Collected = { files: [], refused: [] };
  for (const path of paths) {
    const real = realPathWithin(path, scope.within);
    if (real === undefined) {
      const isThere = realPathWithin(path, [parse(path).root]) !== undefined;
      if (isThere) collected.refused.push(`${entry} (outside)`);
      continue;
    }
    const stat = statSync(real);
    if (!stat.isFile()) collected.refused.push(`${entry} (no file)`);
    else if (stat.size > HUGE_BYTES) collected.refused.push(`${shortPath(path, scope)} (${stat.size} bytes)`);
    else collected.files.push({ path: shortPath(path, scope), real, bytes: stat.size });
  }
  return collected;
}

function shortPath(path: string, { root }: Scope): string {
  const way = relative(root, path);
  return way.startsWith("..") || isAbsolute(way) ? path : way;
}

/** The first bytes as text; `undefined` for what is no text. */
export function readContextFile({ real }: ContextFile, bytes: number): string | undefined {
  const text = readHead(real, bytes)?.text;
  return text === undefined || text.includes("\0") ? undefined : text.replace(REPLACEMENT, "");
}
