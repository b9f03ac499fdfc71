// Test and build runs, noted after the command in hooks that no turn waits for.
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { noteRun } from "../runs.ts" with { loading: "lazy" };
import type { BashResult } from "../runs.ts";
import { agentOf, hasOthers, presenceIn } from "../store/agents.ts";
import { treeOf } from "../store/repository.ts";

/** Of the members of a team, and of everybody who is not alone in a repository. */
function afterCall(ctx: BashResult & { input: { tool_name: string } }): Outcome | undefined {
  if (ctx.input.tool_name !== "Bash") return undefined;
  const tree = treeOf(ctx.cwd);
  if (!tree || !(ctx.record?.team || hasOthers(presenceIn(ctx.paths, tree), agentOf(ctx.input))))
    return undefined;
  return noteRun(ctx, tree);
}

export const postToolUse: Handler<typeof events.PostToolUse> = afterCall;
export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = afterCall;
