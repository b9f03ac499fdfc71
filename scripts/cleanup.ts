import { runCommand } from "../lib/cli/command.ts";
import { PERSON } from "../lib/hook/identity.ts";
import { CLEANUP_FLAGS, cleanupVerb } from "../lib/teammates/cleanup.ts";
import { refuseStrangers } from "../lib/teammates/suspend.ts";
import { teamNameOf } from "../lib/teammates/team-of.ts";
import { pruneMembers } from "../lib/teams/prune.ts";

runCommand({
  usage: `swarm cleanup [TEAM] [--members [--agent NAME]] [--yes | --force]
Ends a team for good: shows what would happen; --yes does it, --force also ends who still runs. Its files and tasks move to the
archive; nothing is deleted. --members removes only those who are proven dead (--force: also those of whom nothing is known).`,
  flags: { ...CLEANUP_FLAGS, members: { type: "boolean" }, agent: { type: "string" } },
  run: (call) => {
    const { members, agent, yes, force } = call.flags;
    if (!members && !agent) return cleanupVerb(call);
    const team = teamNameOf(call, call.words[0]);
    refuseStrangers(call, team);
    const by = call.identity.kind === "person" ? PERSON : undefined;
    return pruneMembers(
      call.paths,
      { team, now: call.now, agent, force, session: call.session, by },
      yes === true,
    );
  },
});
