import * as effort from "../lib/efforts/hooks.ts";
import { SubagentStart } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as scratchpad from "../lib/scratchpad/hooks.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(SubagentStart, {
  sessions: sessions.subagentStart,
  heartbeat: teams.beat,
  "team-context": teams.subagentStart,
  scratchpad: scratchpad.subagentStart,
  effort: effort.subagentStart,
});
