// `swarm guard`: asks the guard about a command without running it, and lists its rules. A lazy part.
import { badCall, type Call } from "../cli/command.ts";
import { policyOf, situationOf } from "./hooks.ts";
import * as engine from "./judge.ts" with { loading: "lazy" };
import { judgeWrite } from "./protected-paths.ts" with { loading: "lazy" };
import { isCatastrophic, RULES, type RuleId, ruleOf } from "./rules.ts";
import type { Verdict } from "./situation.ts";
import { decisionFor } from "./verdict.ts";

type Flags = Record<"powershell" | "write" | "unattended", "switch">;

export function guardVerb(call: Call<Flags>) {
  const [action = "", ...words] = call.words;
  if (action === "rules") return rules(call);
  if (action === "test") return examine(call, words);
  throw badCall(`test or rules, not ${JSON.stringify(action)}`);
}

function judged(call: Call<Flags>, text: string): Verdict | undefined {
  const found = situationOf(call, call.loaded);
  const situation = call.flags.unattended ? { ...found, attendance: "unattended" as const } : found;
  if (call.flags.write) return judgeWrite(text, situation);
  return call.flags.powershell ? engine.judgePowerShell(text, situation) : engine.judge(text, situation);
}

/** Several words are one command, as the shell would have joined them. */
function examine(call: Call<Flags>, words: string[]) {
  const text = words.length === 1 && words[0] === "-" ? call.stdin() : words.join(" ");
  if (text.trim() === "") throw badCall("name the command to look at");
  const verdict = judged(call, text);
  const off = call.loaded.values["guard.enabled"]
    ? ""
    : "\n(the guard is switched off: guard.enabled = false)";
  if (!verdict) return { text: `passes${off}`, data: { decision: "pass" } };
  return { text: `${asText(verdict)}${off}`, data: verdict, exitCode: 1 };
}

function asText({ rule, decision, subject, reason, instead, severity, byProject }: Verdict): string {
  const change =
    severity === "catastrophic"
      ? "no setting changes this"
      : byProject
        ? `guard.rules.${rule} in the project's .atm.toml`
        : `guard.rules.${rule} = "ask" | "once" | "off"`;
  return [
    `${decision}  ${rule}`,
    `  what:    ${subject}`,
    `  why:     it ${reason}`,
    ...(instead ? [`  instead: ${instead}`] : []),
    `  setting: ${change}`,
  ].join("\n");
}

function rules({ loaded }: Call<Flags>) {
  const policy = policyOf(loaded);
  const rows = (Object.keys(RULES) as RuleId[]).map((id) => ({
    id,
    attended: decisionFor(id, policy, "attended"),
    unattended: decisionFor(id, policy, "unattended"),
    fixed: isCatastrophic(id),
    title: ruleOf(id).title,
  }));
  const width = Math.max(...rows.map(({ id }) => id.length));
  const lines = [
    `${"rule".padEnd(width)}  attended  unattended`,
    ...rows.map(
      ({ id, attended, unattended, fixed, title }) =>
        `${id.padEnd(width)}  ${attended.padEnd(8)}  ${unattended.padEnd(10)}  ${title}${fixed ? " (no off switch)" : ""}`,
    ),
  ];
  return { text: lines.join("\n"), data: rows };
}
