import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as sessions from "../lib/features/sessions.ts";
import { Notification } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Notification, {
  sessions: sessions.notification,
  heartbeat: heartbeat.beat,
  effort: effort.notification,
});
