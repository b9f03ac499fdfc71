// An agent learns in time that its context runs out, and so does its lead: each level is said once, at the first
// prompt, tool or stop that meets it, and again only after a compaction (seed 002).

import type * as events from "../../hook/events.ts";
import { blockOnce } from "../../hook/gate.ts";
import type { Handler } from "../../hook/run.ts";
import { PING } from "../levels.ts";
import { markDue, takeDue } from "../store/due-warnings.ts";
import { awaitWords, contextTokens } from "../store/transcript.ts";
import { MAIN, readVoiceContext, updateVoiceContext } from "../store/window.ts";
import * as warnings from "../warning.ts" with { loading: "lazy" };
import { isDue, useOf, warned } from "../warning.ts";

export const userPromptSubmit: Handler<typeof events.UserPromptSubmit> = (ctx) => warned(ctx, "prompt");

/** Runs beside the turn, which may be over before its words would arrive: it leaves them to the next hook that is waited for. */
export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  if (!ctx.input.agent_id && isDue(ctx)) markDue(ctx.paths, ctx.input.session_id);
};

/** Of the voices inside the session only teammates: a subagent is short-lived and has no notes to write. */
export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { session_id: session, agent_id: agent } = ctx.input;
  if (agent ? ctx.identity.kind !== "in-process" : !takeDue(ctx.paths, session)) return;
  return warnings.warned(ctx, "prompt");
};

export const stop: Handler<typeof events.Stop> = (ctx) => {
  const { stop_hook_active, transcript_path, last_assistant_message } = ctx.input;
  if (stop_hook_active) return;
  if (useOf(ctx)) awaitWords(transcript_path, last_assistant_message);
  const warning = warned(ctx, "stop");
  const ping =
    ctx.mode === "background"
      ? blockOnce(ctx, { reason: "context-budget:ping", text: PING, allowance: 1 })
      : undefined;
  return ping ? { ...warning, ...ping } : warning;
};

export const sessionStart: Handler<typeof events.SessionStart> = (ctx) => {
  const { session_id: session, source } = ctx.input;
  if (source !== "compact" || !session || readVoiceContext(ctx.paths, session, MAIN).said === 0) return;
  updateVoiceContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, said: 0 }));
};

/** Where the client compacts by itself is where the window ends, for want of a better source. */
export const preCompact: Handler<typeof events.PreCompact> = (ctx) => {
  const { session_id: session, trigger, transcript_path } = ctx.input;
  const compactsAt = trigger === "auto" && session ? contextTokens(transcript_path) : undefined;
  if (compactsAt) updateVoiceContext(ctx.paths, session, MAIN, (stored) => ({ ...stored, compactsAt }));
};
