// Agents that share a repository: every write is noted in its ledger, and as soon as somebody else is there it is also checked. An
// agent alone pays for the note and for one look at who is there; nothing here starts a program for it.
import { resolve } from "node:path";
import { oncePer } from "../../core/process.ts";
import type { Context, Effects } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { FILE_TOOLS, WRITERS } from "../../hook/tools.ts";
import { isGitRead } from "../git-reads.ts";
import { judgeShared } from "../judge-shared.ts";
import { ownTreeNote } from "../own-tree.ts" with { loading: "lazy" };
import {
  type Agent,
  agentOf,
  hasOthers,
  isAnywhere,
  isOccupied,
  isPresent,
  keyOf,
  presenceIn,
  writePresence,
} from "../store/agents.ts";
import { entriesOf, noteFiles } from "../store/ledger.ts";
import { type Located, locate, type Tree, treeOf } from "../store/repository.ts";
import { writtenFiles } from "../targets.ts" with { loading: "lazy" };

type Call = Context<
  Context["input"] & { tool_name: string; tool_input: Record<string, unknown>; tool_use_id?: string }
>;

/** Also past the deadline: a busy machine, where many agents work, is no reason to let one take another's work. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const field = WRITERS.get(ctx.input.tool_name);
  if (ctx.outcomes.some(({ deny }) => deny !== undefined)) return undefined; // it will not run
  if (field === undefined && !mayChange(ctx.effects)) return undefined;
  if (!ctx.input.session_id) return undefined;
  return field === undefined ? shellCall(ctx, ctx.effects) : toolCall(ctx, ctx.input.tool_input[field]);
};

const mayChange = (effects: Effects | undefined): boolean =>
  effects !== undefined &&
  (effects.files.size > 0 ||
    effects.directories.size > 0 ||
    effects.patches.length > 0 ||
    effects.git.some(({ verb, args }) => !isGitRead(verb, args)));

function toolCall(ctx: Call, path: unknown): Outcome | undefined {
  const file =
    typeof path === "string" && path !== "" && !path.includes("\0")
      ? locate(resolve(ctx.cwd, path))
      : undefined;
  return file && checked(ctx, "edit", [file], []);
}

function shellCall(ctx: Call, effects: Effects | undefined): Outcome | undefined {
  if (!effects) return undefined;
  const files = isPlain(effects)
    ? [...effects.files].flatMap((path) => locate(path) ?? [])
    : writtenFiles(effects);
  const git = effects.git.flatMap((call) => {
    const tree = isGitRead(call.verb, call.args) ? undefined : treeOf(call.cwd);
    return tree ? { ...call, tree } : [];
  });
  return files.length + git.length > 0 ? checked(ctx, "shell", files, git) : undefined;
}

/** Nothing but named files: no need to look at the disk for more. */
const isPlain = ({ files, directories, patches, git }: Effects): boolean =>
  directories.size === 0 &&
  patches.length === 0 &&
  !git.some(({ verb }) => verb === "rm" || verb === "mv") &&
  ![...files].some((path) => /[*?[{]/.test(path));

function checked(
  ctx: Call,
  how: "edit" | "shell",
  files: readonly Located[],
  git: readonly (Effects["git"][number] & { tree: Tree })[],
): Outcome | undefined {
  const me = agentOf(ctx.input);
  const home = treeOf(ctx.cwd);
  const present = home ? announce(ctx, me, home) : [];
  const namesIn = oncePer((common: string) =>
    common === home?.common ? present : presenceIn(ctx.paths, { common }),
  );
  const repositories = new Set([...files, ...git].map(({ tree }) => tree.common));
  const isShared = [...repositories].some((common) => hasOthers(namesIn(common), me));
  const outcome = isShared ? judgeShared(ctx, { me, home, files, git, namesIn }) : undefined;
  // What is asked about may never happen. If it does, an edit is noted when it is done.
  if (outcome?.deny === undefined && outcome?.ask === undefined)
    noteFiles(ctx.paths, files, { by: keyOf(me), how, call: ctx.input.tool_use_id, now: ctx.now });
  return outcome;
}

/**
 * An agent works in the tree of its working directory. By `cd` into a tree where somebody else works it does not become one of its
 * agents, and a subagent in a tree of its own does not move its session. Returns the files of who is there.
 */
function announce(ctx: Call, me: Agent, home: Tree): string[] {
  const names = presenceIn(ctx.paths, home);
  if (isPresent(names, me, home.top)) return names;
  const isElsewhere = isAnywhere(names, me);
  if (isElsewhere && (ctx.input.agent_id !== me.agentId || isOccupied(names, me, home.top))) return names;
  return writePresence(ctx.paths, home, me, ctx.now);
}

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const home = ctx.input.session_id ? treeOf(ctx.cwd) : undefined;
  if (!home) return undefined;
  writePresence(ctx.paths, home, { session: ctx.input.session_id }, ctx.now);
  const isLinked = home.gitDir !== home.common;
  return isLinked && ctx.identity.kind === "named" ? ownTreeNote(ctx, home) : undefined;
};

/** Beside the turn. A read counts only where somebody else may change what was read. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const { tool_name, tool_input, session_id, duration_ms = 0, tool_use_id: call } = ctx.input;
  const isRead = tool_name === "Read";
  const path = tool_input[FILE_TOOLS.get(tool_name) ?? ""];
  if (typeof path !== "string" || !session_id || path === "" || path.includes("\0")) return;
  const file = locate(resolve(ctx.cwd, path));
  const me = agentOf(ctx.input);
  if (!file || !hasOthers(presenceIn(ctx.paths, file.tree), me)) return;
  const now = new Date(ctx.now.getTime() - duration_ms);
  if (isRead) noteFiles(ctx.paths, [file], { by: keyOf(me), how: "read", call, now });
  else if (!entriesOf(ctx.paths, file.tree, file.file).some((entry) => entry.call === call))
    noteFiles(ctx.paths, [file], { by: keyOf(me), how: "edit", call, now });
};
