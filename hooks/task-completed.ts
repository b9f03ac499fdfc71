import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { TaskCompleted } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TaskCompleted, {
  tasks: tasks.taskCompleted,
  sessions: sessions.taskCompleted,
  effort: effort.taskCompleted,
});
