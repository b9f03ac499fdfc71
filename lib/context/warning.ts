// The warning a voice gets now, if any, and the note its lead gets with it. Apart, because hardly any tool call needs it.

import type { Context } from "../hook/context.ts";
import type { Outcome, Section } from "../hook/outcome.ts";
import { notifyLead } from "../mail/store/lead-notes.ts" with { loading: "lazy" };
import { type Moment, nextLevel, noteForLead, thresholdsFor, warningText } from "./levels.ts";
import { contextUse, MAIN, readVoiceContext, type Use, updateVoiceContext } from "./store/window.ts";

export const useOf = (ctx: Context): Use | undefined =>
  contextUse(ctx.paths, ctx.input, {
    setting: ctx.settings["context.window"],
    compactWindow: ctx.compactWindow,
  });

interface Standing {
  use: Use;
  thresholds: readonly number[];
}

/** `undefined` where nothing has changed since the last look. */
function standingOf(ctx: Context): Standing | undefined {
  const use = useOf(ctx);
  if (!use) return undefined;
  const thresholds = thresholdsFor(ctx.settings["context.warn"], ctx.mode);
  const { session_id: session, agent_id: agent = MAIN } = ctx.input;
  const { said } = readVoiceContext(ctx.paths, session, agent);
  return nextLevel(said, use.share, thresholds) === said ? undefined : { use, thresholds };
}

export const isDue = (ctx: Context): boolean => standingOf(ctx) !== undefined;

export function warned(ctx: Context, moment: Moment): Outcome | undefined {
  const standing = standingOf(ctx);
  const level = standing && claimLevel(ctx, standing);
  if (!standing || level === undefined) return undefined;
  const { use, thresholds } = standing;
  reportToLead(ctx, level, use);
  return {
    context: section(warningText(moment, level, thresholds, use)),
    journal: [{ what: "context-level", level, share: Math.floor(use.share) }],
  };
}

const section = (text: string): Section => ({ name: "context warning", text, priority: 90 });

/** The level to say now, taken so that no other event says it too. */
function claimLevel(ctx: Context, { use, thresholds }: Standing): number | undefined {
  const { session_id: session, agent_id: agent = MAIN } = ctx.input;
  let claimed: number | undefined;
  updateVoiceContext(ctx.paths, session, agent, (stored) => {
    const level = nextLevel(stored.said, use.share, thresholds);
    if (level > stored.said) claimed = level;
    return level === stored.said ? undefined : { ...stored, said: level };
  });
  return claimed;
}

function reportToLead(ctx: Context, level: number, use: Use): void {
  const { team, agent, isLead, kind } = ctx.identity;
  if (!team || !agent || isLead || kind === "subagent") return;
  const text = noteForLead(agent, level, use);
  if (!text) return;
  notifyLead(ctx.paths, team, { from: agent, text, summary: "context running out", at: ctx.now });
}
