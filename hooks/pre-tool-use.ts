import * as contextBudget from "../lib/features/context-budget.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PreToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PreToolUse, {
  sessions: sessions.preToolUse,
  "context-budget": contextBudget.preToolUse,
});
