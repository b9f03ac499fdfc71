// The files a session gets at its start, and the role files that list more of them. Read only inside the given roots, and none of
// more than a megabyte.

import { statSync } from "node:fs";
import { isAbsolute, join, parse, sep } from "node:path";
import { pathFrom, readHead, realPathWithin } from "../../core/files.ts";
import { parseFrontmatter } from "../../core/frontmatter.ts";
import { isGlob, matchingFiles } from "../../core/glob.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";

const LARGEST_BYTES = 1024 * 1024;
const MOST_PER_PATTERN = 20;
const MOST_ASKED = 100;
const REPLACEMENT = /\ufffd+$/;

export interface Scope {
  /** Relative entries start here. */
  root: string;
  home: string;
  /** Files must lie in one of these. */
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

/** A plain file that does not exist is skipped without a word. */
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

/** The search starts below the last part without a wildcard. */
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
    else if (stat.size > LARGEST_BYTES)
      collected.refused.push(`${pathFrom(scope.root, path)} (${stat.size} bytes)`);
    else collected.files.push({ path: pathFrom(scope.root, path), real, bytes: stat.size });
  }
  return collected;
}

/** The first bytes as text; `undefined` for what is no text. */
export function readContextFile({ real }: ContextFile, bytes: number): string | undefined {
  const text = readHead(real, bytes)?.text;
  return text === undefined || text.includes("\0") ? undefined : text.replace(REPLACEMENT, "");
}

const LONGEST_FRONTMATTER_BYTES = 64 * 1024;

export interface Role {
  file: string;
  include: string[];
  /** Only a person's own role may name files outside the project. */
  isPersonal: boolean;
}

interface Where {
  paths: Paths;
  project: string;
  /** The setting, and whether the person made it. */
  rolesDir: string | undefined;
  isOwnSetting: boolean;
}

export function readRole(role: string, { paths, project, rolesDir, isOwnSetting }: Where): Role | undefined {
  if (whyNotSegment(role)) return undefined;
  const chosen = rolesDir ?? join(".claude", "roles");
  const directory = chosen.startsWith("~/")
    ? join(paths.home, chosen.slice(2))
    : join(isAbsolute(chosen) ? "" : project, chosen);
  const candidates = [
    { directory, isPersonal: rolesDir !== undefined && isOwnSetting, within: [project, paths.home] },
    { directory: join(paths.base, "roles"), isPersonal: true, within: [paths.base, paths.home] },
  ];
  for (const { directory, isPersonal, within } of candidates)
    for (const name of [join(role, "role.md"), `${role}.md`]) {
      const real = realPathWithin(join(directory, name), isPersonal ? within : [project]);
      if (real && statSync(real).isFile()) return { file: real, include: includesOf(real), isPersonal };
    }
  return undefined;
}

function includesOf(file: string): string[] {
  const { fields } = parseFrontmatter(readHead(file, LONGEST_FRONTMATTER_BYTES)?.text ?? "");
  const include = fields["auto_include"];
  const list = Array.isArray(include) ? include : include ? [include] : [];
  return list.filter((item): item is string => typeof item === "string" && item !== "");
}
