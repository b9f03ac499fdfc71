import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { PostToolUse } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as machines from "../lib/machines/hooks.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";
import * as spawnGate from "../lib/teammates/hooks/spawn-gate.ts";
import * as teammates from "../lib/teammates/hooks/teammates.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as forecast from "../lib/worktrees/hooks/forecast.ts";
import * as runs from "../lib/worktrees/hooks/runs.ts";
import * as worktrees from "../lib/worktrees/hooks/shared.ts";

runHook(PostToolUse, {
  "spawn-gate": spawnGate.postToolUse,
  teammates: teammates.postToolUse,
  runs: runs.postToolUse, // before the record forgets when the call began
  sessions: sessions.postToolUse,
  heartbeat: teams.beat,
  worktrees: worktrees.postToolUse,
  tasks: tasks.postToolUse,
  "context-budget": context.postToolUse,
  effort: effort.postToolUse,
  inbox: always(inbox.postToolUse),
  forecast: forecast.postToolUse,
  machines: machines.postToolUse,
});
