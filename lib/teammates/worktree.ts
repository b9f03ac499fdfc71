// Gives a teammate a worktree of its own, where that is asked for.

import { badCall, type Call } from "../cli/command.ts";
import { addTree, type MadeTree } from "../worktrees/store/add-tree.ts";
import { treeOf } from "../worktrees/store/repository.ts";
import { whatWouldBeLost, workIn } from "../worktrees/store/tree-work.ts";
import { isTreeThere, readTree, readTrees } from "../worktrees/store/trees.ts";
import type { WorktreeCall } from "./commands.ts";
import type { MemberPlan } from "./launch.ts";

/** Whose worktree, and where its repository is. */
type TreeOwner = Pick<MemberPlan, "team" | "name" | "cwd">;

export function worktreeFor(call: WorktreeCall, owner: TreeOwner): MadeTree | undefined {
  const { worktree: branch, base } = call.flags;
  return wantsWorktree(call, owner)
    ? makeTree(call, owner, { branch: branch || undefined, base })
    : undefined;
}

/** A member that has one keeps it. */
export function wantsWorktree(
  { flags, loaded, paths }: WorktreeCall,
  { team, name, cwd }: TreeOwner,
): boolean {
  if (flags.worktree !== undefined) return true;
  if (loaded.values["teammates.worktree"] === "always") return treeOf(cwd) !== undefined;
  if (flags.base !== undefined) throw badCall("--base needs --worktree");
  const known = readTree(paths, team, name);
  return known !== undefined && isTreeThere(known) && treeOf(cwd)?.common === known.commonDir;
}

function makeTree(
  { paths, env, now, loaded }: Call,
  { team, name: agent, cwd }: TreeOwner,
  wanted: { branch?: string; base?: string } = {},
): MadeTree {
  const { "teammates.worktree_dir": place, "teammates.worktree_include": include } = loaded.values;
  return addTree({ paths, env, now, cwd, team, agent, place, include, ...wanted });
}

/** Of a member that is started again: its directory may have been deleted meanwhile, its branch is still there. */
export function restoreWorktree(call: Call, team: string, name: string): void {
  const known = readTree(call.paths, team, name);
  if (known && !isTreeThere(known)) makeTree(call, { team, name, cwd: known.from });
}

/** The worktrees that stay when their team goes, each with the work in it that is nowhere else. */
export function worktreeLines({ paths, env }: Call, team: string): string[] {
  const trees = readTrees(paths, team);
  if (trees.length === 0) return [];
  const lines = trees.map((tree) => {
    const lost = whatWouldBeLost(workIn(env, tree));
    return `  ${tree.agent}: ${tree.path}${lost.length > 0 ? `: ${lost.join("; ")}` : " (nothing that is not elsewhere)"}`;
  });
  return [`leave these worktrees (\`swarm worktree remove NAME --team ${team}\` ends one):`, ...lines];
}
