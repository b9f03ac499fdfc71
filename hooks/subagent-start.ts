import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SubagentStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStart, {
  sessions: sessions.subagentStart,
  effort: effort.subagentStart,
});
