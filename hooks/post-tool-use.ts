import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { PostToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUse, {
  sessions: sessions.postToolUse,
  tasks: tasks.postToolUse,
});
