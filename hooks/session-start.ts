import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { SessionStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionStart, {
  announcement: sessions.announcement,
  sessions: sessions.sessionStart,
  tasks: tasks.sessionStart,
});
