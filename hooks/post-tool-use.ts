import * as sessions from "../lib/features/sessions.ts";
import * as teammates from "../lib/features/teammates.ts";
import { PostToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUse, {
  teammates: teammates.postToolUse,
  sessions: sessions.postToolUse,
});
