import { onboardVerb } from "../lib/features/teammates/onboard.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm onboard
Two agents that talk, in five minutes: each step with its command; the arrow is where you are.`,
  run: onboardVerb,
});
