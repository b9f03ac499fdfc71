import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { ConfigChange } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(ConfigChange, {
  sessions: sessions.configChange,
  effort: effort.configChange,
});
