import { leadVerb } from "../lib/features/hand-over.ts";
import { shownLead, withRelayedLead } from "../lib/machines/verbs.ts";
import { runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm lead [show|take] [TEAM] [--session-id ID] [--force]
show says who leads a team and what proves it alive or gone. take gives the lead to the calling session when the
old lead is proven dead; --force takes it anyway, with an entry in the journal.`,
  flags: { force: { type: "boolean" }, "session-id": { type: "string" } },
  run: (call) => {
    const team = call.words[1] ?? call.identity.team;
    if (call.words[0] === "take")
      return withRelayedLead(call, team, call.flags.force === true, () => leadVerb(call));
    return shownLead(call.places, team, leadVerb(call));
  },
});
