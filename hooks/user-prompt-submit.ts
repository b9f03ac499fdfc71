import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { UserPromptSubmit } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as wakeUp from "../lib/mail/hooks/wake-up.ts";
import * as pause from "../lib/people/hooks/pause.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as teammates from "../lib/teammates/hooks/teammates.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as forecast from "../lib/worktrees/hooks/forecast.ts";

runHook(UserPromptSubmit, {
  teammates: teammates.userPromptSubmit,
  sessions: sessions.userPromptSubmit,
  heartbeat: teams.userPromptSubmit,
  inbox: always(inbox.userPromptSubmit),
  pause: pause.userPromptSubmit,
  "wake-up": wakeUp.userPromptSubmit,
  "context-budget": context.userPromptSubmit,
  "status-text": sessions.statusReminder,
  effort: effort.userPromptSubmit,
  forecast: forecast.userPromptSubmit,
});
