// Guard rules of an effort. A rule fires when all conditions it names hold: tool, part of the input, phase, and the least
// heartbeat and context share. `*` stands for any text, `|` separates alternatives. `deny` denies the call, `warn` shows the
// message once in each window.
import { patternOf } from "../core/glob.ts";
import type { GuardRule } from "./store/efforts.ts";

export interface GuardedCall {
  tool: string;
  input: Record<string, unknown>;
  phase: string | undefined;
  heartbeat: number;
  /** In percent; `undefined` while unknown. */
  context: number | undefined;
}

export const firedRules = (rules: readonly GuardRule[], call: GuardedCall): GuardRule[] =>
  rules.filter((rule) => fires(rule, call));

function fires(rule: GuardRule, { tool, input, phase, heartbeat, context }: GuardedCall): boolean {
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
