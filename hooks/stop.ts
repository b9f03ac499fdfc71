import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as reports from "../lib/features/reports.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { Stop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Stop, {
  inbox: inbox.stop,
  tasks: tasks.stop,
  sessions: sessions.stop,
  reports: reports.stop,
  heartbeat: heartbeat.beat,
});
