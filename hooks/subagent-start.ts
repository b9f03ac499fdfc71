import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as teamContext from "../lib/features/team-context.ts";
import { SubagentStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStart, {
  sessions: sessions.subagentStart,
  heartbeat: heartbeat.beat,
  "team-context": teamContext.subagentStart,
  scratchpad: scratchpad.subagentStart,
  effort: effort.subagentStart,
});
