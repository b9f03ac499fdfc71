// What the events of a session with an effort do; loaded by lib/features/effort.ts once there is one. The calls of tools
// stand apart in tool-calls.ts.

import { readTail } from "../core/files.ts";
import { toText } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import { limitIn } from "../sessions/store/turn-end.ts";
import { blockCompactionOnce, killClient, snapshot } from "./compaction.ts";
import { currentOf, currentOrMain, shareOf, tell } from "./current.ts";
import { AT_THE_END, deliver, signal } from "./injections.ts";
import { beginSession, beginVoice } from "./starts.ts";
import { updateEffort } from "./store/efforts.ts";
import { updateEffortSession } from "./store/sessions.ts";
import { readSkillConfig } from "./store/skills.ts";
import { beatsOf, closeWindow, MAIN } from "./store/windows.ts";
import { blockAfterOf, contextLine } from "./text.ts";
import { closeAll, closeSession, mergeLoaded } from "./windows.ts";

const TAIL_BYTES = 64 * 1024;
const LONGEST_NOTE = 500;
const MOST_TASKS = 100;

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => beginSession(ctx);
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) => beginVoice(ctx);

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const { effort, speaker } = current;
  const limit = blockAfterOf(effort, ctx.settings["effort.block_after"]);
  const line = contextLine(effort, beatsOf(ctx.paths, speaker), limit, ctx.now);
  return deliver(ctx, current, [line]);
};

export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) =>
  noted(ctx, "failure", ({ tool_name, error, is_interrupt }) => ({
    tool: tool_name,
    error: toText(error ?? "").slice(0, LONGEST_NOTE),
    interrupted: is_interrupt,
  }));

export const notification: Handler<typeof events.Notification> = (ctx) =>
  noted(ctx, "attention", ({ notification_type, message }) => ({
    why: notification_type,
    text: message.slice(0, LONGEST_NOTE),
  }));

export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) =>
  noted(ctx, "attention", ({ tool_name }) => ({ why: "permission_request", tool: tool_name }));

function noted<Input extends Context["input"]>(
  ctx: Context<Input>,
  kind: string,
  detailsOf: (input: Input) => Record<string, unknown>,
): undefined {
  const current = currentOrMain(ctx);
  if (current) tell(ctx, current, kind, detailsOf(ctx.input));
}

/** How full the window is at the end of a turn, and whether a limit ended it. */
export const stop: Handler<typeof events.Stop> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const limit = limitIn(readTail(ctx.input.transcript_path, TAIL_BYTES)?.text ?? "");
  if (limit) tell(ctx, current, "limit", { limit: limit.limit, text: limit.text.slice(0, LONGEST_NOTE) });
  const share = shareOf(ctx, current);
  if (share !== undefined)
    updateEffortSession(ctx.paths, current.effort.id, current.session, (stored) => ({
      ...stored,
      contextUsage: Math.round(share),
    }));
};

export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) => {
  const current = currentOrMain(ctx);
  if (!current) return;
  const who = ctx.input.teammate_name ?? ctx.identity.agent ?? "a teammate";
  tell(ctx, current, "idle", { who, team: ctx.input.team_name });
  signal(ctx, current, `idle-${who}`, `${who} is idle.`);
};

/** Also fires at the end of each turn of a teammate with open work; only then it carries a permission mode. */
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) => {
  const current = ctx.input.permission_mode === undefined ? currentOrMain(ctx) : undefined;
  if (!current) return;
  const task = { id: ctx.input.task_id, subject: ctx.input.task_subject };
  tell(ctx, current, "task", { ...task, by: ctx.input.teammate_name });
  updateEffort(ctx.paths, current.effort.id, (stored) => {
    const others = stored.metadata.completedTasks.filter((one) => one.id !== task.id);
    const completedTasks = [...others, task].slice(-MOST_TASKS);
    return { ...stored, metadata: { ...stored.metadata, completedTasks } };
  });
};

/** Also fires for the compaction, which is nobody (`agent_type: ""`). */
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) => {
  const current = ctx.input.agent_type ? currentOf(ctx) : undefined;
  if (!current || current.speaker.voice === MAIN) return;
  const { effort, session, speaker } = current;
  if (ctx.identity.kind === "in-process") return mergeLoaded(ctx.paths, speaker, effort.id);
  closeSession(ctx.paths, speaker, { effort: effort.id, session }, { reason: "subagent-stop", now: ctx.now });
  closeWindow(ctx.paths, speaker);
};

export const preCompact: Handler<typeof events.PreCompact> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const way = ctx.settings["effort.precompact"];
  if (way === "kill" && ctx.input.trigger === "auto") {
    const killed = killClient(ctx, current);
    if (killed) return killed;
  }
  snapshot(ctx, current);
  return way === "block" ? blockCompactionOnce(ctx, current) : undefined;
};

/** Also after `/clear`: the window is gone, though the client lives on. */
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const reason = ctx.input.reason || "unknown";
  closeAll(ctx.paths, ctx.input.session_id, { reason, now: ctx.now, options: AT_THE_END });
  tell(ctx, current, "session", { what: "ended", reason });
  if (reason === "clear" || reason === "resume") return;
  signal(ctx, current, `ended-${current.session}`, `Session ${current.effort.id}.${current.session} ended.`);
};

/** What is known of the skill was read from a file that may have changed. */
export const configChange: Handler<typeof events.ConfigChange> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const { project, skill } = current.effort;
  const skillConfig = readSkillConfig(ctx.paths, project, skill) ?? null;
  if (JSON.stringify(skillConfig) === JSON.stringify(current.effort.skillConfig)) return;
  updateEffort(ctx.paths, current.effort.id, (stored) => ({ ...stored, skillConfig }));
  tell(ctx, current, "config", { skill, file: skillConfig?.file });
};
