import { configVerb } from "../lib/features/config.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm config [KEY]
Every setting with its value, where it comes from and what it does; then what is wrong in the files.`,
  run: configVerb,
});
