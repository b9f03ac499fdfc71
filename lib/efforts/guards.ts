// Guard rules of an effort. A rule names a tool, a piece of the input, a phase, or how far the heartbeat or the context
// has come; all it names must be so. `*` stands for anything, `|` for or. `deny` stops the call, `warn` says its
// message once a window.
import { patternOf } from "../core/glob.ts";
import { escapeXml } from "../core/text.ts";
import type { GuardRule } from "./store/efforts.ts";

export interface Moment {
  tool: string;
  input: Record<string, unknown>;
  phase: string | undefined;
  heartbeat: number;
  /** In percent; `undefined` while unknown. */
  context: number | undefined;
}

export const firedRules = (rules: readonly GuardRule[], moment: Moment): GuardRule[] =>
  rules.filter((rule) => fires(rule, moment));

function fires(rule: GuardRule, { tool, input, phase, heartbeat, context }: Moment): boolean {
  if (rule.tool !== undefined && !matches(rule.tool, tool)) return false;
  if (rule.phase !== undefined && !matches(rule.phase, phase ?? "")) return false;
  if (rule.heartbeat !== undefined && heartbeat < rule.heartbeat) return false;
  if (rule.context !== undefined && (context ?? 0) < rule.context) return false;
  const { input: wanted } = rule;
  return wanted === undefined || textsOf(input).some((text) => contains(wanted, text));
}

const textsOf = (input: Record<string, unknown>) =>
  Object.values(input).map((value) => (typeof value === "string" ? value : (JSON.stringify(value) ?? "")));

/** The whole text, for names. */
export const matches = (pattern: string, text: string): boolean =>
  pattern.split("|").some((one) => globs(one.trim(), text));

/** Anywhere in the text, for inputs. */
export const contains = (pattern: string, text: string): boolean =>
  pattern.split("|").some((one) => globs(`*${one.trim()}*`, text));

const globs = (pattern: string, text: string) => patternOf(pattern, { starsOnly: true }).matches(text);

export const guardDenial = (rule: GuardRule, effort: number): string =>
  `[Guard: ${rule.id}] ${escapeXml(rule.message)}\nA rule of effort ${effort}; it is lifted by: swarm effort guard ${rule.id} --remove --effort ${effort}`;

export const guardWarning = (rule: GuardRule): string => `[Guard: ${rule.id}] ${escapeXml(rule.message)}`;
