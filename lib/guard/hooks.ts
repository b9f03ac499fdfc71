// Dangerous commands and writes to protected paths are held back before they run, however they are spelled; harmless ones
// pass unseen. Each denial names its rule, a safer way and the setting that changes it.

import { beginGuarded } from "../core/journal.ts";
import type { Context } from "../hook/context.ts";
import { noEffects } from "../hook/context.ts";
import type * as events from "../hook/events.ts";
import { consumeBlock } from "../hook/gate.ts" with { loading: "lazy" };
import type { Outcome } from "../hook/outcome.ts";
import type { Handler } from "../hook/run.ts";
import { outcomeOf } from "./answer.ts" with { loading: "lazy" };
import { judge, judgePowerShell } from "./judge.ts" with { loading: "lazy" };
import { judgeWrite } from "./protected-paths.ts" with { loading: "lazy" };
import { situationOf, type Verdict } from "./situation.ts";

const GUARDED = ["Bash", "PowerShell", "Write", "Edit", "MultiEdit", "NotebookEdit"];

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (!GUARDED.includes(ctx.input.tool_name)) return undefined;
  beginGuarded(ctx.paths);
  const verdict = verdictOn(ctx);
  return verdict && outcomeOf(verdict, ctx);
};

/** For the runner, when the guard itself has failed: the call goes on, and the person reads so once a session. */
export function unchecked(ctx: Context<Context["input"] & { tool_name: string }>): Outcome | undefined {
  const { tool_name, session_id, agent_id = "main" } = ctx.input;
  if (!GUARDED.includes(tool_name)) return undefined;
  const isFirst = session_id === "" || consumeBlock(ctx.paths, session_id, agent_id, "guard:unchecked", 1);
  return isFirst
    ? { notice: "Swarm's command guard failed and did not check this call; `swarm doctor` tells why." }
    : undefined;
}

/** The tools that write a file, with the field that names it. */
const WRITERS = new Map([
  ["Write", "file_path"],
  ["Edit", "file_path"],
  ["MultiEdit", "file_path"],
  ["NotebookEdit", "notebook_path"],
]);

type Call = Context<Context["input"] & { tool_name: string; tool_input: Record<string, unknown> }>;

function verdictOn(ctx: Call): Verdict | undefined {
  const { tool_name, tool_input } = ctx.input;
  const field = WRITERS.get(tool_name);
  const text = tool_input[field ?? "command"];
  if (typeof text !== "string" || text === "" || !ctx.settings["guard.enabled"]) return undefined;
  const situation = situationOf(ctx, ctx.loaded);
  if (field !== undefined) return judgeWrite(text, situation);
  ctx.effects = situation.effects = noEffects();
  return tool_name === "Bash" ? judge(text, situation) : judgePowerShell(text, situation);
}
