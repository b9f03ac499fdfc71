import { LIST_FLAGS, listTeamsVerb } from "../lib/features/teammates/list.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm list-teams [--all]
Every team with its status, lead and members; native ones belong to the client. --all shows the archived ones too.`,
  flags: LIST_FLAGS,
  run: listTeamsVerb,
});
