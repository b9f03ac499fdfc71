import * as effort from "../lib/efforts/hooks.ts";
import { ConfigChange } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks.ts";

runHook(ConfigChange, {
  sessions: sessions.configChange,
  effort: effort.configChange,
});
