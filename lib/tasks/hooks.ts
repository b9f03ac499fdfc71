// Shared work keeps its order whoever changes it: a teammate is shown its tasks, the client's Task tools follow the
// same rules as `swarm task`, and nobody walks off with work in progress and no word about it.

import { readTail } from "../core/files.ts";
import { escapeLine, escapeXml, plainLine } from "../core/text.ts";
import { elapsedMs } from "../core/time.ts";
import type { Base, Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { teamUpdates } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { whyUnverified } from "./actions.ts";
import { hasReported } from "./hand-off.ts";
import { whyNoMember, whyRefused } from "./rules.ts";
import { notesOf, readTask, readTasks, type Task } from "./store.ts";
import { boardOf, hookTaskContext, teamTaskContext } from "./task-context.ts";
import * as taskUpdates from "./task-update.ts" with { loading: "lazy" };
import { assignedTo } from "./text.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { agent, isLead } = ctx.identity;
  const taskContext = agent && !isLead ? teamTaskContext(ctx) : undefined;
  const text =
    taskContext && agent ? assignedTo(agent, readTasks(taskContext.paths, taskContext.list)) : undefined;
  if (!text || !agent) return;
  return {
    context: { name: "assigned tasks", text, where: "swarm task list --mine", under: teamUpdates(agent) },
  };
};

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "TaskUpdate") return;
  return taskUpdates.checkUpdate(ctx, ctx.input.tool_input);
};

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "TaskUpdate") return;
  return taskUpdates.tellIfCompleted(ctx, ctx.input.tool_input, ctx.input.tool_response);
};

/** The file stands already; a refusal makes the client remove it again. */
export const taskCreated: Handler<typeof events.TaskCreated> = (ctx) => {
  const { task_id: id, task_subject } = ctx.input;
  const taskContext = isNumber(id) && ctx.settings["tasks.enforce"] ? hookTaskContext(ctx, id) : undefined;
  if (!taskContext) return;
  const why = whyNotCreated(
    task_subject,
    readTask(taskContext.paths, taskContext.list, id)?.owner,
    boardOf(taskContext),
  );
  if (why) return refusal(why);
};

export function whyNotCreated(
  subject: string,
  owner: string | undefined,
  board: Parameters<typeof whyNoMember>[1],
): string | undefined {
  if (!plainLine(subject)) return "A task needs a subject that says what is to be done.";
  return owner ? whyNoMember(owner, board) : undefined;
}

const refusal = (why: string): Outcome => ({
  deny: escapeXml(`${why} (setting: tasks.enforce)`),
  rule: "tasks",
});
const isNumber = (id: string) => /^[1-9]\d{0,8}$/.test(id);
const SPARE_MS = 2_000;

/** At each turn end of a teammate the client fires this too, for all it has in progress, and then, unlike in a
 * completion, with `permission_mode` (2.1.197 and 2.1.325, all modes). The file is `in_progress` in both cases. */
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) => {
  if (ctx.input.permission_mode !== undefined) return;
  const why = whyNotCompleted(ctx, ctx.input.task_id);
  if (why) return refusal(why);
  const failed = whyUnverified(ctx.settings, ctx.paths, ctx.cwd, ctx.deadline - elapsedMs() - SPARE_MS);
  if (failed) return { deny: failed, rule: "tasks.verify" };
};

function whyNotCompleted(ctx: Context, id: string): string | undefined {
  const taskContext = isNumber(id) && ctx.settings["tasks.enforce"] ? hookTaskContext(ctx, id) : undefined;
  const task = taskContext && readTask(taskContext.paths, taskContext.list, id);
  return taskContext && task ? whyRefused(task, { status: "completed" }, boardOf(taskContext)) : undefined;
}

/** Waiting for a subagent or a teammate is no end. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  if (ctx.input.background_tasks?.some(({ status }) => status === "running")) return;
  return heldBack(ctx, { reason: "tasks", allowance: 1 });
};

export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  if (!ctx.input.agent_type || ctx.identity.kind !== "in-process") return;
  return heldBack(ctx, { reason: "tasks", allowance: 1 });
};

export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) => {
  if (!ctx.settings["tasks.hold_idle"]) return;
  return heldBack(ctx, { reason: "tasks-idle" });
};

const TAIL_BYTES = 64 * 1024;
type Ending = Context<Base & { agent_transcript_path?: string }>;

/** Not the lead: its last message is its report, to the person. */
function heldBack(
  ctx: Ending,
  { reason, allowance }: { reason: string; allowance?: number },
): Outcome | undefined {
  const { agent, isLead } = ctx.identity;
  const taskContext = agent && !isLead && ctx.settings["tasks.enforce"] ? teamTaskContext(ctx) : undefined;
  if (!taskContext || !agent) return undefined;
  const open = readTasks(taskContext.paths, taskContext.list).filter(
    (task) => task.owner === agent && task.status === "in_progress" && !isHandedOff(task, agent),
  );
  if (open.length === 0 || hasReported(transcriptOf(ctx))) return undefined;
  const ids = open.map(({ id }) => id).join(",");
  return blockOnce(ctx, { reason: `${reason}:${ids}`, allowance, text: wordsFor(open) });
}

const transcriptOf = ({ input }: Ending): string => {
  const path = input.agent_transcript_path || (input.agent_id ? "" : input.transcript_path);
  return (path && readTail(path, TAIL_BYTES)?.text) || "";
};

/** In review, or with a word of its owner since it was claimed. */
export function isHandedOff(task: Task, owner: string): boolean {
  const { state, comments = [], lease } = notesOf(task);
  if (state) return true;
  return comments.some(({ author, timestamp }) => author === owner && timestamp > (lease?.at ?? ""));
}

function wordsFor(open: Task[]): string {
  return [
    "You are about to stop with work in progress and no word about it:",
    ...open.map(({ id, subject }) => `- Task #${id}: ${escapeLine(subject)}`),
    "If it is finished: swarm task done ID (or TaskUpdate, completed). If it is not: say where it stands to the lead or with swarm task update ID --comment TEXT, or give it back with swarm task release ID. (settings: tasks.enforce, tasks.hold_idle)",
  ].join("\n");
}
