import { runCommand } from "../lib/cli/command.ts";
import { KILL_FLAGS, killVerb } from "../lib/teammates/suspend.ts";

runCommand({
  usage: `swarm kill NAME … | --all [--team TEAM]
Ends teammates now. Only a process with the start time we noted, or a window with our mark, is ended.`,
  flags: KILL_FLAGS,
  run: killVerb,
});
