import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { UserPromptSubmit } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(UserPromptSubmit, {
  sessions: sessions.userPromptSubmit,
  effort: effort.userPromptSubmit,
});
