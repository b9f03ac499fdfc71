import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { TeammateIdle } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TeammateIdle, {
  sessions: sessions.teammateIdle,
  effort: effort.teammateIdle,
});
