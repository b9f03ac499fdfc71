// Dangerous commands and writes to protected paths are held back before they run, however they are spelled; harmless ones
// pass unseen. Each denial names its rule, a safer way and the setting that changes it.
import type { Context } from "../run/context.ts";
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";
import type { Outcome } from "../run/outcome.ts";
import { takeHold } from "../store/gates.ts";
import { personalSettingsPath } from "../store/paths.ts";
import { realPath } from "../store/probe.ts";
import { explanation } from "./command-guard/explanation.ts";
import { isPlain } from "./command-guard/plain.ts";
import type { Verdict } from "./command-guard/situation.ts";
import { situationOf } from "./command-guard/surroundings.ts";

type Call = Context<{ tool_name: string; tool_input: Record<string, unknown> }>;

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
  const protectsMore = ctx.settings["guard.protect"].length > 0;
  if (tool === "Bash" && isPlain(text, { cwd: ctx.cwd, realPath, protectsMore })) return undefined;
  const situation = situationOf(ctx, ctx.loaded);
  if (field !== undefined) {
    const { judgeWrite } =
      require("./command-guard/path-judge.ts") as typeof import("./command-guard/path-judge.ts");
    return judgeWrite(text, situation);
  }
  const engine = require("./command-guard/engine.ts") as typeof import("./command-guard/engine.ts");
  return tool === "Bash" ? engine.judge(text, situation) : engine.judgePowerShell(text, situation);
}

const isMine = (tool: string) => tool === "Bash" || tool === "PowerShell" || Object.hasOwn(WRITERS, tool);

/** Nobody sits there to answer, or the client has been told not to ask. */
export const canAnswer = (mode: string | undefined, attended: boolean | undefined, session: string) =>
  mode !== "bypassPermissions" && mode !== "dontAsk" && attended !== false && session === "interactive";

function outcomeOf(verdict: Verdict, ctx: Context): Outcome | undefined {
  const { session_id, agent_id = "main", permission_mode } = ctx.input;
  const { rule, decision } = verdict;
  const text = explanation(verdict, personalSettingsPath(ctx.places));
  if (decision === "ask" && canAnswer(permission_mode, ctx.attended, ctx.mode)) return { ask: text, rule };
  const isRepeated =
    decision === "once" &&
    session_id !== "" &&
    !takeHold(ctx.places, session_id, agent_id, `guard:${rule}`, 1);
  if (isRepeated) return { journal: [{ what: "guard-repeated", rule, subject: verdict.subject }] };
  return { deny: text, rule };
}

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  const { tool_name, tool_input } = ctx.input;
  if (!isMine(tool_name)) return undefined;
  const verdict = verdictOn(ctx, tool_name, tool_input);
  return verdict && outcomeOf(verdict, ctx);
};

/** For the runner, when the guard itself has failed: the call goes on, and the person is told so once a session. */
export function unchecked(ctx: Call): Outcome | undefined {
  if (!isMine(ctx.input.tool_name)) return undefined;
  const { session_id, agent_id = "main" } = ctx.input as unknown as { session_id: string; agent_id?: string };
  const isFirst = session_id === "" || takeHold(ctx.places, session_id, agent_id, "guard:unchecked", 1);
  return isFirst
    ? { notice: "Swarm's command guard failed and did not check this call; `swarm doctor` tells why." }
    : undefined;
}
