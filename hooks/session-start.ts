import * as sessions from "../lib/features/sessions.ts";
import * as teammates from "../lib/features/teammates.ts";
import { SessionStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionStart, {
  announcement: sessions.announcement,
  sessions: sessions.sessionStart,
  teammates: teammates.sessionStart,
});
