// A guarded call: the path of a file tool or the command of a shell tool, judged, and the verdict turned into an outcome.
import type { Context } from "../hook/context.ts";
import type { Outcome } from "../hook/outcome.ts";
import { outcomeOf } from "./decision.ts" with { loading: "lazy" };
import { judge, judgePowerShell } from "./engine.ts" with { loading: "lazy" };
import { judgeWrite } from "./path-judge.ts" with { loading: "lazy" };
import type { Verdict } from "./situation.ts";
import { situationOf } from "./situation-of.ts";

/** The tools that write a file, with the field that names it. */
const WRITERS = new Map([
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
]);

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

export function checkCall(ctx: Call): Outcome | undefined {
  const verdict = verdictOn(ctx);
  return verdict && outcomeOf(verdict, ctx);
}

function verdictOn(ctx: Call): Verdict | undefined {
  const { tool_name, tool_input } = ctx.input;
  const field = WRITERS.get(tool_name);
  const text = tool_input[field ?? "command"];
  if (typeof text !== "string" || text === "" || !ctx.settings["guard.enabled"]) return undefined;
  const situation = situationOf(ctx, ctx.loaded);
  if (field !== undefined) return judgeWrite(text, situation);
  return tool_name === "Bash" ? judge(text, situation) : judgePowerShell(text, situation);
}
