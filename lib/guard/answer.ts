// From a verdict to the answer for the client: a denial, a question, or nothing the second time.
import { personalSettingsPath } from "../core/paths.ts";
import { withoutTags } from "../core/text.ts";
import type { Context } from "../hook/context.ts";
import { consumeBlock } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import type { Verdict } from "./situation.ts";

export function outcomeOf(verdict: Verdict, ctx: Pick<Context, "input" | "paths">): Outcome | undefined {
  const { session_id, agent_id = "main" } = ctx.input;
  const { rule, decision } = verdict;
  const text = explanation(verdict, personalSettingsPath(ctx.paths));
  if (decision === "ask") return { ask: text, rule };
  const isRepeated =
    decision === "once" &&
    session_id !== "" &&
    !consumeBlock(ctx.paths, session_id, agent_id, `guard:${rule}`, 1);
  if (isRepeated) return { journal: [{ what: "guard-repeated", rule, subject: verdict.subject }] };
  return { deny: text, rule };
}

// The guard's words: what was held back, why, what to do instead, and which setting changes it.
const LONGEST_SUBJECT = 300;

function setting({ rule, severity }: Verdict, file: string): string {
  if (severity === "catastrophic") return "This rule has no off switch.";
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
