// The verbs of `swarm` that belong to this domain.

import { command } from "../cli/command.ts";
import { statuslineVerb } from "./status-line-verb.ts";

export const commands = [
  command({
    name: "statusline",
    summary: "team, mail, tasks and context below the prompt",
    usage: `swarm statusline [install | remove]
Without a word: reads the client's status line input from stdin and prints team, unread mail, tasks, context and effort.
install puts it into your own settings.json, below the line you have; remove takes it out again. Nothing else is touched.`,
    run: statuslineVerb,
  }),
];
