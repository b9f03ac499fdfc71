import { RESUME_FLAGS, resumeVerb } from "../lib/features/teammates/resume.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm resume [TEAM] [--force] [--fresh] [--backend tmux|kitty|headless] [--wait SECONDS]
The team is active again, the session that asks leads it, and every teammate that is gone comes back with its model,
its conversation (--fresh: a new one), its tasks and its unread count.
--force takes the lead from a session that may be alive.`,
  flags: RESUME_FLAGS,
  run: resumeVerb,
});
