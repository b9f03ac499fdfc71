import * as contextBudget from "../lib/features/context-budget.ts";
import * as contextFiles from "../lib/features/context-files.ts";
import * as effort from "../lib/features/effort.ts";
import * as heartbeat from "../lib/features/heartbeat.ts";
import * as inbox from "../lib/features/inbox.ts";
import * as scratchpad from "../lib/features/scratchpad.ts";
import * as sessions from "../lib/features/sessions.ts";
import * as statusline from "../lib/features/statusline/follow-plugin.ts";
import * as tasks from "../lib/features/tasks.ts";
import * as teamContext from "../lib/features/team-context.ts";
import * as teammates from "../lib/features/teammates.ts";
import * as upkeep from "../lib/features/upkeep.ts";
import * as machines from "../lib/machines/hooks.ts";
import { SessionStart } from "../lib/run/events.ts";
import { runHook } from "../lib/run/hook.ts";

runHook(SessionStart, {
  announcement: sessions.announcement,
  sessions: sessions.sessionStart,
  heartbeat: heartbeat.sessionStart,
  "team-context": teamContext.sessionStart,
  inbox: inbox.sessionStart,
  tasks: tasks.sessionStart,
  teammates: teammates.sessionStart,
  "context-budget": contextBudget.sessionStart,
  "context-files": contextFiles.sessionStart,
  scratchpad: scratchpad.sessionStart,
  statusline: statusline.sessionStart,
  effort: effort.sessionStart,
  upkeep: upkeep.sessionStart,
  machines: machines.sessionStart,
});
