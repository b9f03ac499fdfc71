// From findings to one verdict: what the settings say about each rule, the strictest first.
import { patternOf } from "../../parse/glob.ts";
import { fillHoles } from "./holes.ts";
import type { RuleId } from "./rules.ts";
import type { Decision, Finding, Policy, Situation, Verdict } from "./situation.ts";

/** Most commands are blamed for nothing, and never need them. */
export const rules = () => require("./objection.ts") as typeof import("./objection.ts");

const STRICTNESS: Decision[] = ["off", "once", "ask", "deny"];
const strictness = (decision: Decision) => STRICTNESS.indexOf(decision);

export function decisionFor(rule: RuleId, policy: Policy): Decision {
  if (rules().isCatastrophic(rule)) return "deny";
  const own = policy.rules[rule] ?? rules().ruleOf(rule).decision;
  const asked = policy.atLeast[rule] ?? "off";
  return strictness(asked) > strictness(own) ? asked : own;
}

const isAllowed = ({ rule, subject }: Finding, { policy, now }: Situation) =>
  !rules().isCatastrophic(rule) &&
  policy.allowCommands.some(({ match, expires }) => {
    const isOver = expires !== undefined && !(Date.parse(expires) > now);
    return !isOver && patternOf(match, { starsOnly: true }).matches(subject);
  });

function shown({ subject, path }: Finding): string {
  const target = path === undefined ? "" : fillHoles(path, "…");
  return subject.includes(target) ? subject || "this call" : subject ? `${subject} (${target})` : target;
}

export function verdictOf(findings: readonly Finding[], situation: Situation): Verdict | undefined {
  const weighed = findings
    .filter((finding) => !isAllowed(finding, situation))
    .map((finding) => ({ finding, decision: decisionFor(finding.rule, situation.policy) }))
    .filter(({ decision }) => decision !== "off");
  const rank = ({ finding, decision }: (typeof weighed)[number]) =>
    strictness(decision) * 2 + (rules().isCatastrophic(finding.rule) ? 1 : 0);
  const [worst] = weighed.sort((a, b) => rank(b) - rank(a));
  if (!worst || worst.decision === "off") return undefined;
  const { rule } = worst.finding;
  const { why, instead } = rules().ruleOf(rule);
  return {
    rule,
    decision: worst.decision,
    severity: rules().isCatastrophic(rule) ? "catastrophic" : "deny",
    subject: shown(worst.finding),
    reason: why,
    instead,
  };
}
