import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PreToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PreToolUse, {
  effort: effort.preToolUse,
  sessions: sessions.preToolUse,
});
