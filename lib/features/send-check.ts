// The client's SendMessage, checked by code where seed 001 asked a model: the reader exists, there is something to read, a
// broadcast knows its size, and nobody is shut down over open work unawares. A roster nobody knows lets everything pass.
import type * as events from "../run/events.ts";
import type { Handler } from "../run/hook.ts";

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "SendMessage") return;
  const { check } = require("./send-check/send-verdict.ts") as typeof import("./send-check/send-verdict.ts");
  return check(ctx);
};
