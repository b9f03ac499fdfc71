// A guarded call: most are plainly harmless and need no parser; for the others the engine is loaded.
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import { realPath } from "../../store/real-path.ts";
import { isPlain, isPlainPath } from "./plain.ts";
import type { Verdict } from "./situation.ts";
import { situationOf } from "./surroundings.ts";

/** The tools that write a file, with the field that names it. */
const WRITERS: Record<string, string> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function verdictOn(ctx: Context, tool: string, input: Record<string, unknown>): Verdict | undefined {
  const field = Object.hasOwn(WRITERS, tool) ? WRITERS[tool] : undefined;
  const text = textOf(input[field ?? "command"]);
  if (text === "" || !ctx.settings["guard.enabled"]) return undefined;
  const ground = { cwd: ctx.cwd, realPath, protectsMore: ctx.settings["guard.protect"].length > 0 };
  if (field === undefined ? tool === "Bash" && isPlain(text, ground) : isPlainPath(text, ground))
    return undefined;
  const situation = situationOf(ctx, ctx.loaded);
  if (field !== undefined) {
    const { judgeWrite } = require("./path-judge.ts") as typeof import("./path-judge.ts");
    return judgeWrite(text, situation);
  }
  const engine = require("./engine.ts") as typeof import("./engine.ts");
  return tool === "Bash" ? engine.judge(text, situation) : engine.judgePowerShell(text, situation);
}

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

export function checkCall(ctx: Call): Outcome | undefined {
  const { tool_name, tool_input } = ctx.input;
  const verdict = verdictOn(ctx, tool_name, tool_input);
  if (!verdict) return undefined;
  const { outcomeOf } = require("./decision.ts") as typeof import("./decision.ts");
  return outcomeOf(verdict, ctx);
}
