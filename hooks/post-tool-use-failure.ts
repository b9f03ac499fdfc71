import * as effort from "../lib/efforts/hooks.ts";
import { PostToolUseFailure } from "../lib/hook/events.ts";
import { runHook } from "../lib/hook/run.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as spawnGate from "../lib/teammates/hooks/spawn-gate.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as runs from "../lib/worktrees/hooks/runs.ts";

runHook(PostToolUseFailure, {
  "spawn-gate": spawnGate.postToolUseFailure,
  runs: runs.postToolUseFailure, // before the record forgets when the call began
  sessions: sessions.postToolUseFailure,
  heartbeat: teams.beat,
  effort: effort.postToolUseFailure,
});
