// From findings to one verdict: what the settings say about each rule, the strictest first.
import { patternOf } from "../core/glob.ts";
import { fillHoles } from "./holes.ts";
import { isCatastrophic, ruleOf } from "./rules.ts" with { loading: "lazy" };
import type { RuleId } from "./rules.ts";
import type { Attendance, Decision, Finding, Policy, Situation, Verdict } from "./situation.ts";

const STRICTNESS: Decision[] = ["off", "once", "ask", "deny"];
const strictness = (decision: Decision) => STRICTNESS.indexOf(decision);

/** A question that nobody can answer is a denial. */
export function decisionFor(rule: RuleId, policy: Policy, attendance: Attendance): Decision {
  if (isCatastrophic(rule)) return "deny";
  const { verdict, follows = rule } = ruleOf(rule);
  const own = policy.rules[rule] ?? policy.rules[follows] ?? verdict[attendance];
  const asked = policy.atLeast[rule] ?? policy.atLeast[follows] ?? "off";
  const decision = strictness(asked) > strictness(own) ? asked : own;
  return decision === "ask" && attendance === "unattended" ? "deny" : decision;
}

const isAllowed = ({ rule, subject }: Finding, { policy, now }: Situation) =>
  !isCatastrophic(rule) &&
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
    .map((finding) => ({
      finding,
      decision: decisionFor(finding.rule, situation.policy, situation.attendance),
    }))
    .filter(({ decision }) => decision !== "off");
  const rank = ({ finding, decision }: (typeof weighed)[number]) =>
    strictness(decision) * 2 + (isCatastrophic(finding.rule) ? 1 : 0);
  const [worst] = weighed.sort((a, b) => rank(b) - rank(a));
  if (!worst || worst.decision === "off") return undefined;
  const { rule } = worst.finding;
  const { why, instead } = ruleOf(rule);
  return {
    rule,
    decision: worst.decision,
    severity: isCatastrophic(rule) ? "catastrophic" : "deny",
    subject: shown(worst.finding),
    reason: why,
    instead,
  };
}
