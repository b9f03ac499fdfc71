import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as reports from "../lib/features/reports.ts";
import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { SubagentStop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SubagentStop, {
  tasks: tasks.subagentStop,
  scratchpad: scratchpad.subagentStop,
  sessions: sessions.subagentStop,
  reports: reports.subagentStop,
  heartbeat: heartbeat.beat,
  effort: effort.subagentStop,
});
