import * as effort from "../lib/features/effort.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import { TeammateIdle } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(TeammateIdle, {
  sessions: sessions.teammateIdle,
  tasks: tasks.teammateIdle,
  effort: effort.teammateIdle,
});
