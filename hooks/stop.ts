import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { Stop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Stop, {
  sessions: sessions.stop,
  effort: effort.stop,
});
