import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { PreCompact } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks.ts";

runHook(PreCompact, {
  sessions: sessions.preCompact,
  "context-budget": context.preCompact,
  effort: effort.preCompact,
});
