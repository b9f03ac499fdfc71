// The client's own TaskUpdate, held to the same rules, and its completions told to whoever waits. Loaded only for
// that tool: every other tool call passes without it.
import type { Task } from "../../parse/task.ts";
import { escapeXml } from "../../parse/xml.ts";
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { readTask } from "../../store/tasks.ts";
import { boardOf, type Desk } from "./desk.ts";
import { hookDesk } from "./hook-desk.ts";
import { whyNotDeleted, whyRefused } from "./rules.ts";
import { tellOfCompletion, unblocked } from "./tell.ts";

type Input = Record<string, unknown>;

export function checkUpdate(ctx: Context, input: Input): Outcome | undefined {
  const found = taskFor(ctx, input);
  if (!found || !ctx.settings["tasks.enforce"]) return undefined;
  const why = whyUpdateRefused(found.desk, found.task, input);
  return why ? { deny: escapeXml(`${why} (setting: tasks.enforce)`), rule: "tasks" } : undefined;
}

function taskFor(ctx: Context, { taskId }: Input): { desk: Desk; task: Task } | undefined {
  const id = textOf(taskId) ?? "";
  const desk = /^[1-9]\d{0,8}$/.test(id) ? hookDesk(ctx, id) : undefined;
  const task = desk && readTask(desk.places, desk.list, id);
  return desk && task ? { desk, task } : undefined;
}

export function whyUpdateRefused(desk: Desk, task: Task, input: Input): string | undefined {
  const board = boardOf(desk);
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
  Array.isArray(value) ? value.map((id) => textOf(id) ?? JSON.stringify(id)) : undefined;

/** After the fact: what TaskCompleted announces can still be refused by others. */
export function tellIfCompleted(ctx: Context, input: Input, response: unknown): Outcome | undefined {
  const change = (response as { statusChange?: { to?: unknown } } | undefined)?.statusChange;
  const found = change?.to === "completed" ? taskFor(ctx, input) : undefined;
  if (!found) return undefined;
  const { desk, task } = found;
  const { tasks } = boardOf(desk);
  const freed = unblocked(task, tasks).map((one) => one.id);
  const told = tellOfCompletion(desk, task, tasks);
  return { journal: [{ what: "task-told", task: task.id, unblocked: freed, told }] };
}
