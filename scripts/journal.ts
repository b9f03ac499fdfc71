import { runCommand } from "../lib/cli/command.ts";
import { journalVerb } from "../lib/ops/journal.ts";

runCommand({
  usage: `swarm journal [--day YYYY-MM-DD] [--last N] [--session ID] [--denied]
What was decided and what happened: the last 20 lines of today, oldest first.`,
  flags: {
    day: { type: "string" },
    last: { type: "string" },
    session: { type: "string" },
    denied: { type: "boolean" },
  },
  run: journalVerb,
});
