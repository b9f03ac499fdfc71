// What a session learns about its context (Claude OS hooks, docs/origins.md): files at its start, and warnings before its window is
// full, each level once, with the first prompt, tool call or stop that reaches it, and again only after a compaction.

import { realPathWithin } from "../core/files.ts";
import { escapeLine, withoutTags } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Handler } from "../hook/run.ts";
import {
  type ContextFile,
  collectFiles,
  type Role,
  readContextFile,
  readRole,
  type Scope,
} from "./store/files.ts";
import { readInstalled, writeInstalled } from "./store/status-line.ts";
import {
  awaitAnswer,
  contextTokens,
  contextUse,
  MAIN,
  markDue,
  readAgentContext,
  takeDue,
  updateAgentContext,
} from "./store/window.ts";
import * as warnings from "./warnings.ts" with { loading: "lazy" };
import { isWarningDue, warn } from "./warnings.ts";

const PING = `[CLAUDE OS SYS: INFO]: Reminder - Ping before ending
This session runs in the background: others learn how it ended only by a message or a status.`;

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => warn(ctx, "prompt");

/** An asynchronous hook, whose words may arrive after the turn: it leaves the warning to the next synchronous one. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  if (!ctx.input.agent_id && isWarningDue(ctx)) markDue(ctx.paths, ctx.input.session_id);
};

/** Of the agents inside a session only teammates: a subagent is short-lived and has no notes to write. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { session_id: session, agent_id: agent } = ctx.input;
  if (agent ? ctx.identity.kind !== "in-process" : !takeDue(ctx.paths, session)) return;
  return warnings.warn(ctx, "prompt");
};

export const stop: Handler<typeof events.Stop> = (ctx) => {
  const { stop_hook_active, transcript_path, last_assistant_message } = ctx.input;
  if (stop_hook_active) return;
  const isMeasured = contextUse(ctx, ctx.input) !== undefined;
  if (isMeasured) awaitAnswer(transcript_path, last_assistant_message);
  const warning = isMeasured ? warn(ctx, "stop") : undefined;
  const ping =
    ctx.mode === "background"
      ? blockOnce(ctx, { reason: "context-budget:ping", text: PING, allowance: 1 })
      : undefined;
  return ping ? { ...warning, ...ping } : warning;
};

/** The use at which the client compacts by itself is the window's size, where no other source names it. */
export const preCompact: Handler<typeof events.PreCompact> = (ctx) => {
  const { session_id: session, trigger, transcript_path } = ctx.input;
  const compactsAt = trigger === "auto" && session ? contextTokens(transcript_path) : undefined;
  if (compactsAt) updateAgentContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, compactsAt }));
};

/** After a compaction the warnings begin again. */
export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { session_id: session, source } = ctx.input;
  if (source !== "compact" || !session || readAgentContext(ctx.paths, session, MAIN).said === 0) return;
  updateAgentContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, said: 0 }));
};

/** At session start. The plugin's folder changes with every update: an installed status line is pointed to the new one. */
export const moveStatusLine: Handler<typeof events.SessionStart> = ({ paths, pluginRoot }) => {
  const installed = pluginRoot ? readInstalled(paths) : undefined;
  if (!pluginRoot || !installed || installed.root === pluginRoot) return;
  writeInstalled(paths, { ...installed, root: pluginRoot });
};

/** The role of a session that was given none. */
const DEFAULT_ROLE = "chief";

const LABELS: Record<string, string> = {
  "Desktop/TODAY.md": "TODAY.MD (daily memory)",
  "Desktop/MEMORY.md": "MEMORY.MD (weekly/medium-term)",
  "Desktop/SYSTEM-INDEX.md": "SYSTEM-INDEX.MD (complete file)",
};

/** At session start: the core files, and those of the session's role. */
export const giveFiles: Handler<typeof events.SessionStart> = (ctx) => {
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

export interface Shown {
  label: string;
  path: string;
  bytes: number;
  /** Reads no more than so many bytes; `undefined` if it is not text. */
  read: (bytes: number) => string | undefined;
}

const shown = (file: ContextFile): Shown => ({
  label: LABELS[file.path] ?? file.path,
  path: file.path,
  bytes: file.bytes,
  read: (bytes) => readContextFile(file, bytes),
});

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

/**
 * The page of context files (texts of Claude OS hooks, word for word): small files whole, larger ones by their beginning, and a last
 * line that names what is not shown.
 */
export function contextPage({ core, extras, mission, notShown, room }: Page): string | undefined {
  const files = [...core, ...extras];
  if (files.length === 0 && !mission && notShown.length === 0) return undefined;
  const sections = contentsOf(files, room);
  const missing = [...notShown, ...sections.flatMap(({ missing }) => missing ?? [])];
  const labels = files.flatMap(({ label }, at) => (sections[at]?.text ? `- ${escapeLine(label)}` : []));
  return [
    "[CLAUDE OS SYS: INFO]: Session context loaded",
    ...(mission ? [`Mission: ${escapeLine(mission)}`] : []),
    ...(labels.length > 0
      ? [["Core memory files loaded automatically:", ...labels].join("\n"), "Full content follows:"]
      : []),
    ...sections.flatMap(({ text }) => text ?? []),
    ...(missing.length > 0 ? [`[Not shown: ${named(missing)}]`] : []),
  ].join("\n\n");
}

const named = (missing: string[]) =>
  missing.length <= MOST_NAMED
    ? missing.join(", ")
    : `${missing.slice(0, MOST_NAMED).join(", ")} and ${missing.length - MOST_NAMED} more`;

function contentsOf(files: Shown[], room: number): { text?: string; missing?: string }[] {
  const sizes = files.map(({ bytes }) => bytes);
  const shares = sharesOf(sizes, room);
  return files.map((file, at) => {
    const share = shares[at] ?? 0;
    const path = escapeLine(file.path);
    if (share === 0) return { missing: `${path} (no room)` };
    const content = file.read(share);
    if (content === undefined) return { missing: `${path} (not text)` };
    const rest = share < file.bytes ? `\n[... the whole file, ${file.bytes} bytes, is ${path}]` : "";
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
