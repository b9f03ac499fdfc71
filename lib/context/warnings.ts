// When and how to warn an agent about a filling context, and its lead. The texts are those of Claude OS hooks (docs/origins.md),
// word for word, with the true figures below.

import { reported } from "../core/process.ts";
import type { Context } from "../hook/context.ts";
import type { Mode } from "../hook/environment.ts";
import type { Outcome } from "../hook/outcome.ts";
import { notifyLead } from "../mail/store/lead-notes.ts" with { loading: "lazy" };
import { contextUse, MAIN, readAgentContext, type Use, updateAgentContext } from "./store/window.ts";

/** In percent points: a session that nobody watches is warned earlier. */
const EARLIER_BY = 10;
/** In percent points: only a compaction frees this much, so a wavering figure does not repeat a warning. */
const RESET_BELOW = 10;

export const thresholdsFor = (warn: readonly number[], mode: Mode): number[] =>
  warn.map((share) => (mode === "interactive" ? share : share - EARLIER_BY)).sort((a, b) => a - b);

export const levelOf = (share: number, thresholds: readonly number[]): number =>
  thresholds.filter((threshold) => share >= threshold).length;

/** The level to store. A higher one than the last is given as a warning. */
export function nextLevel(last: number, share: number, thresholds: readonly number[]): number {
  const level = levelOf(share, thresholds);
  if (level >= last) return level;
  return share < (thresholds[last - 1] ?? 0) - RESET_BELOW ? level : last;
}

type Moment = "prompt" | "stop";

const INFO = "[CLAUDE OS SYS: INFO]:";
const WARNING = "[CLAUDE OS SYS: WARNING]:";
const urgent = (percent: number) =>
  `${WARNING} Context at ${percent}% - URGENT\nStop the task and write down the minimal state.`;
const critical = (percent: number) =>
  `${WARNING} Context at ${percent}% - CRITICAL\nEmergency reset immediately: write the state that must survive, nothing else.`;

/** By level. */
const TEXTS: readonly Record<Moment, (percent: number) => string>[] = [
  {
    prompt: (percent) => `${INFO} Context at ${percent}% - Consider writing reset notes soon`,
    stop: (percent) =>
      `${INFO} Memory check (${percent}% context used)\nExternalize what only this conversation knows: decisions, findings, open ends.`,
  },
  {
    prompt: (percent) => `${WARNING} Context at ${percent}% - Write reset notes and prepare to transition`,
    stop: (percent) =>
      `${WARNING} Context at ${percent}%\nInitiate the reset protocol: write reset notes and bring the work to a point where another can take over.`,
  },
  { prompt: urgent, stop: urgent },
  { prompt: critical, stop: critical },
];

export function warningText(moment: Moment, level: number, thresholds: readonly number[], use: Use): string {
  const texts = TEXTS[Math.min(level, TEXTS.length) - 1] ?? TEXTS[0];
  return `${texts?.[moment](thresholds[level - 1] ?? 0)}\n${figures(use)}`;
}

const figures = ({ share, tokens, window }: Use) =>
  `(${Math.floor(share)} % of the context window is used: ${thousands(tokens)} of ${thousands(window)} tokens.)`;

const thousands = (count: number) => `${Math.round(count / 1000)}k`;

/** The lead gets a note at the second and the fourth level. */
export function noteForLead(who: string, level: number, use: Use): string | undefined {
  if (level !== 2 && level !== 4) return undefined;
  const fact = `${who} has used ${Math.floor(use.share)} % of its context window (${thousands(use.tokens)} of ${thousands(use.window)} tokens).`;
  return level === 2
    ? `${fact} Let it finish its present step and write down its state; give the next piece of work to a fresh teammate.`
    : `${fact} It may lose its context at any moment: ask for its notes now, give it nothing new, and replace it.`;
}

function levelChange(ctx: Context) {
  const use = contextUse(ctx, ctx.input);
  if (!use) return undefined;
  const thresholds = thresholdsFor(ctx.settings["context.warn"], ctx.mode);
  const { session_id: session, agent_id: agent = MAIN } = ctx.input;
  const { said: last } = readAgentContext(ctx.paths, session, agent);
  return nextLevel(last, use.share, thresholds) === last ? undefined : { use, thresholds };
}

export const isWarningDue = (ctx: Context): boolean => levelChange(ctx) !== undefined;

export function warn(ctx: Context, moment: Moment): Outcome | undefined {
  const change = levelChange(ctx);
  if (!change) return undefined;
  const { use, thresholds } = change;
  const level = claimLevel(ctx, use.share, thresholds);
  if (level === undefined) return undefined;
  noteToLead(ctx, level, use);
  return {
    context: { name: "context warning", text: warningText(moment, level, thresholds, use), priority: 90 },
    journal: [{ what: "context-level", level, share: Math.floor(use.share) }],
  };
}

/** The level to warn about now; claimed under the lock, so that no other event does too. */
function claimLevel(ctx: Context, share: number, thresholds: readonly number[]): number | undefined {
  const { session_id: session, agent_id: agent = MAIN } = ctx.input;
  let claimed: number | undefined;
  updateAgentContext(ctx.paths, session, agent, (stored) => {
    const level = nextLevel(stored.said, share, thresholds);
    if (level > stored.said) claimed = level;
    return level === stored.said ? undefined : { ...stored, said: level };
  });
  return claimed;
}

function noteToLead(ctx: Context, level: number, use: Use): void {
  const { team, agent, isLead, kind } = ctx.identity;
  const text = agent && noteForLead(agent, level, use);
  if (!team || !text || isLead || kind === "subagent") return;
  const news = { from: agent, text, summary: "context running out", at: ctx.now };
  // The agent's own warning is claimed already.
  reported(() => notifyLead(ctx.paths, team, news), "the lead could not be notified");
}
