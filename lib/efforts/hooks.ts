// Efforts (Engine hooks, docs/origins.md): work that outlives its sessions, with a skill, a phase, a log and notes for the next
// window. A session without an effort pays one `existsSync`; the handlers are loaded when there is one.

import type { Base, Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import * as sessions from "./session-events.ts" with { loading: "lazy" };
import { hasActiveEfforts } from "./store/efforts.ts";
import { hasWindow } from "./store/windows.ts";
import * as calls from "./tool-calls.ts" with { loading: "lazy" };

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) =>
  hasActiveEfforts(ctx.paths) ? sessions.sessionStart(ctx) : undefined;

type EventHandler<Input extends Base> = (ctx: Context<Input>) => Outcome | void;

/* @__NO_SIDE_EFFECTS__: each hook script carries only the handlers it uses */
function inEffort<Input extends Base>(handle: EventHandler<Input>): EventHandler<Input> {
  return (ctx) => (hasWindow(ctx.paths, ctx.input.session_id) ? handle(ctx) : undefined);
}

export const sessionEnd = inEffort(sessions.sessionEnd);
export const preCompact = inEffort(sessions.preCompact);
export const preToolUse = inEffort(calls.preToolUse);
export const postToolUse = inEffort(calls.postToolUse);
export const postToolUseFailure = inEffort(sessions.postToolUseFailure);
export const stop = inEffort(sessions.stop);
export const userPromptSubmit = inEffort(sessions.userPromptSubmit);
export const notification = inEffort(sessions.notification);
export const permissionRequest = inEffort(sessions.permissionRequest);
export const teammateIdle = inEffort(sessions.teammateIdle);
export const taskCompleted = inEffort(sessions.taskCompleted);
export const subagentStart = inEffort(sessions.subagentStart);
export const subagentStop = inEffort(sessions.subagentStop);
export const configChange = inEffort(sessions.configChange);
