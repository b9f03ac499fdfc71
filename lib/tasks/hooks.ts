// A teammate is shown its tasks at its start. The client's Task tools follow the same rules as `swarm task`. An agent that stops with
// work in progress and without a report is held back once.

import { transcriptOf } from "../context/store/window.ts";
import { readTail } from "../core/files.ts";
import { parsedLine } from "../core/json.ts";
import { elapsedMs } from "../core/process.ts";
import { escapeLine, plainLine, toText } from "../core/text.ts";
import type { Base, Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import { type Outcome, teamUpdates } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { startHelper } from "../system/programs.ts";
import { whyNoMember, whyRefused } from "./rules.ts";
import { isPassWanted, type Overview, overviewOf, ownOpen, selectTasks } from "./store/select.ts";
import type { TaskKind } from "./store/task-index.ts";
import { notesOf, readTask, type Task } from "./store.ts";
import { boardOf, hookTask, hookTaskContext, listOf, refusal } from "./task-context.ts";
import * as taskUpdates from "./task-update.ts" with { loading: "lazy" };
import { verify } from "./verify.ts";

const TASKS_SHOWN = 50;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const found = listOfTeammate(ctx);
  if (!found) return;
  const { agent, overview } = found;
  const { tasks, count } = selectTasks(ctx.paths, overview, ownOpen(agent), { first: TASKS_SHOWN });
  const pass = passAfter(ctx, overview);
  if (tasks.length === 0) return pass;
  const lines = tasks.map(lineOf);
  if (count > tasks.length) lines.push(`- and ${count - tasks.length} more`);
  // The text of Claude Swarm hooks.
  const text = `## Your Assigned Tasks\n\n${lines.join("\n")}\n\nUse \`/task-list\` to see full details.`;
  return {
    ...pass,
    context: { name: "assigned tasks", text, where: "swarm task list --mine", under: teamUpdates(agent) },
  };
};

/** Not of the lead, who reports to the person by its last message. */
function listOfTeammate(ctx: Context): { agent: string; overview: Overview } | undefined {
  const { agent, isLead, team } = ctx.identity;
  if (!agent || isLead || !team) return undefined;
  return { agent, overview: overviewOf(ctx.paths, listOf(ctx, team, ctx.input.session_id)) };
}

const lineOf = ({ id, subject }: Task) => `- Task #${id}: ${escapeLine(subject)}`;

/** What the index of a long list may have missed is found beside the turn. */
function passAfter({ paths, ownRoot }: Context, overview: Overview): Outcome | undefined {
  if (!isPassWanted(paths, overview)) return undefined;
  const args = ["task", "index", "--beside", `--team=${overview.list}`];
  return { after: () => void startHelper(ownRoot, args, paths.base) };
}

/** For TaskUpdate. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => taskUpdates.checkUpdate(ctx);

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  ctx.input.tool_name === "TaskUpdate" ? taskUpdates.noteStatusChange(ctx) : undefined;

/** The client has written the file already; a denial makes it remove the file again. */
export const taskCreated: Handler<typeof events.TaskCreated> = (ctx) => {
  const { task_id: id, task_subject } = ctx.input;
  const context = ctx.settings["tasks.enforce"] ? hookTaskContext(ctx, id) : undefined;
  if (!context) return;
  if (!plainLine(task_subject)) return refusal("A task needs a subject that says what is to be done.");
  const owner = readTask(context.paths, context.list, id)?.owner;
  const why = owner && whyNoMember(owner, boardOf(context));
  if (why) return refusal(why);
};

/** Left for the answer when the check has used up the hook's time. */
const SPARE_MS = 2_000;

/** At each turn end of a teammate the client fires this too, for all it has in progress, and then, unlike in a
 * completion, with `permission_mode` (2.1.197 and 2.1.325, all modes). The file is `in_progress` in both cases. */
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) => {
  if (ctx.input.permission_mode !== undefined) return;
  const found = ctx.settings["tasks.enforce"] ? hookTask(ctx, ctx.input.task_id) : undefined;
  const why = found && whyRefused(found.task, { status: "completed" }, boardOf(found.context));
  if (why) return refusal(why);
  const { settings, paths, cwd } = ctx;
  const asking = { settings, paths, cwd, session: ctx.input.session_id || undefined };
  const check = verify(asking, ctx.deadline - elapsedMs() - SPARE_MS);
  if (check?.failure) return { deny: check.failure, rule: "tasks.verify" };
  if (check) taskUpdates.keepVerified(ctx, ctx.input.task_id, check.command);
};

/** A session that waits for a subagent or a teammate has not ended its work. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  if (ctx.input.background_tasks?.some(({ status }) => status === "running")) return;
  return blockWithoutReport(ctx, "tasks", 1);
};

export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  if (!ctx.input.agent_type || ctx.identity.kind !== "in-process") return;
  return blockWithoutReport(ctx, "tasks", 1);
};

export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) => {
  if (!ctx.settings["tasks.hold_idle"]) return;
  return blockWithoutReport(ctx, "tasks-idle");
};

const TAIL_BYTES = 64 * 1024;
type Ending = Context<Base & { agent_transcript_path?: string }>;

function blockWithoutReport(ctx: Ending, reason: string, allowance?: number): Outcome | undefined {
  const found = ctx.settings["tasks.enforce"] ? listOfTeammate(ctx) : undefined;
  if (!found) return undefined;
  const { agent, overview } = found;
  const isAtWork = (kind: TaskKind) => kind.owner === agent && kind.status === "in_progress";
  const { tasks } = selectTasks(ctx.paths, overview, isAtWork);
  const open = tasks.filter((task) => !hasReportedOn(task, agent));
  const pass = passAfter(ctx, overview);
  if (open.length === 0) return pass;
  if (hasReported(readTail(transcriptOf(ctx.input), TAIL_BYTES)?.text ?? "")) return pass;
  const ids = open.map(({ id }) => id).join(",");
  const text = [
    "You are about to stop with work in progress and no report about it:",
    ...open.map(lineOf),
    "If it is finished: swarm task done ID (or TaskUpdate, completed). If it is not: report its state to the lead or with swarm task update ID --comment TEXT, or give it back with swarm task release ID. (settings: tasks.enforce, tasks.hold_idle)",
  ].join("\n");
  const held = blockOnce(ctx, { reason: `${reason}:${ids}`, allowance, text });
  return held ? { ...pass, ...held } : pass;
}

/** In review or blocked, or commented by its owner since it was claimed. */
function hasReportedOn(task: Task, owner: string): boolean {
  const { state, comments = [], lease } = notesOf(task);
  if (state) return true;
  return comments.some(({ author, timestamp }) => author === owner && timestamp > (lease?.at ?? ""));
}

interface ToolUse {
  type?: string;
  name?: string;
  input?: { command?: unknown; status?: unknown };
}

const REPORTS = /\bswarm\s+(send|broadcast|task\s+(release|update\b.*--comment))\b/s;
const CLAIMS = /\bswarm\s+task\s+claim\b/;

/** Whether the agent sent a message or commented after it last began a task, by the tail of its transcript. */
export function hasReported(transcriptTail: string): boolean {
  const last = transcriptTail
    .split("\n")
    .flatMap(toolUses)
    .findLast((use) => isStart(use) || isReport(use));
  return last !== undefined && !isStart(last);
}

const bashCommand = ({ name, input }: ToolUse) => (name === "Bash" ? toText(input?.command) : "");

const isReport = (use: ToolUse) => use.name === "SendMessage" || REPORTS.test(bashCommand(use));

const isStart = (use: ToolUse) =>
  (use.name === "TaskUpdate" && use.input?.status === "in_progress") || CLAIMS.test(bashCommand(use));

/** The format is the client's own: what cannot be read counts as missing. */
function toolUses(line: string): ToolUse[] {
  if (!line.includes('"tool_use"')) return [];
  const content = parsedLine<{ message?: { content?: unknown } }>(line)?.message?.content;
  const blocks = Array.isArray(content) ? (content as (ToolUse | null)[]) : [];
  return blocks.flatMap((block) => (block?.type === "tool_use" ? block : []));
}
