import { runCommand } from "../lib/cli/command.ts";
import { configVerb } from "../lib/ops/config.ts";

runCommand({
  usage: `swarm config [KEY]
Every setting with its value, where it comes from and what it does; then what is wrong in the files.`,
  run: configVerb,
});
