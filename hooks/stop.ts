import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { Stop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Stop, {
  tasks: tasks.stop,
  sessions: sessions.stop,
});
