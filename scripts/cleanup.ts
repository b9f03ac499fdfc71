import { pruneMembers } from "../lib/features/hand-over-cleanup.ts";
import { CLEANUP_FLAGS, cleanupVerb } from "../lib/features/teammates/cleanup.ts";
import { teamNameOf } from "../lib/features/teammates/team-of.ts";
import { refuseRelayed } from "../lib/machines/verbs.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm cleanup [TEAM] [--members [--agent NAME]] [--yes | --force]
Ends a team for good: shows what would happen; --yes does it, --force also ends who still runs. Its files and tasks move to the
archive; nothing is deleted. --members removes only those who are proven dead (--force: also those of whom nothing is known).`,
  flags: { ...CLEANUP_FLAGS, members: { type: "boolean" }, agent: { type: "string" } },
  run: (call) => {
    const { members, agent, yes, force } = call.flags;
    const team = teamNameOf(call, call.words[0]);
    if (!members && !agent) {
      refuseRelayed(call.places, team);
      return cleanupVerb(call);
    }
    return pruneMembers(
      call.places,
      { team, now: call.now, agent, force, session: call.session },
      yes === true,
    );
  },
});
