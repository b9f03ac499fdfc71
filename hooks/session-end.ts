import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { SessionEnd } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionEnd, {
  sessions: sessions.sessionEnd,
  effort: effort.sessionEnd,
});
