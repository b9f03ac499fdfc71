// The client's own TaskUpdate, held to the same rules, and its completions told to whoever waits. Loaded only for
// that tool: every other tool call passes without it.

import { escapeXml } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { whyNotDeleted, whyRefused } from "./rules.ts";
import type { Task } from "./store.ts";
import { readTask } from "./store.ts";
import { boardOf, hookTaskContext, type TaskContext } from "./task-context.ts";
import { tellOfCompletion, unblocked } from "./tell.ts";

type Input = Record<string, unknown>;

export function checkUpdate(ctx: Context, input: Input): Outcome | undefined {
  const found = taskFor(ctx, input);
  if (!found || !ctx.settings["tasks.enforce"]) return undefined;
  const why = whyUpdateRefused(found.taskContext, found.task, input);
  return why ? { deny: escapeXml(`${why} (setting: tasks.enforce)`), rule: "tasks" } : undefined;
}

function taskFor(ctx: Context, { taskId }: Input): { taskContext: TaskContext; task: Task } | undefined {
  const id = textOf(taskId) ?? "";
  const taskContext = /^[1-9]\d{0,8}$/.test(id) ? hookTaskContext(ctx, id) : undefined;
  const task = taskContext && readTask(taskContext.paths, taskContext.list, id);
  return taskContext && task ? { taskContext, task } : undefined;
}

export function whyUpdateRefused(taskContext: TaskContext, task: Task, input: Input): string | undefined {
  const board = boardOf(taskContext);
  const status = textOf(input["status"]);
  const { metadata } = input;
  if (metadata && typeof metadata === "object" && "swarm" in metadata)
    return `metadata.swarm of task #${task.id} holds its comments and its claim. To comment: swarm task update ${task.id} --comment TEXT`;
  if (status === "deleted") return whyNotDeleted(task, board);
  const owner = textOf(input["owner"]);
  const blockedBy = idsOf(input["addBlockedBy"]);
  return whyRefused(task, { status, owner, blockedBy, blocks: idsOf(input["addBlocks"]) }, board);
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
const idsOf = (value: unknown) =>
  Array.isArray(value)
    ? value.filter((id) => typeof id === "string" || typeof id === "number").map(String)
    : undefined;

/** After the fact: what TaskCompleted announces can still be refused by others. */
export function tellIfCompleted(ctx: Context, input: Input, response: unknown): Outcome | undefined {
  const change = (response as { statusChange?: { to?: unknown } } | undefined)?.statusChange;
  const found = change?.to === "completed" ? taskFor(ctx, input) : undefined;
  if (!found) return undefined;
  const { taskContext, task } = found;
  const { tasks } = boardOf(taskContext);
  const freed = unblocked(task, tasks).map((one) => one.id);
  const told = tellOfCompletion(taskContext, task, tasks);
  return { journal: [{ what: "task-told", task: task.id, unblocked: freed, told }] };
}
