import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SubagentStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStart, {
  sessions: sessions.subagentStart,
  scratchpad: scratchpad.subagentStart,
});
