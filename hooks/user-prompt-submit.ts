import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import { UserPromptSubmit } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(UserPromptSubmit, {
  sessions: sessions.userPromptSubmit,
  heartbeat: heartbeat.beat,
  inbox: inbox.userPromptSubmit,
});
