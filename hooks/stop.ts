import * as contextBudget from "../lib/features/context-budget.ts";
import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import { Stop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Stop, {
  scratchpad: scratchpad.stop,
  "context-budget": contextBudget.stop,
  sessions: sessions.stop,
});
