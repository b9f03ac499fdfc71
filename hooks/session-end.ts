import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as teammates from "../lib/features/teammates.ts";
import { SessionEnd } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionEnd, {
  heartbeat: heartbeat.sessionEnd,
  teammates: teammates.sessionEnd,
  sessions: sessions.sessionEnd,
  inbox: inbox.sessionEnd,
  effort: effort.sessionEnd,
});
