// From findings to one verdict, the strictest by what the settings say about each rule, and from a verdict to the answer for the
// client: a denial, a question, or nothing the second time.

import { patternOf } from "../core/glob.ts";
import { personalSettingsPath } from "../core/paths.ts";
import { sha256 } from "../core/sha256.ts";
import { withoutTags } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import type { Attendance } from "../hook/environment.ts";
import { consumeBlock } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { isCatastrophic, type RuleId, ruleOf } from "./rules.ts";
import { fillUnknowns } from "./shell/state.ts";
import {
  DECISIONS,
  type Decision,
  type Finding,
  type Policy,
  type Situation,
  type Verdict,
} from "./situation.ts";

const strictness = (decision: Decision) => DECISIONS.indexOf(decision);

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

function subjectOf({ subject, path }: Finding): string {
  const target = path === undefined ? "" : fillUnknowns(path, "…");
  if (subject.includes(target)) return subject || "this call";
  return subject ? `${subject} (${target})` : target;
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
  const { why, instead } = { ...ruleOf(rule), ...words };
  const loosest = decisionFor(rule, { ...situation.policy, rules: { [rule]: "off" } }, situation.attendance);
  return {
    rule,
    decision: worst.decision,
    severity: isCatastrophic(rule) ? "catastrophic" : "deny",
    subject: subjectOf(worst.finding),
    reason: why,
    instead,
    ...(loosest === worst.decision && !isCatastrophic(rule) && { byProject: true }),
  };
}

/** `text` is the whole command or path: only the same one passes the second time. */
export function outcomeOf(
  verdict: Verdict,
  ctx: Pick<Context, "input" | "paths">,
  text: string,
): Outcome | undefined {
  const { session_id, agent_id = "main" } = ctx.input;
  const { rule, decision } = verdict;
  const reason = explanation(verdict, personalSettingsPath(ctx.paths));
  if (decision === "ask") return { ask: reason, rule };
  const isRepeated =
    decision === "once" &&
    session_id !== "" &&
    !consumeBlock(ctx.paths, session_id, agent_id, `guard:${rule}:${sha256(text).slice(0, 16)}`, 1);
  if (isRepeated) return { journal: [{ what: "guard-repeated", rule, subject: verdict.subject }] };
  return { deny: reason, rule };
}

// The guard's words: what was held back, why, what to do instead, and which setting changes it.
const LONGEST_SUBJECT = 300;

function setting({ rule, severity, byProject }: Verdict, file: string): string {
  if (severity === "catastrophic") return "This rule has no off switch.";
  if (byProject) return `Only the user can change this: guard.rules.${rule} in the project's .atm.toml.`;
  return `Only the user can change this: guard.rules.${rule} = "ask" | "once" | "off" in ${file}.`;
}

/** `subject` comes from the command: shown as one line, without what could pass for markup of ours. */
const shown = (text: string) =>
  withoutTags(
    text
      .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
      .replaceAll("`", "'")
      .slice(0, LONGEST_SUBJECT),
  );

export function explanation(verdict: Verdict, file: string): string {
  const { rule, subject, reason, instead } = verdict;
  const sentences = [
    `Command guard, rule ${rule}: \`${shown(subject)}\` ${reason}.`,
    instead ? `Instead: ${instead}.` : "",
    verdict.decision === "once"
      ? "If it is really meant, run the same command again: it is held back only once."
      : "",
    setting(verdict, file),
  ];
  return sentences.filter(Boolean).join(" ");
}
