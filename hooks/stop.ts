import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { Stop } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as reports from "../lib/mail/hooks/last-reports.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as scratchpad from "../lib/scratchpad/hooks.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as forecast from "../lib/worktrees/hooks/forecast.ts";

runHook(Stop, {
  inbox: always(inbox.stop),
  tasks: { teammates: true, handle: tasks.stop },
  scratchpad: scratchpad.stop,
  "context-budget": context.stop,
  sessions: sessions.stop,
  reports: { teammates: true, handle: reports.stop, always: true },
  heartbeat: teams.beat,
  effort: effort.stop,
  people: people.stop,
  forecast: forecast.stop,
});
