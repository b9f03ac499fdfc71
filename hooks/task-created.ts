import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { TaskCreated } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TaskCreated, {
  tasks: tasks.taskCreated,
  sessions: sessions.taskCreated,
});
