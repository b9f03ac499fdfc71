import * as contextBudget from "../lib/features/context-budget.ts";
import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as statusText from "../lib/features/status-text.ts";
import * as wakeUp from "../lib/features/wake-up.ts";
import { UserPromptSubmit } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(UserPromptSubmit, {
  sessions: sessions.userPromptSubmit,
  heartbeat: heartbeat.beat,
  inbox: inbox.userPromptSubmit,
  "wake-up": wakeUp.userPromptSubmit,
  "context-budget": contextBudget.userPromptSubmit,
  "status-text": statusText.userPromptSubmit,
  effort: effort.userPromptSubmit,
});
