// From a verdict to what the client is told: a denial, a question where somebody can answer it, or nothing the second time.

import { personalSettingsPath } from "../core/paths.ts";
import type { Context } from "../hook/context.ts";
import { consumeBlock } from "../hook/gate.ts";
import type { Outcome } from "../hook/outcome.ts";
import { explanation } from "./explanation.ts";
import type { Verdict } from "./situation.ts";

/** Nobody sits there to answer, or the client has been told not to ask. */
export const canAnswer = (mode: string | undefined, attended: boolean | undefined, session: string) =>
  mode !== "bypassPermissions" && mode !== "dontAsk" && attended !== false && session === "interactive";

type Asked = Pick<Context, "input" | "paths" | "attended" | "mode">;

export function outcomeOf(verdict: Verdict, ctx: Asked): Outcome | undefined {
  const { session_id, agent_id = "main", permission_mode } = ctx.input;
  const { rule, decision } = verdict;
  const text = explanation(verdict, personalSettingsPath(ctx.paths));
  if (decision === "ask" && canAnswer(permission_mode, ctx.attended, ctx.mode)) return { ask: text, rule };
  const isRepeated =
    decision === "once" &&
    session_id !== "" &&
    !consumeBlock(ctx.paths, session_id, agent_id, `guard:${rule}`, 1);
  if (isRepeated) return { journal: [{ what: "guard-repeated", rule, subject: verdict.subject }] };
  return { deny: text, rule };
}
