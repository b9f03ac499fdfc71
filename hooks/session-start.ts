import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import { SessionStart } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import * as machines from "../lib/machines/hooks.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as upkeep from "../lib/ops/hooks.ts";
import * as pause from "../lib/people/hooks/pause.ts";
import * as scratchpad from "../lib/scratchpad/hooks.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";
import * as teammates from "../lib/teammates/hooks/teammates.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as worktrees from "../lib/worktrees/hooks/shared.ts";

runHook(
  SessionStart,
  {
    announcement: sessions.announcement,
    sessions: sessions.sessionStart,
    heartbeat: teams.sessionStart,
    worktrees: worktrees.sessionStart,
    "team-context": teams.leadContext,
    inbox: always(inbox.sessionStart),
    pause: pause.sessionStart,
    tasks: { teammates: true, handle: tasks.sessionStart },
    teammates: teammates.sessionStart,
    "context-budget": context.sessionStart,
    "context-files": context.giveFiles,
    scratchpad: scratchpad.sessionStart,
    statusline: context.moveStatusLine,
    effort: effort.sessionStart,
    upkeep: upkeep.sessionStart,
    machines: machines.sessionStart,
  },
  { machines: machines.keepCourier },
);
