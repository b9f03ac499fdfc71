// A guarded call: most are plainly harmless and need no parser; for the others the engine is loaded.
import { thisMoment } from "../../parse/moment.ts";
import type { Context } from "../../run/context.ts";
import type { Outcome } from "../../run/outcome.ts";
import type { Objection } from "../../run/quiet-call.ts";
import { attendedBy, clientPidOf, type Env, placesOf } from "../../run/surroundings.ts";
import { GUARD_DEFAULTS } from "../../store/guard-defaults.ts";
import { beginGuarded, endGuarded } from "../../store/guarded-calls.ts";
import { realPath } from "../../store/real-path.ts";
import { isPlain, isPlainPath } from "./plain.ts";
import type { GuardRules } from "./settings.ts";
import type { Verdict } from "./situation.ts";
import { type Around, situationOf } from "./surroundings.ts";

/** The tools that write a file, with the field that names it. */
const WRITERS: Record<string, string> = {
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
};

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function verdictOn(
  tool: string,
  input: Record<string, unknown>,
  around: Around,
  rules: GuardRules,
): Verdict | undefined {
  const field = Object.hasOwn(WRITERS, tool) ? WRITERS[tool] : undefined;
  const text = textOf(input[field ?? "command"]);
  if (text === "" || !rules.values["guard.enabled"]) return undefined;
  const ground = { cwd: around.cwd, realPath, protectsMore: rules.values["guard.protect"].length > 0 };
  if (field === undefined ? tool === "Bash" && isPlain(text, ground) : isPlainPath(text, ground))
    return undefined;
  const situation = situationOf(around, rules);
  if (field !== undefined) {
    const { judgeWrite } = require("./path-judge.ts") as typeof import("./path-judge.ts");
    return judgeWrite(text, situation);
  }
  const engine = require("./engine.ts") as typeof import("./engine.ts");
  return tool === "Bash" ? engine.judge(text, situation) : engine.judgePowerShell(text, situation);
}

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

const objecting = () => require("./objection.ts") as typeof import("./objection.ts");

export function checkCall(ctx: Call): Outcome | undefined {
  const { tool_name, tool_input } = ctx.input;
  const verdict = verdictOn(tool_name, tool_input, ctx, ctx.loaded);
  if (!verdict) return undefined;
  return objecting().outcomeOf(verdict, ctx);
}

export const answered = (env: Env): void => endGuarded(placesOf(env));

/** For lib/run/quiet-call.ts, in the project's own directory and where nobody has set anything: as a run would judge it. */
export function objectionTo(input: Call["input"], env: Env): Objection | undefined {
  const { cwd, tool_name, tool_input } = input;
  const places = placesOf(env);
  beginGuarded(places);
  const around = { places, cwd, projectDir: cwd, clientPid: clientPidOf(env), now: thisMoment() };
  const verdict = verdictOn(tool_name, tool_input, around, { values: GUARD_DEFAULTS, projectAsks: {} });
  if (!verdict) return undefined;
  return objecting().objection(verdict, { ...around, input, attended: attendedBy(env) });
}
