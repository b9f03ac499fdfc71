import * as effort from "../lib/efforts/hooks.ts";
import { Notification } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as machines from "../lib/machines/hooks.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(Notification, {
  sessions: sessions.notification,
  inbox: always(inbox.notification),
  heartbeat: teams.beat,
  effort: effort.notification,
  people: people.notification,
  machines: machines.keepCourier,
});
