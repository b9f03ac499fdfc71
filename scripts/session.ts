import { runCommand } from "../lib/cli/command.ts";
import { sessionVerb } from "../lib/sessions/list.ts";

runCommand({
  usage: `swarm session list [--all] | show [ID|last] | seen [ID]
Without an ID: the session this is called from. list shows those still running, --all the ended ones too.
seen marks what waited for attention as looked at.`,
  flags: { all: { type: "boolean" }, "session-id": { type: "string" } },
  sessionId: "subject",
  run: sessionVerb,
});
