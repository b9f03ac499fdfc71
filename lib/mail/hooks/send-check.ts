// The client's SendMessage, checked by code where seed 001 asked a model: the reader exists, there is something to read, a
// broadcast knows its size, and nobody is shut down over open work unawares. A roster nobody knows lets everything pass.

import type * as events from "../../hook/events.ts";
import type { Handler } from "../../hook/run.ts";
import { check } from "../send-check.ts" with { loading: "lazy" };

export const preToolUse: Handler<typeof events.PreToolUse> = (ctx) => {
  if (ctx.input.tool_name !== "SendMessage") return;
  return check(ctx);
};
