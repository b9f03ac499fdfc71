// Files every session gets at its start: the core files and those of its role (Claude OS hooks, docs/origins.md).
import { realPathWithin } from "../../core/files.ts";
import { escapeLine, withoutTags } from "../../core/text.ts";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import {
  type ContextFile,
  collectFiles,
  type Role,
  readContextFile,
  readRole,
  type Scope,
} from "../store/files.ts";

/** The role of a session that was given none. */
const DEFAULT_ROLE = "chief";

const LABELS: Record<string, string> = {
  "Desktop/TODAY.md": "TODAY.MD (daily memory)",
  "Desktop/MEMORY.md": "MEMORY.MD (weekly/medium-term)",
  "Desktop/SYSTEM-INDEX.md": "SYSTEM-INDEX.MD (complete file)",
};

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const isOwn = ctx.loaded.sources["context.core"] === "person";
  const core = collectFiles(ctx.settings["context.core"], scopeOf(ctx, isOwn));
  const role = roleOf(ctx);
  const extras = collectFiles(role?.include ?? [], scopeOf(ctx, role?.isPersonal === true));
  const known = new Set(core.files.map(({ real }) => real));
  const text = contextPage({
    core: core.files.map(shown),
    extras: extras.files.filter(({ real }) => !known.has(real)).map(shown),
    mission: ctx.missionId,
    notShown: [...core.refused, ...extras.refused],
    room: ctx.settings["context.max_chars"],
  });
  if (!text) return;
  return {
    context: { name: "context files", text, priority: 30 },
    journal: [{ what: "context-files", files: core.files.length + extras.files.length, role: role?.file }],
  };
};

const projectOf = (ctx: Context) => ctx.projectDir ?? ctx.cwd;

/** A project is written by others: what it lists must lie inside it. */
function scopeOf(ctx: Context, isOwn: boolean): Scope {
  const root = (isOwn ? undefined : ctx.loaded.projectRoot) ?? projectOf(ctx);
  const { home } = ctx.paths;
  const projectPath = ctx.projectPath ?? root;
  return { root, home, projectPath, within: isOwn ? [root, home] : [root, ...projectPathOf(ctx)] };
}

/** `PROJECT_PATH` comes from the environment; it counts only below the home. */
const projectPathOf = ({ projectPath, paths }: Context) =>
  projectPath && realPathWithin(projectPath, [paths.home]) ? [projectPath] : [];

function roleOf(ctx: Context): Role | undefined {
  const { values, sources, projectRoot } = ctx.loaded;
  const isOwnSetting = sources["context.roles_dir"] !== "project";
  return readRole(ctx.role ?? DEFAULT_ROLE, {
    paths: ctx.paths,
    project: (isOwnSetting ? undefined : projectRoot) ?? projectOf(ctx),
    rolesDir: values["context.roles_dir"],
    isOwnSetting,
  });
}

const shown = (file: ContextFile): Shown => ({
  label: LABELS[file.path] ?? file.path,
  path: file.path,
  bytes: file.bytes,
  read: (bytes) => readContextFile(file, bytes),
});

// The page of context files (texts of Claude OS hooks, word for word): small files whole, larger ones by their beginning, and a
// last line that names what is not shown.

export interface Shown {
  label: string;
  path: string;
  bytes: number;
  /** Reads no more than so many bytes; `undefined` if it is not text. */
  read: (bytes: number) => string | undefined;
}

/** Less of a file than this is not worth showing. */
const SHORTEST_HEAD = 300;
const MOST_NAMED = 10;

export interface Page {
  core: Shown[];
  extras: Shown[];
  mission: string | undefined;
  /** Files that are too large or outside, and patterns with too many matches. */
  notShown: string[];
  room: number;
}

export function contextPage({ core, extras, mission, notShown, room }: Page): string | undefined {
  const files = [...core, ...extras];
  if (files.length === 0 && !mission && notShown.length === 0) return undefined;
  const sections = contentsOf(files, room);
  const missing = [...notShown, ...sections.flatMap(({ missing }) => missing ?? [])];
  const shown = files.filter((_, at) => sections[at]?.text !== undefined);
  return [
    "[CLAUDE OS SYS: INFO]: Session context loaded",
    ...(mission ? [`Mission: ${escapeLine(mission)}`] : []),
    ...(shown.length > 0
      ? [
          [
            "Core memory files loaded automatically:",
            ...shown.map(({ label }) => `- ${escapeLine(label)}`),
          ].join("\n"),
        ]
      : []),
    ...(shown.length > 0 ? ["Full content follows:"] : []),
    ...sections.flatMap(({ text }) => text ?? []),
    ...(missing.length > 0 ? [`[Not shown: ${named(missing)}]`] : []),
  ].join("\n\n");
}

const named = (missing: string[]) =>
  missing.length <= MOST_NAMED
    ? missing.join(", ")
    : `${missing.slice(0, MOST_NAMED).join(", ")} and ${missing.length - MOST_NAMED} more`;

function contentsOf(files: Shown[], room: number): { text?: string; missing?: string }[] {
  const shares = sharesOf(
    files.map(({ bytes }) => bytes),
    room,
  );
  return files.map((file, at) => {
    const share = shares[at] ?? 0;
    if (share === 0) return { missing: `${escapeLine(file.path)} (no room)` };
    const content = file.read(share);
    if (content === undefined) return { missing: `${escapeLine(file.path)} (not text)` };
    const rest =
      share < file.bytes ? `\n[... the whole file, ${file.bytes} bytes, is ${escapeLine(file.path)}]` : "";
    return { text: `## ${escapeLine(file.label)}\n${withoutTags(content).trimEnd()}${rest}` };
  });
}

/** How many bytes each may have: the smallest files whole, then what is left in equal parts, 0 for none. */
export function sharesOf(sizes: readonly number[], room: number): number[] {
  const shares = sizes.map(() => 0);
  let left = room;
  const bySize = sizes.map((size, at) => ({ size, at })).sort((a, b) => a.size - b.size || a.at - b.at);
  const cut = bySize.filter(({ size, at }) => {
    if (size > left) return true;
    shares[at] = Math.max(size, 1);
    left -= size;
    return false;
  });
  const heads = Math.min(cut.length, Math.floor(left / SHORTEST_HEAD));
  for (const { at } of [...cut].sort((a, b) => a.at - b.at).slice(0, heads))
    shares[at] = Math.floor(left / heads);
  return shares;
}
