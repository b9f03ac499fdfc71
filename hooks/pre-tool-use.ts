import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { PreToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PreToolUse, {
  tasks: tasks.preToolUse,
  sessions: sessions.preToolUse,
});
