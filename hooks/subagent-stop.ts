import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SubagentStop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStop, {
  sessions: sessions.subagentStop,
  effort: effort.subagentStop,
});
