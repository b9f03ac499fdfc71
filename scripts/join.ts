import { runCommand } from "../lib/cli/command.ts";
import { joinVerb } from "../lib/teammates/create.ts";

runCommand({
  usage: `swarm join TEAM --name NAME [--type TYPE]
The session that asks becomes a member: it gets mail and tasks under that name. Suspend and clean-up never end it.`,
  flags: { name: { type: "string" }, type: { type: "string" }, "session-id": { type: "string" } },
  sessionId: "subject",
  run: joinVerb,
});
