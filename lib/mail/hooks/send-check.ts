import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { checkMessage } from "../send-check.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) =>
  ctx.input.tool_name === "SendMessage" ? checkMessage(ctx) : undefined;
