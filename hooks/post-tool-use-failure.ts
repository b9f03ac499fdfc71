import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as spawnGate from "../lib/features/spawn-gate.ts";
import { PostToolUseFailure } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUseFailure, {
  "spawn-gate": spawnGate.postToolUseFailure,
  sessions: sessions.postToolUseFailure,
  heartbeat: heartbeat.beat,
  effort: effort.postToolUseFailure,
});
