import { runCommand } from "../lib/cli/command.ts";
import { SUSPEND_FLAGS, suspendVerb } from "../lib/teammates/suspend.ts";

runCommand({
  usage: `swarm suspend [TEAM]
Ends the teammates that swarm started, keeps their entries, tasks, mail and conversations. Who joined by itself goes on.
--ended SESSION          only if that session still leads: what the lead's SessionEnd leaves to a helper`,
  flags: SUSPEND_FLAGS,
  run: suspendVerb,
});
