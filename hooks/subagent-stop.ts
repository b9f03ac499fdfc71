import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SubagentStop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStop, {
  scratchpad: scratchpad.subagentStop,
  sessions: sessions.subagentStop,
});
