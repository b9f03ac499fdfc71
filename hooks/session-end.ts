import * as effort from "../lib/efforts/hooks.ts";
import { SessionEnd } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teammates from "../lib/teammates/hooks/teammates.ts";
import * as teams from "../lib/teams/hooks.ts";

// The session first: it takes its process off the record, after which the others ask whether another client runs the session.
runHook(SessionEnd, {
  sessions: always(sessions.sessionEnd),
  heartbeat: always(teams.sessionEnd),
  teammates: always(teammates.sessionEnd),
  inbox: always(inbox.sessionEnd),
  effort: always(effort.sessionEnd),
  people: people.sessionEnd,
});
