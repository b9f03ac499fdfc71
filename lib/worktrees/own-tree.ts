// Says to a teammate in a worktree of its own where it is.
import { dirname } from "node:path";
import { escapeLine } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import { type Outcome, teamUpdates } from "../hook/outcome.ts";
import type { Tree } from "./store/repository.ts";
import { readTree } from "./store/trees.ts";

export function ownTreeNote(ctx: Context, tree: Tree): Outcome | undefined {
  const { team, agent } = ctx.identity;
  const record = team && agent ? readTree(ctx.paths, team, agent) : undefined;
  if (!agent || record?.path !== tree.top) return undefined;
  const base = `${record.base.slice(0, 7)}${record.baseName ? ` (${record.baseName})` : ""}`;
  const text = escapeLine(
    `You work in a git worktree of your own: ${record.path}, branch ${record.branch}, begun at ${base}. Commit on this branch; others see your work when it is merged. Do not write into ${dirname(record.commonDir)} or into another agent's worktree.`,
  );
  return {
    context: { name: "your worktree", text, where: "swarm worktree list", under: teamUpdates(agent) },
  };
}
