// The `swarm` command.
import { runCli } from "../lib/cli/run.ts";
import { COMMANDS } from "./verbs.ts";

runCli(COMMANDS, process.argv.slice(2));
