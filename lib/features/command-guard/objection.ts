// All that is needed once the guard has found something: the rules, the decision, and its word in a session that concerns nobody
// else, said and written down as a run would, without loading one.
import type { Context } from "../../run/context.ts";
import type { Spoken } from "../../run/outcome.ts";
import type { Objection } from "../../run/quiet-call.ts";
import { attempt } from "../../run/report.ts";
import { say } from "../../run/say.ts";
import { writeDown } from "../../run/write-down.ts";
import { outcomeOf } from "./decision.ts";
import type { Verdict } from "./situation.ts";

export { outcomeOf } from "./decision.ts";
export { isCatastrophic, ruleOf } from "./rules.ts";

const EVENT = "PreToolUse";

export function objection(
  verdict: Verdict,
  call: Pick<Context, "input" | "places" | "now" | "attended">,
): Objection {
  const ctx = { ...call, event: EVENT, mode: "interactive" as const };
  const spoken: Spoken[] = [{ ...outcomeOf(verdict, ctx), feature: "command-guard" }];
  return {
    isDenial: spoken.some(({ deny }) => deny !== undefined),
    say() {
      say(EVENT, spoken);
      attempt(ctx, "journal", () => writeDown(ctx, spoken));
    },
  };
}
