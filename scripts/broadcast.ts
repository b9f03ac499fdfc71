import { runCommand } from "../lib/cli/command.ts";
import { broadcastVerb } from "../lib/mail/send.ts";

runCommand({
  usage: `swarm broadcast [text …] [--file FILE|-] [--exclude NAME …] [--summary TEXT] [--team TEAM]
The same message to every other member of the team; says how many that are.`,
  flags: {
    file: { type: "string" },
    exclude: { type: "string", multiple: true },
    summary: { type: "string" },
    team: { type: "string" },
    "session-id": { type: "string" },
  },
  run: broadcastVerb,
});
