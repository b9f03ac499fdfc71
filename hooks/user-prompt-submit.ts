import * as contextBudget from "../lib/context/hooks/budget.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { UserPromptSubmit } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as wakeUp from "../lib/mail/hooks/wake-up.ts";
import * as sessions from "../lib/sessions/hooks/sessions.ts";
import * as statusText from "../lib/sessions/hooks/status-text.ts";
import * as heartbeat from "../lib/teams/hooks/heartbeat.ts";

runHook(UserPromptSubmit, {
  sessions: sessions.userPromptSubmit,
  heartbeat: heartbeat.beat,
  inbox: always(inbox.userPromptSubmit),
  "wake-up": wakeUp.userPromptSubmit,
  "context-budget": contextBudget.userPromptSubmit,
  "status-text": statusText.userPromptSubmit,
  effort: effort.userPromptSubmit,
});
