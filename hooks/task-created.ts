import { TaskCreated } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";

runHook(TaskCreated, {
  tasks: tasks.taskCreated,
  sessions: sessions.taskCreated,
});
