import * as sessions from "../lib/features/sessions.ts";
import * as spawnGate from "../lib/features/spawn-gate.ts";
import { PreToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PreToolUse, {
  "spawn-gate": spawnGate.preToolUse,
  sessions: sessions.preToolUse,
});
