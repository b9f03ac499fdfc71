// When to warn about a filling context, and in which words: seed 002's, to the letter, with the true figures below.
import type { Mode } from "../hook/environment.ts";
import type { Use } from "./store/window.ts";

/** Nobody watches a session in these modes, so it hears of it earlier. */
const EARLIER_BY = 10;
/** A figure that wavers must not repeat a warning; only a compaction frees this much. */
const RESET_BELOW = 10;

export const thresholdsFor = (warn: readonly number[], mode: Mode): number[] =>
  [...warn].map((share) => (mode === "interactive" ? share : share - EARLIER_BY)).sort((a, b) => a - b);

/** How many thresholds are passed: 0 for none. */
export const levelOf = (share: number, thresholds: readonly number[]): number =>
  thresholds.filter((threshold) => share >= threshold).length;

/** The level to remember; higher than `said` means that it is to be said now. */
export function nextLevel(said: number, share: number, thresholds: readonly number[]): number {
  const level = levelOf(share, thresholds);
  if (level >= said) return level;
  return share < (thresholds[said - 1] ?? 0) - RESET_BELOW ? level : said;
}

export type Moment = "prompt" | "stop";

interface Words {
  prompt: (percent: number) => string;
  stop: (percent: number) => string;
}

const INFO = "[CLAUDE OS SYS: INFO]:";
const WARNING = "[CLAUDE OS SYS: WARNING]:";
const urgent = (percent: number) =>
  `${WARNING} Context at ${percent}% - URGENT\nStop the task and write down the minimal state.`;
const critical = (percent: number) =>
  `${WARNING} Context at ${percent}% - CRITICAL\nEmergency reset immediately: write the state that must survive, nothing else.`;

const WORDS: readonly Words[] = [
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
  const words = WORDS[Math.min(level, WORDS.length) - 1] ?? WORDS[0];
  return `${words?.[moment](thresholds[level - 1] ?? 0)}\n${figures(use)}`;
}

const figures = ({ share, tokens, window }: Use) =>
  `(${Math.floor(share)} % of the context window is used: ${thousands(tokens)} of ${thousands(window)} tokens.)`;

const thousands = (count: number) => `${Math.round(count / 1000)}k`;

export const PING = `${INFO} Reminder - Ping before ending
This session runs in the background: whoever waits for it learns how it ended only by a message or a status.`;

const TELL_LEAD_AT = [2, 4];

/** What the lead is told when a teammate reaches a level, if anything. */
export function noteForLead(who: string, level: number, use: Use): string | undefined {
  if (!TELL_LEAD_AT.includes(level)) return undefined;
  const fact = `${who} has used ${Math.floor(use.share)} % of its context window (${thousands(use.tokens)} of ${thousands(use.window)} tokens).`;
  return level === 2
    ? `${fact} Let it finish its present step and write down its state; give the next piece of work to a fresh teammate.`
    : `${fact} It may lose its context at any moment: ask for its notes now, give it nothing new, and replace it.`;
}
