import * as sessions from "../lib/features/sessions.ts";
import * as teammates from "../lib/features/teammates.ts";
import { SessionEnd } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionEnd, {
  teammates: teammates.sessionEnd,
  sessions: sessions.sessionEnd,
});
