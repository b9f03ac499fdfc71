import * as sessions from "../lib/features/sessions.ts";
import { TaskCreated } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TaskCreated, {
  sessions: sessions.taskCreated,
});
