import * as contextBudget from "../lib/features/context-budget.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as statusText from "../lib/features/status-text.ts";
import * as wakeUp from "../lib/features/wake-up.ts";
import { UserPromptSubmit } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(UserPromptSubmit, {
  sessions: sessions.userPromptSubmit,
  "wake-up": wakeUp.userPromptSubmit,
  "context-budget": contextBudget.userPromptSubmit,
  "status-text": statusText.userPromptSubmit,
});
