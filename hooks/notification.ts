import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import { Notification } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Notification, {
  sessions: sessions.notification,
  inbox: inbox.notification,
  heartbeat: heartbeat.beat,
  effort: effort.notification,
});
