// Test and build runs, noted after the command in hooks that no turn waits for.
import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { noteRun } from "../runs.ts" with { loading: "lazy" };

export const postToolUse: Handler<typeof events.PostToolUse> = (ctx) =>
  ctx.input.tool_name === "Bash" ? noteRun(ctx) : undefined;

export const postToolUseFailure: Handler<typeof events.PostToolUseFailure> = (ctx) =>
  ctx.input.tool_name === "Bash" ? noteRun(ctx) : undefined;
