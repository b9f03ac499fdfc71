import * as effort from "../lib/efforts/hooks.ts";
import { SubagentStart } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as scratchpad from "../lib/scratchpad/hooks.ts";
import * as sessions from "../lib/sessions/hooks/sessions.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";
import * as teamContext from "../lib/teams/hooks/team-context.ts";

runHook(SubagentStart, {
  sessions: sessions.subagentStart,
  heartbeat: heartbeat.beat,
  "team-context": teamContext.subagentStart,
  scratchpad: scratchpad.subagentStart,
  effort: effort.subagentStart,
});
