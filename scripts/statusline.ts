import { join } from "node:path";
import { statuslineVerb } from "../lib/features/statusline.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm statusline [install | remove]
Without a word: reads the client's status line input from stdin and prints team, unread mail, tasks, context and effort.
install puts it into your own settings.json, below the line you have; remove takes it out again. Nothing else is touched.`,
  run: (call) => statuslineVerb(call, join(__dirname, "..", "..")),
});
