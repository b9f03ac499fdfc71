// What a session learns about its context (Claude OS hooks, docs/origins.md): files at its start, and warnings before its window is
// full, each level once, with the first prompt, tool call or stop that reaches it, and again only after a compaction.

import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Handler } from "../hook/run.ts";
import { readInstalled, writeInstalled } from "./store/status-line.ts";
import {
  awaitAnswer,
  contextTokens,
  contextUse,
  MAIN,
  markDue,
  readAgentContext,
  takeDue,
  updateAgentContext,
} from "./store/window.ts";
import * as warnings from "./warnings.ts" with { loading: "lazy" };
import { isWarningDue, warn } from "./warnings.ts";

const PING = `[CLAUDE OS SYS: INFO]: Reminder - Ping before ending
This session runs in the background: others learn how it ended only by a message or a status.`;

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => warn(ctx, "prompt");

/** An asynchronous hook, whose words may arrive after the turn: it leaves the warning to the next synchronous one. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  if (!ctx.input.agent_id && isWarningDue(ctx)) markDue(ctx.paths, ctx.input.session_id);
};

/** Of the agents inside a session only teammates: a subagent is short-lived and has no notes to write. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { session_id: session, agent_id: agent } = ctx.input;
  if (agent ? ctx.identity.kind !== "in-process" : !takeDue(ctx.paths, session)) return;
  return warnings.warn(ctx, "prompt");
};

export const stop: Handler<typeof events.Stop> = (ctx) => {
  const { stop_hook_active, transcript_path, last_assistant_message } = ctx.input;
  if (stop_hook_active) return;
  const isMeasured = contextUse(ctx, ctx.input) !== undefined;
  if (isMeasured) awaitAnswer(transcript_path, last_assistant_message);
  const warning = isMeasured ? warn(ctx, "stop") : undefined;
  const ping =
    ctx.mode === "background"
      ? blockOnce(ctx, { reason: "context-budget:ping", text: PING, allowance: 1 })
      : undefined;
  return ping ? { ...warning, ...ping } : warning;
};

/** The use at which the client compacts by itself is the window's size, where no other source names it. */
export const preCompact: Handler<typeof events.PreCompact> = (ctx) => {
  const { session_id: session, trigger, transcript_path } = ctx.input;
  const compactsAt = trigger === "auto" && session ? contextTokens(transcript_path) : undefined;
  if (compactsAt) updateAgentContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, compactsAt }));
};

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { session_id: session, source } = ctx.input;
  if (source !== "compact" || !session || readAgentContext(ctx.paths, session, MAIN).said === 0) return;
  updateAgentContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, said: 0 }));
};

/** At session start. The plugin's folder changes with every update: an installed status line is pointed to the new one. */
export const moveStatusLine: Handler<typeof events.SessionStart> = ({ paths, pluginRoot }) => {
  const installed = pluginRoot ? readInstalled(paths) : undefined;
  if (!pluginRoot || !installed || installed.root === pluginRoot) return;
  writeInstalled(paths, { ...installed, root: pluginRoot });
};

export { filesAtStart as giveFiles } from "./files.ts";
