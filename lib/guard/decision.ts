// From a verdict to the answer for the client: a denial, a question, or nothing the second time.

import { personalSettingsPath } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import { consumeBlock } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { explanation } from "./explanation.ts";
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
