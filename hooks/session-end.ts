import * as effort from "../lib/efforts/hooks.ts";
import { SessionEnd } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teammates from "../lib/teammates/hooks/teammates.ts";
import * as teams from "../lib/teams/hooks.ts";

runHook(SessionEnd, {
  heartbeat: always(teams.sessionEnd),
  teammates: always(teammates.sessionEnd),
  sessions: always(sessions.sessionEnd),
  inbox: always(inbox.sessionEnd),
  effort: always(effort.sessionEnd),
  people: people.sessionEnd,
});
