import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as reports from "../lib/features/reports.ts";
import * as sessions from "../lib/features/sessions.ts";
import { StopFailure } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(StopFailure, {
  sessions: sessions.stopFailure,
  reports: reports.stopFailure,
  inbox: inbox.stopFailure,
  heartbeat: heartbeat.beat,
});
