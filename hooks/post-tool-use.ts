import * as contextBudget from "../lib/features/context-budget.ts";
import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as spawnGate from "../lib/features/spawn-gate.ts";
import * as tasks from "../lib/features/tasks.ts";
import * as teammates from "../lib/features/teammates.ts";
import * as machines from "../lib/machines/hooks.ts";
import { PostToolUse } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(PostToolUse, {
  "spawn-gate": spawnGate.postToolUse,
  teammates: teammates.postToolUse,
  sessions: sessions.postToolUse,
  heartbeat: heartbeat.beat,
  tasks: tasks.postToolUse,
  "context-budget": contextBudget.postToolUse,
  effort: effort.postToolUse,
  inbox: inbox.postToolUse,
  machines: machines.keepCourier,
});
