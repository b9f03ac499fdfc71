import { runCommand } from "../lib/cli/command.ts";
import { outboxVerb } from "../lib/mail/outbox.ts";

runCommand({
  usage: `swarm outbox [--all] [--team TEAM --agent NAME]
Your messages and their states: queued, claimed (being shown), shown, answered, or dead (nobody will read it).`,
  flags: {
    all: { type: "boolean" },
    team: { type: "string" },
    agent: { type: "string" },
    "session-id": { type: "string" },
  },
  run: outboxVerb,
});
