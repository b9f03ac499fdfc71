import { StopFailure } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as reports from "../lib/mail/hooks/last-reports.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(StopFailure, {
  sessions: sessions.stopFailure,
  reports: always(reports.stopFailure),
  inbox: always(inbox.stopFailure),
  heartbeat: teams.beat,
  people: people.stopFailure,
});
