// The checks of a call in a repository where other agents may be: in order, another agent's tree, claims, git commands that would
// take or move others' uncommitted work, and files that changed under the agent's feet.
import { sep } from "node:path";
import { elapsedMs, oncePer, sleepSync } from "../core/process.ts";
import type { Context, GitCall } from "../hook/context.ts";
import { consumeBlock } from "../hook/gate.ts" with { loading: "lazy" };
import type { Outcome } from "../hook/outcome.ts";
import { askOrDeny } from "./ask-or-deny.ts";
import { collisionsOf } from "./collisions.ts";
import { judgeClaims } from "./judge-claims.ts" with { loading: "lazy" };
import { giveBackTurns, judgeGit, removedTree } from "./judge-git.ts" with { loading: "lazy" };
import {
  type Agent,
  isPresent,
  keyOf,
  type LiveAgent,
  liveAgentsIn,
  type Others,
  othersIn,
} from "./store/agents.ts";
import { hasClaims } from "./store/claims-file.ts";
import { sweeperOf } from "./store/index-turn.ts";
import { type Located, type Tree, treeOf } from "./store/repository.ts";
import * as text from "./text.ts";

export type SharedCall = Context<Context["input"] & { tool_use_id?: string }>;

export interface Wanted {
  me: Agent;
  /** The tree of the agent's working directory. */
  home: Tree | undefined;
  files: readonly Located[];
  git: readonly (GitCall & { tree: Tree })[];
  /** The files of agents in the repository with this common directory. */
  namesIn: (common: string) => readonly string[];
}

export interface Shared extends Wanted {
  ctx: SharedCall;
  key: string;
  /** Live others in a tree's repository. */
  others: (tree: Pick<Tree, "common">) => Others;
}

export function judgeShared(ctx: SharedCall, wanted: Wanted): Outcome | undefined {
  const { me, namesIn } = wanted;
  const key = keyOf(me);
  const othersOf = oncePer((common: string) => othersIn(ctx.paths, { common }, namesIn(common), me, ctx.now));
  const others = ({ common }: Pick<Tree, "common">) => othersOf(common);
  const shared: Shared = { ...wanted, ctx, key, others };
  if (![...wanted.files, ...wanted.git].some(({ tree }) => others(tree).isAny())) return undefined;
  const refused =
    inForeignTree(shared) ??
    duringSweep(shared) ??
    (wanted.files.some(({ tree }) => hasClaims(ctx.paths, tree)) ? judgeClaims(shared) : undefined);
  if (refused || wanted.git.length === 0) return refused ?? onChanged(shared);
  const judged = judgeGit(shared);
  const outcome = judged ?? onChanged(shared);
  if (outcome?.deny !== undefined || judged?.ask !== undefined) giveBackTurns(shared);
  return outcome;
}

const treesOf = (files: readonly Located[]): Tree[] => [
  ...new Map(files.map(({ tree }) => [tree.top, tree])).values(),
];

const WAIT_MS = 1_000;
const PAUSE_MS = 50;

/** A file written while another agent's `git add -A` runs would be committed by it: the write waits a moment, and is then refused. */
function duringSweep(shared: Shared): Outcome | undefined {
  const { ctx, files, others } = shared;
  const choice = ctx.settings["worktrees.shared_checkout"];
  for (const tree of choice === "off" ? [] : treesOf(files)) {
    const sweeper = waitForSweep(shared, tree);
    if (sweeper === undefined) continue;
    const said = text.sweeping(others(tree).withKey(sweeper), tree);
    const rule = "worktrees:busy-index";
    return choice === "ask" ? askOrDeny(ctx, said, rule) : { deny: said, rule };
  }
  return undefined;
}

function waitForSweep({ ctx, key }: Shared, tree: Tree): string | undefined {
  const begun = elapsedMs();
  for (;;) {
    const waited = elapsedMs() - begun;
    const sweeper = sweeperOf(ctx.paths, tree, key, new Date(ctx.now.getTime() + waited));
    if (sweeper === undefined || waited > WAIT_MS) return sweeper;
    sleepSync(PAUSE_MS);
  }
}

/** A write or a git command that reaches into a tree where another agent works. */
function inForeignTree(shared: Shared): Outcome | undefined {
  for (const { tree, file } of shared.files) {
    const owner = occupantOf(tree, shared);
    if (owner)
      return {
        deny: text.foreignTree(file, tree, owner, ownTree(shared, tree), shared.ctx.record?.team),
        rule: "worktrees:foreign-tree",
      };
  }
  for (const { tree, verb, args, cwd } of shared.git) {
    const target = verb === "worktree" ? removedTree(args, cwd, tree, shared) : tree;
    const owner = target && occupantOf(target, shared);
    if (owner)
      return {
        deny: text.foreignGit(verb, target, owner, ownTree(shared, target), shared.ctx.record?.team),
        rule: "worktrees:foreign-tree",
      };
  }
  return undefined;
}

/** Where the agent works, which is not where a `cd` has led it. */
function ownTree({ ctx, key, home }: Shared, { common }: Tree): Tree | undefined {
  const top = liveAgentsIn(ctx.paths, { common }, ctx.now).find((one) => one.key === key)?.tree;
  return top === undefined ? home : treeOf(top);
}

/** Who works in a tree that is not the agent's own. By `cd` it may stand in one all the same. */
function occupantOf(tree: Tree, { home, others, namesIn, me }: Shared): LiveAgent | undefined {
  if (!home || isPresent(namesIn(tree.common), me, tree.top)) return undefined;
  const isOfHome = tree.common === home.common;
  if (!isOfHome && tree.top.startsWith(`${home.top}${sep}`)) return undefined; // a submodule, a nested repository
  return others(tree)
    .all()
    .find(
      ({ tree: top, startedIn = top }) => top === tree.top && (isOfHome || treeOf(startedIn)?.top === top),
    );
}

function onChanged(shared: Shared): Outcome | undefined {
  const { ctx } = shared;
  const found = collisionsOf(shared);
  if (found.length === 0) return undefined;
  const said = text.collisions(found, ctx.now, ctx.record?.team);
  const journal = [
    {
      what: "collision",
      files: found.map(({ file }) => file).slice(0, 20),
      by: [...new Set(found.map(({ owner }) => owner.name))],
    },
  ];
  const notice: Outcome = { context: { name: "worktrees", text: said, priority: 80 }, journal };
  const choice = ctx.settings["worktrees.collisions"];
  if (choice === "notice") return notice;
  // What another agent does in its own tree cannot be read here: such a change holds a write back once.
  const { session_id, agent_id = "main" } = ctx.input;
  const isNew = found.some(
    ({ isHere, file, at }) =>
      isHere || consumeBlock(ctx.paths, session_id, agent_id, `worktrees:${at}:${file.slice(-80)}`, 1),
  );
  if (!isNew) return notice;
  const rule = "worktrees:collision";
  return choice === "ask" ? askOrDeny(ctx, said, rule) : { deny: said, rule };
}
