import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SessionStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionStart, {
  announcement: sessions.announcement,
  sessions: sessions.sessionStart,
  effort: effort.sessionStart,
});
