import * as effort from "../lib/efforts/hooks.ts";
import { Notification } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as sessions from "../lib/sessions/hooks/sessions.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";

runHook(Notification, {
  sessions: sessions.notification,
  inbox: always(inbox.notification),
  heartbeat: heartbeat.beat,
  effort: effort.notification,
});
