import { runCommand } from "../lib/cli/command.ts";
import { RESUME_FLAGS, resumeVerb } from "../lib/teammates/resume.ts";
import { takeLead } from "../lib/teams/hand-over.ts";

runCommand({
  usage: `swarm resume [TEAM] [--force] [--fresh] [--backend tmux|kitty|headless] [--wait SECONDS] [--session-id ID]
The team is active again, the session that asks leads it, and every teammate that is gone comes back with its model,
its conversation (--fresh: a new one), its tasks and its unread count.
--force takes the lead from a session that is not proven dead, with an entry in the journal.`,
  flags: RESUME_FLAGS,
  sessionId: "subject",
  run: (call) => resumeVerb(call, takeLead),
});
