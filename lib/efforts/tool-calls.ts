// Around a tool call. Before it: the heartbeat, the context's level, guard rules, files still to be shown. After it: what
// it read, which directives lie there, what waits for delivery.

import { readTail } from "../core/files.ts";
import { toText } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { blockOnce } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { lastWordsIn } from "../sessions/store/turn-end.ts";
import { type Current, currentOf, shareOf, tell } from "./current.ts";
import { dialogueOf } from "./dialogue.ts";
import { type EngineCall, engineCallOf } from "./engine-call.ts";
import { firedRules, guardDenial, guardWarning, type Moment } from "./guards.ts";
import { deliver } from "./injections.ts";
import { preloadClaim, preloadText } from "./rehydration.ts";
import { type Effort, updateEffort } from "./store/efforts.ts";
import { readPreload } from "./store/preloads.ts";
import { findDirectives } from "./store/skills.ts";
import {
  beat,
  beatsOf,
  claimOnce,
  isClaimed,
  MAIN,
  noteCall,
  noteLoaded,
  restartBeats,
  stretchOf,
} from "./store/windows.ts";
import { asSection, blockAfterOf, heartbeatBlock, heartbeatNear, overflowWarning, short } from "./text.ts";

const HOLDS_A_STRETCH = 2;
const NEAR = 2;
const PRELOAD_BYTES = 4_000;
const MOST_DIRECTIVES = 50;
const OVERFLOW = "overflow";
const TAIL_BYTES = 64 * 1024;

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const { tool_name: tool, tool_input: input } = ctx.input;
  const call = engineCallOf(tool, input);
  if (call) noteEngineCall(ctx, current, call, toText(input["command"] ?? ""));
  if (call?.alone) return;
  const counts = !call && !isUncounted(ctx, current);
  const beats = counts ? beat(ctx.paths, current.speaker) : beatsOf(ctx.paths, current.speaker);
  const held = counts ? heldBack(ctx, current, beats) : undefined;
  if (held) return held;
  const share = shareOf(ctx, current);
  const moment = { tool, input, phase: current.effort.phase, heartbeat: beats, context: share };
  const { warnings, ...verdict } = guarded(ctx, current, moment);
  if (verdict.deny !== undefined) return verdict;
  const overflow = overflowOf(ctx, current, share);
  const said = [...(overflow ? [overflow] : []), ...warnings, ...pendingPreloads(ctx, current)];
  return said.length > 0 ? { context: asSection(current.effort, said.join("\n\n")) } : undefined;
};

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) => {
  const current = currentOf(ctx);
  if (!current) return;
  const { tool_name: tool, tool_input: input, tool_response: response } = ctx.input;
  if (tool === "AskUserQuestion") {
    const preamble = lastWordsIn(readTail(ctx.input.transcript_path, TAIL_BYTES)?.text ?? "");
    tell(ctx, current, "dialogue", { ...dialogueOf(input, response, preamble) });
  }
  const file = touchedFile(tool, input);
  const found = file === undefined ? undefined : trackFile(ctx, current, file);
  const texts = [found, nearTheLimit(ctx, current)].flatMap((text) => text ?? []);
  return deliver(ctx, current, texts);
};

/** Reset at sight, as in the seed: the hook knows the voice, the command behind it only the session. */
function noteEngineCall(ctx: Context, { speaker }: Current, call: EngineCall, command: string): void {
  noteCall(ctx.paths, speaker, command, ctx.now);
  if (call.leads && call.verb === "log") restartBeats(ctx.paths, speaker);
}

/** While the skill loads, or once the window is so full that it must be written down, nothing counts. */
const isUncounted = ({ paths }: Context, { effort, speaker }: Current): boolean =>
  effort.metadata.loading === true || isClaimed(paths, speaker, OVERFLOW);

/**
 * PreToolUse knows no `stop_hook_active`, so the allowance alone keeps this from looping: two calls are held back, the
 * rest go through. The main agent is asked again every `block_after` calls; a subagent may have no shell to log with.
 */
function heldBack(ctx: Context, { effort, session, speaker }: Current, beats: number) {
  const limit = blockAfterOf(effort, ctx.settings["effort.block_after"]);
  if (limit === 0 || beats < limit) return undefined;
  const stretch = `${effort.id}.${session}.${stretchOf(ctx.paths, speaker)}`;
  const round = speaker.voice === MAIN ? `.${Math.floor(beats / limit)}` : "";
  return blockOnce(ctx, {
    reason: `heartbeat:${stretch}${round}`,
    text: heartbeatBlock(effort, beats, limit),
    allowance: HOLDS_A_STRETCH,
  });
}

function overflowOf(ctx: Context, { speaker }: Current, share: number | undefined): string | undefined {
  if (share === undefined || share < ctx.settings["effort.overflow_warn"]) return undefined;
  return claimOnce(ctx.paths, speaker, OVERFLOW) ? overflowWarning(share) : undefined;
}

function guarded(ctx: Context, current: Current, moment: Moment): Outcome & { warnings: string[] } {
  const fired = firedRules(current.effort.metadata.guards, moment);
  const denying = fired.find((rule) => rule.action === "deny");
  if (denying)
    return { deny: guardDenial(denying, current.effort.id), rule: `effort:${denying.id}`, warnings: [] };
  const news = fired.filter((rule) => claimOnce(ctx.paths, current.speaker, `guard:${rule.id}`));
  return { warnings: news.map(guardWarning) };
}

/** Files added while the window was open; those of its start are claimed already. What has no room waits for the next call. */
function pendingPreloads(ctx: Context, { effort, speaker }: Current): string[] {
  const shown: string[] = [];
  if (speaker.voice !== MAIN) return shown;
  for (const path of effort.preloads) {
    if (shown.join("").length > PRELOAD_BYTES) break;
    if (!claimOnce(ctx.paths, speaker, preloadClaim(path))) continue;
    const one = readPreload([effort.project, ctx.paths.home], effort.project, path, PRELOAD_BYTES);
    shown.push(one.text === undefined ? `[Not preloaded: ${short(path)}] ${one.why}` : preloadText(one));
  }
  return shown;
}

const FILE_TOOLS: Record<string, string> = {
  Read: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  Write: "file_path",
  NotebookEdit: "notebook_path",
};

function touchedFile(tool: string, input: Record<string, unknown>): string | undefined {
  const path = Object.hasOwn(FILE_TOOLS, tool) ? input[FILE_TOOLS[tool] as string] : undefined;
  return typeof path === "string" && path !== "" ? path : undefined;
}

/** Remembers the file; says which directive files it met for the first time. */
function trackFile(ctx: Context, { effort, speaker }: Current, path: string): string | undefined {
  noteLoaded(ctx.paths, speaker, path);
  const fresh = findDirectives(effort.project, path).filter((one) => !effort.directives.includes(one));
  if (fresh.length === 0) return undefined;
  updateEffort(ctx.paths, effort.id, (stored) => withDirectives(stored, fresh));
  const news = fresh.filter((one) => one !== path);
  return news.length > 0 ? `[Directives found: ${news.map(short).join(", ")}]` : undefined;
}

const withDirectives = (effort: Effort, fresh: string[]): Effort => ({
  ...effort,
  directives: [...new Set([...effort.directives, ...fresh])].slice(0, MOST_DIRECTIVES),
});

/** The count, said once a stretch shortly before it would hold a call back. */
function nearTheLimit(ctx: Context, { effort, speaker }: Current): string | undefined {
  const limit = blockAfterOf(effort, ctx.settings["effort.block_after"]);
  const beats = beatsOf(ctx.paths, speaker);
  if (limit <= NEAR || beats < limit - NEAR || beats >= limit) return undefined;
  const stretch = stretchOf(ctx.paths, speaker);
  return claimOnce(ctx.paths, speaker, `near:${stretch}`) ? heartbeatNear(beats, limit, effort) : undefined;
}
