import { runCommand } from "../lib/cli/command.ts";
import { onboardVerb } from "../lib/teammates/onboard.ts";

runCommand({
  usage: `swarm onboard
Two agents that talk, in five minutes: each step with its command; the arrow is where you are.`,
  run: onboardVerb,
});
