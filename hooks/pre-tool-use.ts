import * as commandGuard from "../lib/features/command-guard.ts";
import * as comms from "../lib/features/comms.ts";
import * as contextBudget from "../lib/features/context-budget.ts";
import * as effort from "../lib/features/effort.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as sendCheck from "../lib/features/send-check.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as spawnGate from "../lib/features/spawn-gate.ts";
import * as tasks from "../lib/features/tasks.ts";
import * as teamContext from "../lib/features/team-context.ts";
import * as machines from "../lib/machines/hooks.ts";
import { PreToolUse } from "../lib/run/events.ts";
import { orElse, runHook } from "../lib/run/hook.ts";

runHook(PreToolUse, {
  "command-guard": orElse("command-guard", commandGuard.preToolUse, commandGuard.unchecked),
  comms: comms.preToolUse,
  "spawn-gate": spawnGate.preToolUse,
  "send-check": sendCheck.preToolUse,
  tasks: tasks.preToolUse,
  machines: machines.preToolUse,
  effort: effort.preToolUse,
  sessions: sessions.preToolUse,
  inbox: inbox.preToolUse,
  "team-context": teamContext.preToolUse,
  "context-budget": contextBudget.preToolUse,
});
