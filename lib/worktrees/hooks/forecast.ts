// Starts the merge forecast after a turn, and gives an agent without a mailbox what the last one found.

import type { Base, Context } from "../../hook/context.ts";
import type * as events from "../../hook/events.ts";
import type { Outcome } from "../../hook/outcome.ts";
import type { Handler } from "../../hook/run.ts";
import { startHelper } from "../../system/programs.ts";
import { agentOf, keyOf, presenceIn } from "../store/agents.ts";
import { isForecastDue } from "../store/forecast.ts";
import { treeOf } from "../store/repository.ts";
import { hasTreeNotes, takeTreeNotes } from "../store/tree-notes.ts";

/** Presence files begin with their tree: with one tree there is nothing to merge. */
export const stop: Handler<typeof events.Stop> = (ctx): Outcome | undefined => {
  const tree = treeOf(ctx.cwd);
  if (!tree) return undefined;
  const trees = new Set(presenceIn(ctx.paths, tree).map((name) => name.slice(0, name.indexOf("."))));
  if (trees.size < 2 || !isForecastDue(ctx.paths, tree, ctx.now)) return undefined;
  return { after: () => void startHelper(ctx.ownRoot, ["worktree", "forecast", "--if-due"], tree.top) };
};

function notes(ctx: Context<Base>): Outcome | undefined {
  if (!ctx.input.session_id) return undefined;
  const key = keyOf(agentOf(ctx.input));
  if (!hasTreeNotes(ctx.paths, key)) return undefined;
  const text = takeTreeNotes(ctx.paths, key).join("\n");
  return text ? { context: { name: "merge forecast", text, where: "swarm worktree forecast" } } : undefined;
}

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = notes;
export const postToolUse: Handler<typeof events.PostToolUse> = notes;
