// Work that outlives its sessions (seed 003): an effort has a skill, a phase, a log and what the last window left
// behind; whoever starts next goes on from there. Sessions without an effort see nothing of this and pay one look
// at the disk: what an effort does is loaded when there is one.

import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Handler } from "../hook/run.ts";
import * as engine from "./engine.ts" with { loading: "lazy" };
import { hasActiveEfforts, hasWindow } from "./store/presence.ts";
import * as calls from "./tool-calls.ts" with { loading: "lazy" };

const concerned = ({ paths, input }: Context) => hasWindow(paths, input.session_id);

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) =>
  hasActiveEfforts(ctx.paths) ? engine.sessionStart(ctx) : undefined;
export const sessionEnd: Handler<typeof events.SessionEnd> = (ctx) =>
  concerned(ctx) ? engine.sessionEnd(ctx) : undefined;
export const preCompact: Handler<typeof events.PreCompact> = (ctx) =>
  concerned(ctx) ? engine.preCompact(ctx) : undefined;
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) =>
  concerned(ctx) ? calls.preToolUse(ctx) : undefined;
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  concerned(ctx) ? calls.postToolUse(ctx) : undefined;
export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) =>
  concerned(ctx) ? engine.postToolUseFailure(ctx) : undefined;
export const stop: Handler<typeof events.Stop> = (ctx) => (concerned(ctx) ? engine.stop(ctx) : undefined);
export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) =>
  concerned(ctx) ? engine.userPromptSubmit(ctx) : undefined;
export const notification: Handler<typeof events.Notification> = (ctx) =>
  concerned(ctx) ? engine.notification(ctx) : undefined;
export const permissionRequest: Handler<typeof events.PermissionRequest> = (ctx) =>
  concerned(ctx) ? engine.permissionRequest(ctx) : undefined;
export const teammateIdle: Handler<typeof events.TeammateIdle> = (ctx) =>
  concerned(ctx) ? engine.teammateIdle(ctx) : undefined;
export const taskCompleted: Handler<typeof events.TaskCompleted> = (ctx) =>
  concerned(ctx) ? engine.taskCompleted(ctx) : undefined;
export const subagentStart: Handler<typeof events.SubagentStart> = (ctx) =>
  concerned(ctx) ? engine.subagentStart(ctx) : undefined;
export const subagentStop: Handler<typeof events.SubagentStop> = (ctx) =>
  concerned(ctx) ? engine.subagentStop(ctx) : undefined;
export const configChange: Handler<typeof events.ConfigChange> = (ctx) =>
  concerned(ctx) ? engine.configChange(ctx) : undefined;
