import { runCommand } from "../lib/cli/command.ts";
import { LIST_FLAGS, listTeamsVerb } from "../lib/teammates/list.ts";

runCommand({
  usage: `swarm list-teams [--all]
Every team with its status, lead and members; native ones belong to the client. --all shows the archived ones too.`,
  flags: LIST_FLAGS,
  run: listTeamsVerb,
});
