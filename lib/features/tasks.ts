// Shared work keeps its order whoever changes it: a teammate is shown its tasks, the client's Task tools follow the
// same rules as `swarm task`, and nobody walks off with work in progress and no word about it.

import { hasReported } from "../parse/hand-off.ts";
import { plainLine } from "../parse/plain.ts";
import { notesOf, type Task } from "../parse/task.ts";
import { escapeLine, escapeXml } from "../parse/xml.ts";
import type { Base, Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import { holdBack } from "../run/gate.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { teamUpdates } from "../run/reminder.ts";
import { readTail } from "../store/read-text.ts";
import { elapsedMs } from "../store/stopwatch.ts";
import { readTask, readTasks } from "../store/tasks.ts";
import { boardOf } from "./tasks/desk.ts";
import { hookDesk, teamDesk } from "./tasks/hook-desk.ts";
import { whyNoMember, whyRefused } from "./tasks/rules.ts";
import * as taskUpdates from "./tasks/task-update.ts" with { loading: "lazy" };
import { whyUnverified } from "./tasks/verified.ts";
import { assignedTo } from "./tasks/words.ts";

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { agent, isLead } = ctx.identity;
  const desk = agent && !isLead ? teamDesk(ctx) : undefined;
  const text = desk && agent ? assignedTo(agent, readTasks(desk.places, desk.list)) : undefined;
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
  const desk = isNumber(id) && ctx.settings["tasks.enforce"] ? hookDesk(ctx, id) : undefined;
  if (!desk) return;
  const why = whyNotCreated(task_subject, readTask(desk.places, desk.list, id)?.owner, boardOf(desk));
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
  const failed = whyUnverified(ctx.settings, ctx.places, ctx.cwd, ctx.deadline - elapsedMs() - SPARE_MS);
  if (failed) return { deny: failed, rule: "tasks.verify" };
};

function whyNotCompleted(ctx: Context, id: string): string | undefined {
  const desk = isNumber(id) && ctx.settings["tasks.enforce"] ? hookDesk(ctx, id) : undefined;
  const task = desk && readTask(desk.places, desk.list, id);
  return desk && task ? whyRefused(task, { status: "completed" }, boardOf(desk)) : undefined;
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
  const desk = agent && !isLead && ctx.settings["tasks.enforce"] ? teamDesk(ctx) : undefined;
  if (!desk || !agent) return undefined;
  const open = readTasks(desk.places, desk.list).filter(
    (task) => task.owner === agent && task.status === "in_progress" && !isHandedOff(task, agent),
  );
  if (open.length === 0 || hasReported(transcriptOf(ctx))) return undefined;
  const ids = open.map(({ id }) => id).join(",");
  return holdBack(ctx, { reason: `${reason}:${ids}`, allowance, text: wordsFor(open) });
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
