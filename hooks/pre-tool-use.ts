import * as context from "../lib/context/hooks.ts";
import * as effort from "../lib/efforts/hooks.ts";
import * as commandGuard from "../lib/guard/hooks.ts";
import { PreToolUse } from "../lib/hook/events.ts";
import { always, runHook } from "../lib/hook/run.ts";
import { SHELLS, WRITERS } from "../lib/hook/tools.ts";
import * as machines from "../lib/machines/hooks.ts";
import * as inbox from "../lib/mail/hooks/inbox.ts";
import * as sendCheck from "../lib/mail/hooks/send-check.ts";
import * as comms from "../lib/outbound/hooks.ts";
import * as pause from "../lib/people/hooks/pause.ts";
import * as sessions from "../lib/sessions/hooks.ts";
import * as tasks from "../lib/tasks/hooks.ts";
import * as spawnGate from "../lib/teammates/hooks/spawn-gate.ts";
import * as teams from "../lib/teams/hooks.ts";
import * as worktrees from "../lib/worktrees/hooks/shared.ts";

/** The tools that can change a file. */
const CHANGES = [...SHELLS, ...WRITERS.keys()];
const SPAWNS = ["Agent", "Task"];

runHook(PreToolUse, {
  pause: { handle: pause.preToolUse, onFailure: pause.refuseAnyway },
  "command-guard": { tools: CHANGES, handle: commandGuard.preToolUse, onFailure: commandGuard.unchecked },
  comms: comms.preToolUse,
  "spawn-gate": { tools: SPAWNS, handle: spawnGate.preToolUse },
  "send-check": { tools: ["SendMessage"], handle: sendCheck.preToolUse },
  tasks: { tools: ["TaskUpdate"], handle: tasks.preToolUse },
  machines: { tools: ["TaskCreate", "TaskUpdate"], handle: machines.preToolUse },
  effort: effort.preToolUse,
  worktrees: { tools: CHANGES, handle: worktrees.preToolUse, always: true },
  sessions: sessions.preToolUse,
  inbox: always(inbox.preToolUse),
  "team-context": { tools: SPAWNS, handle: teams.preToolUse },
  "context-budget": context.preToolUse,
});
