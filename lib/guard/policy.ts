// From findings to one verdict: what the settings say about each rule, the strictest first.
import { patternOf } from "../core/glob.ts";
import type { Attendance } from "../hook/environment.ts";
import { isCatastrophic, ruleOf } from "./rules.ts" with { loading: "lazy" };
import type { RuleId } from "./rules.ts";
import type { GuardSettings } from "./settings.ts";
import { fillUnknowns } from "./shell/unknowns.ts";
import type { AllowedCommand, Decision, Finding, Policy, Situation, Verdict } from "./situation.ts";

const STRICTNESS: readonly Decision[] = ["off", "once", "ask", "deny"];
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
  const target = path === undefined ? "" : fillUnknowns(path, "…");
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
  // Of equally strict findings, the one that no setting or no situation would have softened.
  const rank = ({ finding: { rule }, decision }: (typeof weighed)[number]) =>
    strictness(decision) * 4 +
    (isCatastrophic(rule) ? 2 : 0) +
    (ruleOf(rule).verdict.attended === "deny" ? 1 : 0);
  const [worst] = weighed.sort((a, b) => rank(b) - rank(a));
  if (!worst || worst.decision === "off") return undefined;
  const { rule, words } = worst.finding;
  const { why, instead } = words ?? ruleOf(rule);
  return {
    rule,
    decision: worst.decision,
    severity: isCatastrophic(rule) ? "catastrophic" : "deny",
    subject: shown(worst.finding),
    reason: why,
    instead,
  };
}

// The guard's policy from the settings files: the person's word first, a project's only where it is stricter.
const isDecision = (value: unknown): value is Decision => STRICTNESS.includes(value as Decision);

function decisions(table: unknown): Record<string, Decision> {
  const entries = Object.entries((table ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, Decision] => isDecision(entry[1])));
}

const texts = (list: unknown) => (list ?? []) as readonly string[];

/** An entry without a reason is no permission. */
function allowedCommands(table: Record<string, unknown>): AllowedCommand[] {
  return Object.values(table).flatMap((entry) => {
    const { match, reason, expires } = (entry ?? {}) as Record<string, unknown>;
    if (typeof match !== "string" || typeof reason !== "string" || match === "" || reason === "") return [];
    return [{ match, reason, ...(expires === undefined ? {} : { expires: String(expires) }) }];
  });
}

/** Of the settings, what concerns the guard. */
export interface GuardRules {
  values: GuardSettings;
  projectAsks: Readonly<Record<string, unknown>>;
}

export function policyOf({ values, projectAsks }: GuardRules): Policy {
  return {
    rules: decisions(values["guard.rules"]),
    atLeast: decisions(projectAsks["guard.rules"]),
    protect: values["guard.protect"],
    protectInside: texts(projectAsks["guard.protect"]),
    unprotect: values["guard.unprotect"],
    allowPaths: values["guard.allow_paths"],
    allowCommands: allowedCommands(values["guard.allow_commands"]),
  };
}
