// Efforts (Engine hooks, docs/origins.md): work that outlives its sessions, with a skill, a phase, a log and notes for the next
// window. A session without an effort pays one `existsSync`; the handlers are loaded when there is one.

import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import * as sessions from "./session-events.ts" with { loading: "lazy" };
import { hasActiveEfforts } from "./store/efforts.ts";
import { hasWindow } from "./store/windows.ts";
import * as calls from "./tool-calls.ts" with { loading: "lazy" };

const hasEffort = ({ paths, input }: Context) => hasWindow(paths, input.session_id);

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) =>
  hasActiveEfforts(ctx.paths) ? sessions.sessionStart(ctx) : undefined;
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) =>
  hasEffort(ctx) ? sessions.sessionEnd(ctx) : undefined;
export const preCompact: Handler<typeof events.PreCompact> = (ctx) =>
  hasEffort(ctx) ? sessions.preCompact(ctx) : undefined;
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) =>
  hasEffort(ctx) ? calls.preToolUse(ctx) : undefined;
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  hasEffort(ctx) ? calls.postToolUse(ctx) : undefined;
export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) =>
  hasEffort(ctx) ? sessions.postToolUseFailure(ctx) : undefined;
export const stop: Handler<typeof events.Stop> = (ctx) => (hasEffort(ctx) ? sessions.stop(ctx) : undefined);
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) =>
  hasEffort(ctx) ? sessions.userPromptSubmit(ctx) : undefined;
export const notification: Handler<typeof events.Notification> = (ctx) =>
  hasEffort(ctx) ? sessions.notification(ctx) : undefined;
export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) =>
  hasEffort(ctx) ? sessions.permissionRequest(ctx) : undefined;
export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) =>
  hasEffort(ctx) ? sessions.teammateIdle(ctx) : undefined;
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) =>
  hasEffort(ctx) ? sessions.taskCompleted(ctx) : undefined;
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) =>
  hasEffort(ctx) ? sessions.subagentStart(ctx) : undefined;
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) =>
  hasEffort(ctx) ? sessions.subagentStop(ctx) : undefined;
export const configChange: Handler<typeof events.ConfigChange> = (ctx) =>
  hasEffort(ctx) ? sessions.configChange(ctx) : undefined;
