import { join } from "node:path";
import { runCommand } from "../lib/cli/command.ts";
import { statuslineVerb } from "../lib/context/status-line-verb.ts";

runCommand({
  usage: `swarm statusline [install | remove]
Without a word: reads the client's status line input from stdin and prints team, unread mail, tasks, context and effort.
install puts it into your own settings.json, below the line you have; remove takes it out again. Nothing else is touched.`,
  run: (call) => statuslineVerb(call, join(__dirname, "..", "..")),
});
