import * as contextBudget from "../lib/features/context-budget.ts";
import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { PreCompact } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PreCompact, {
  sessions: sessions.preCompact,
  "context-budget": contextBudget.preCompact,
  effort: effort.preCompact,
});
