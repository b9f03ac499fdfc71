import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import { TaskCompleted } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TaskCompleted, {
  sessions: sessions.taskCompleted,
  effort: effort.taskCompleted,
});
