import { runCommand } from "../lib/cli/command.ts";
import { version } from "../package.json";

runCommand({ usage: "swarm version", run: () => ({ text: `swarm ${version}`, data: { version } }) });
