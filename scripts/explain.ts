import { runCommand } from "../lib/cli/command.ts";
import { explainVerb } from "../lib/ops/explain.ts";

runCommand({
  usage: `swarm explain [ID|last] [--session-id ID]
Why something was denied, asked or warned about: what was asked for, the rule, the reason, and what changes it.
last is the newest decision of the calling session, or of anybody when called from a plain terminal.`,
  flags: { "session-id": { type: "string" } },
  sessionId: "subject",
  run: explainVerb,
});
