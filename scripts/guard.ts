import { runCommand } from "../lib/cli/command.ts";
import { guardVerb } from "../lib/guard/verb.ts";

runCommand({
  usage: `swarm guard test [--powershell | --write] '<command or path>' | swarm guard rules
What the command guard would say, without running anything; exit code 1 when it would hold the call back.
"-" reads the command from stdin. --write asks about a path that a tool would write.`,
  flags: { powershell: { type: "boolean" }, write: { type: "boolean" } },
  run: guardVerb,
});
