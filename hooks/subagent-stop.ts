import * as effort from "../lib/efforts/hooks.ts";
import { SubagentStop } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as reports from "../lib/mail/hooks/last-reports.ts";
import * as scratchpad from "../lib/scratchpad/hooks.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(SubagentStop, {
  tasks: tasks.subagentStop,
  scratchpad: scratchpad.subagentStop,
  sessions: sessions.subagentStop,
  reports: always(reports.subagentStop),
  heartbeat: teams.beat,
  effort: effort.subagentStop,
});
