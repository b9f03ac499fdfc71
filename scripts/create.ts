import { runCommand } from "../lib/cli/command.ts";
import { createVerb } from "../lib/teammates/create.ts";

runCommand({
  usage: `swarm create TEAM [description …]
Makes a team; the session that asks becomes its lead. From a plain terminal nobody leads it yet.
Names have letters, digits, - and _, begin with a letter or a digit, and have at most 100 characters.`,
  flags: { "session-id": { type: "string" } },
  sessionId: "subject",
  run: createVerb,
});
