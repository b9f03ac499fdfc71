import { CLEANUP_FLAGS, cleanupVerb } from "../lib/features/teammates/cleanup.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm cleanup [TEAM] [--yes | --force]
Ends a team for good: shows what would happen; --yes does it, --force also ends who still runs.
The team's files and tasks move to the archive; nothing is deleted.`,
  flags: CLEANUP_FLAGS,
  run: cleanupVerb,
});
