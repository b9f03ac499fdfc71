import * as effort from "../lib/efforts/hooks.ts";
import { TeammateIdle } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as people from "../lib/people/hooks/calls.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";

runHook(TeammateIdle, {
  sessions: sessions.teammateIdle,
  tasks: tasks.teammateIdle,
  effort: effort.teammateIdle,
  people: people.teammateIdle,
});
