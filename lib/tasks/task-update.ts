// The client's TaskUpdate tool under the same rules, with the same messages about completions. Loaded only for calls of that tool.

import { asText, fieldsOf } from "../core/json.ts";
import { escapeLine } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { lastRunNote } from "../worktrees/store/runs.ts";
import { notifyOfCompletion } from "./notify.ts";
import { type Board, whyNotDeleted, whyRefused } from "./rules.ts";
import {
  isTaskId,
  notesOf,
  readTask,
  type Task,
  takeVerified,
  updateTask,
  withNotes,
  writeVerified,
} from "./store.ts";
import { boardOf, clientListOf, hookTask, refusal } from "./task-context.ts";
import { treeIn } from "./verify.ts";

type Input = Record<string, unknown>;

export const checkUpdate: Handler<typeof events.PreToolUse> = (ctx) => {
  const { tool_input: input } = ctx.input;
  const found = ctx.settings["tasks.enforce"] ? hookTask(ctx, asText(input["taskId"]) ?? "") : undefined;
  const why = found && whyUpdateRefused(found.task, input, boardOf(found.context));
  return why ? refusal(why) : undefined;
};

function whyUpdateRefused(task: Task, input: Input, board: Board): string | undefined {
  if (Object.hasOwn(fieldsOf(input["metadata"]), "swarm"))
    return `metadata.swarm of task #${task.id} holds its comments and its claim. To comment: swarm task update ${task.id} --comment TEXT`;
  const status = asText(input["status"]);
  if (status === "deleted") return whyNotDeleted(task, board);
  const links = { blockedBy: idsOf(input["addBlockedBy"]), blocks: idsOf(input["addBlocks"]) };
  return whyRefused(task, { status, owner: asText(input["owner"]), ...links }, board);
}

const idsOf = (value: unknown) =>
  Array.isArray(value)
    ? value.filter((id) => typeof id === "string" || typeof id === "number").map(String)
    : undefined;

/** After the tool call: what TaskCompleted announces can still be denied by other hooks. */
export const noteStatusChange: Handler<typeof events.PostToolUse> = (ctx) => {
  const { session_id: session, tool_input: input, tool_response: response } = ctx.input;
  const to = (response as { statusChange?: { to?: unknown } } | undefined)?.statusChange?.to;
  const id = asText(input["taskId"]) ?? "";
  if ((to !== "in_progress" && to !== "completed") || !isTaskId(id)) return undefined;
  const found = hookTask(ctx, id);
  const list = found?.context.list ?? clientListOf(ctx);
  if (to === "in_progress") return endFinerStatus(ctx, list, id);
  const verified = session ? takeVerified(ctx.paths, session, id) : undefined;
  if (verified) updateTask(ctx.paths, list, id, (stored) => withNotes(stored, { verified }));
  if (!found) return undefined;
  const { context, task } = found;
  const { unblocked, notified } = notifyOfCompletion(context, task);
  const note = lastRunNote(ctx.paths, ctx.cwd, { session });
  return {
    ...(note
      ? { context: { name: "a run that does not count", text: escapeLine(note), where: "swarm runs" } }
      : {}),
    journal: [{ what: "task-notified", task: task.id, unblocked: unblocked.map(({ id }) => id), notified }],
  };
};

/** The client knows no `blocked`, and leaves it in the task that it begins. */
function endFinerStatus({ paths }: Context, list: string, id: string): undefined {
  const task = list ? readTask(paths, list, id) : undefined;
  if (task && notesOf(task).state)
    updateTask(paths, list, id, (stored) => withNotes(stored, { state: undefined }));
}

/** In TaskCompleted: the client writes the task after it, so the result is noted after the tool call. */
export function keepVerified(ctx: Context, id: string, command: string): void {
  const { session_id: session } = ctx.input;
  if (!session || !isTaskId(id)) return;
  writeVerified(ctx.paths, session, id, { by: command, tree: treeIn(ctx), at: ctx.now.toISOString() });
}
