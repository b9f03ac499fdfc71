import { runCommand } from "../lib/cli/command.ts";
import { leadVerb } from "../lib/teams/hand-over.ts";

runCommand({
  usage: `swarm lead [show|take] [TEAM] [--session-id ID] [--force]
show says who leads a team and what proves it alive or gone. take gives the lead to the calling session when the
old lead is proven dead; --force takes it anyway, with an entry in the journal.`,
  flags: { force: { type: "boolean" }, "session-id": { type: "string" } },
  sessionId: "subject",
  run: leadVerb,
});
