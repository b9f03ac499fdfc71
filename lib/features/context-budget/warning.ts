// The warning a voice gets now, if any, and the note its lead gets with it. Apart, because before a tool call only
// teammates inside a session need it.
import type { Context } from "../../run/context.ts";
import type { Outcome, Section } from "../../run/outcome.ts";
import {
  contextUse,
  MAIN,
  readVoiceContext,
  type Use,
  updateVoiceContext,
} from "../../store/context-window.ts";
import { type Moment, nextLevel, noteForLead, thresholdsFor, warningText } from "./levels.ts";

export const useOf = (ctx: Context): Use | undefined =>
  contextUse(ctx.places, ctx.input, {
    setting: ctx.settings["context.window"],
    compactWindow: ctx.compactWindow,
  });

export function warned(ctx: Context, moment: Moment): Outcome | undefined {
  const { session_id: session, agent_id: agent = MAIN } = ctx.input;
  const use = useOf(ctx);
  if (!use) return undefined;
  const thresholds = thresholdsFor(ctx.settings["context.warn"], ctx.mode);
  const level = claimLevel(ctx, session, agent, use, thresholds);
  if (level === undefined) return undefined;
  reportToLead(ctx, level, use);
  return {
    context: section(warningText(moment, level, thresholds, use)),
    journal: [{ what: "context-level", level, share: Math.floor(use.share) }],
  };
}

const section = (text: string): Section => ({ name: "context warning", text, priority: 90 });

/** The level to say now, taken so that no other event says it too. */
function claimLevel(
  ctx: Context,
  session: string,
  agent: string,
  use: Use,
  thresholds: readonly number[],
): number | undefined {
  const known = readVoiceContext(ctx.places, session, agent).said;
  if (nextLevel(known, use.share, thresholds) === known) return undefined;
  let claimed: number | undefined;
  updateVoiceContext(ctx.places, session, agent, (stored) => {
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
  const { tellLead } = require("../../store/lead-notes.ts") as typeof import("../../store/lead-notes.ts");
  tellLead(ctx.places, team, { from: agent, text, summary: "context running out", at: ctx.now });
}
