// Files every session gets at its start (Claude OS hooks, docs/origins.md): the core files, and those that its role lists. Read only
// inside the given roots, none of more than a megabyte; small ones are shown whole, larger ones by their beginning.

import { existsSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { isBelow, isFile, pathFrom, readHeadIfReadable, realPathWithin, statIfThere } from "../core/files.ts";
import { parseFrontmatter } from "../core/frontmatter.ts";
import { type Found, isGlob, matchingFiles } from "../core/glob.ts";
import { asTexts } from "../core/json.ts";
import { whyNotSegment } from "../core/paths.ts";
import { escapeLine, firstOf, withoutTags } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";

const LARGEST_BYTES = 1024 * 1024;
const LONGEST_FRONTMATTER_BYTES = 64 * 1024;
const MOST_PER_PATTERN = 20;
const MOST_ASKED = 100;
const MOST_NAMED = 10;
/** Less of a file than this is not worth showing. */
const SHORTEST_HEAD = 300;
const DEFAULT_ROLE = "chief";

const LABELS = new Map([
  ["Desktop/TODAY.md", "TODAY.MD (daily memory)"],
  ["Desktop/MEMORY.md", "MEMORY.MD (weekly/medium-term)"],
  ["Desktop/SYSTEM-INDEX.md", "SYSTEM-INDEX.MD (complete file)"],
]);

export function filesAtStart(ctx: Context): Outcome | undefined {
  const isOwn = ctx.loaded.sources["context.core"] === "person";
  const core = collectFiles(ctx.settings["context.core"], scopeOf(ctx, isOwn));
  const role = roleOf(ctx);
  const extras = collectFiles(role?.include ?? [], scopeOf(ctx, role?.isPersonal === true));
  const known = new Set(core.files.map(({ real }) => real));
  const text = contextPage({
    files: [...core.files, ...extras.files.filter(({ real }) => !known.has(real))],
    mission: ctx.missionId,
    notShown: [...core.refused, ...extras.refused],
    room: ctx.settings["context.max_chars"],
  });
  if (!text) return undefined;
  return {
    context: { name: "context files", text, priority: 30 },
    journal: [{ what: "context-files", files: core.files.length + extras.files.length, role: role?.file }],
  };
}

type Scope = ReturnType<typeof scopeOf>;

/** Relative entries start at the root. A project is written by others: what it lists must lie `within` it. */
function scopeOf(ctx: Context, isOwn: boolean) {
  const root = rootOf(ctx, isOwn);
  const { home } = ctx.paths;
  const { projectPath = root } = ctx;
  return { root, home, projectPath, within: isOwn ? [root, home] : [root, ...projectPathOf(ctx)] };
}

const rootOf = ({ loaded, projectDir, cwd }: Context, isOwn: boolean) =>
  (isOwn ? undefined : loaded.projectRoot) ?? projectDir ?? cwd;

/** `PROJECT_PATH` comes from the environment; it counts only below the home. */
const projectPathOf = ({ projectPath, paths }: Context) =>
  projectPath && realPathWithin(projectPath, [paths.home]) ? [projectPath] : [];

/** Only a person's own role (`isPersonal`) may name files outside the project. */
function roleOf(ctx: Context) {
  const { paths, loaded, role = DEFAULT_ROLE } = ctx;
  if (whyNotSegment(role)) return undefined;
  const chosen = loaded.values["context.roles_dir"];
  const isOwn = loaded.sources["context.roles_dir"] !== "project";
  const project = rootOf(ctx, isOwn);
  const directory = placeOf(chosen ?? join(".claude", "roles"), project, paths.home);
  const candidates = [
    { directory, isPersonal: chosen !== undefined && isOwn, root: project },
    { directory: join(paths.base, "roles"), isPersonal: true, root: paths.base },
  ];
  for (const { directory, isPersonal, root } of candidates)
    for (const name of [join(role, "role.md"), `${role}.md`]) {
      const file = realPathWithin(join(directory, name), isPersonal ? [root, paths.home] : [root]);
      if (file && isFile(file)) return { file, include: includesOf(file), isPersonal };
    }
  return undefined;
}

/** Where a path of the settings or of a role leads. */
function placeOf(given: string, root: string, home: string): string {
  const path = given.replace(/^~(?=\/)/, () => home);
  return join(isAbsolute(path) ? "" : root, path);
}

function includesOf(file: string): string[] {
  const head = readHeadIfReadable(file, LONGEST_FRONTMATTER_BYTES);
  const { auto_include: include } = parseFrontmatter(head?.text ?? "");
  return asTexts([include].flat()).filter(Boolean);
}

export type ContextFile = Exclude<ReturnType<typeof fileAt>, string | undefined>;

/** And what was asked for and is not given, with the reason. */
function collectFiles(entries: readonly string[], scope: Scope) {
  const files = new Map<string, ContextFile>();
  const refused: string[] = [];
  for (const entry of entries.slice(0, MOST_ASKED)) {
    const { paths, isCut } = pathsOf(entry, scope);
    for (const path of paths) {
      const found = fileAt(path, entry, scope);
      if (typeof found === "string") refused.push(found);
      else if (found && !files.has(found.real)) files.set(found.real, found);
    }
    if (isCut) refused.push(`more of ${entry}`);
  }
  return { files: [...files.values()], refused };
}

function pathsOf(entry: string, scope: Scope): Found {
  const named = entry.replaceAll("${PROJECT_PATH}", () => scope.projectPath);
  const asked = placeOf(named, scope.root, scope.home);
  const parts = asked.split(sep);
  const own = parts.length - partsBelowRoots(asked, scope);
  const at = parts.findIndex((part, n) => n >= own && isGlob(part));
  if (at < 0) return { paths: [asked], isCut: false };
  const base = parts.slice(0, at).join(sep) || sep; // the search starts below the last part without a wildcard
  if (!realPathWithin(base, scope.within)) return { paths: [], isCut: false };
  return matchingFiles(base, parts.slice(at).join("/"), MOST_PER_PATTERN);
}

/** How many parts of a path are the entry's: a project may lie in a folder named `[slug]`, which is no wildcard. */
const partsBelowRoots = (path: string, { root, home, projectPath }: Scope): number =>
  Math.min(
    ...[root, home, projectPath, sep]
      .filter((one) => isBelow(path, one))
      .map((one) => relative(one, path).split(sep).length),
  );

/** Why it is not given, where it is refused; nothing where there is no such file. `path` is shown as a person would write it. */
function fileAt(path: string, entry: string, scope: Scope) {
  const real = realPathWithin(path, scope.within);
  if (real === undefined) return existsSync(path) ? `${entry} (outside)` : undefined;
  const stat = statIfThere(real);
  if (!stat?.isFile()) return `${entry} (no file)`;
  const shown = pathFrom(scope.root, path);
  if (stat.size > LARGEST_BYTES) return `${shown} (${stat.size} bytes)`;
  return { path: shown, real, bytes: stat.size, read: (most: number) => readBeginning(real, most) };
}

/** Or why there is none. */
function readBeginning(real: string, bytes: number): string | { why: string } {
  const text = readHeadIfReadable(real, bytes)?.text;
  if (text === undefined) return { why: "cannot be read" };
  return text.includes("\0") ? { why: "not text" } : text.replace(/\ufffd+$/, "");
}

interface Page {
  files: ContextFile[];
  mission: string | undefined;
  notShown: string[];
  room: number;
}

/** Texts of Claude OS hooks, word for word; a last line names what is not shown. */
export function contextPage({ files, mission, notShown, room }: Page): string | undefined {
  if (files.length === 0 && !mission && notShown.length === 0) return undefined;
  const shares = sharesOf(files, room);
  const contents = files.map((file, at) => contentOf(file, shares[at] ?? 0));
  const shown = contents.filter((one) => typeof one !== "string");
  const missing = [...notShown.map(escapeLine), ...contents.filter((one) => typeof one === "string")];
  const labels = shown.map(({ label }) => `- ${label}`);
  return [
    "[CLAUDE OS SYS: INFO]: Session context loaded",
    ...(mission ? [`Mission: ${escapeLine(mission)}`] : []),
    ...(labels.length > 0
      ? [["Core memory files loaded automatically:", ...labels].join("\n"), "Full content follows:"]
      : []),
    ...shown.map(({ label, text }) => `## ${label}\n${text}`),
    ...(missing.length > 0 ? [`[Not shown: ${firstOf(missing, MOST_NAMED).join(", ")}]`] : []),
  ].join("\n\n");
}

/** Or a line that says why it is not shown. */
function contentOf({ path: given, bytes, read }: ContextFile, share: number) {
  const path = escapeLine(given);
  const content = share === 0 ? { why: "no room" } : read(share);
  if (typeof content === "object") return `${path} (${content.why})`;
  const rest = share < bytes ? `\n[... the whole file, ${bytes} bytes, is ${path}]` : "";
  return { label: LABELS.get(given) ?? path, text: `${withoutTags(content).trimEnd()}${rest}` };
}

/** How many bytes each may have: the smallest files whole, then what is left in equal parts, 0 for none. */
export function sharesOf(files: readonly Pick<ContextFile, "bytes">[], room: number): number[] {
  let left = room;
  const whole = new Set<object>();
  for (const file of files.toSorted((a, b) => a.bytes - b.bytes)) {
    if (file.bytes > left) break;
    whole.add(file);
    left -= file.bytes;
  }
  let heads = Math.min(files.length - whole.size, Math.floor(left / SHORTEST_HEAD));
  const head = Math.floor(left / heads);
  return files.map((file) => {
    if (whole.has(file)) return Math.max(file.bytes, 1);
    return heads-- > 0 ? head : 0;
  });
}
