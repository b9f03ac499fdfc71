// Files every session gets at its start: the core files and those of its role (Claude OS hooks, docs/origins.md).

import { realPathWithin } from "../../core/real-path.ts";
import type { Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { contextPage, type Shown } from "../layout.ts";
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
