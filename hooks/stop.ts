import * as contextBudget from "../lib/features/context-budget.ts";
import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as reports from "../lib/features/reports.ts";
import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as tasks from "../lib/features/tasks.ts";
import * as machines from "../lib/machines/hooks.ts";
import { Stop } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(Stop, {
  inbox: inbox.stop,
  tasks: tasks.stop,
  scratchpad: scratchpad.stop,
  "context-budget": contextBudget.stop,
  sessions: sessions.stop,
  reports: reports.stop,
  heartbeat: heartbeat.beat,
  effort: effort.stop,
  machines: machines.keepCourier,
});
