// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { statusVerb } from "./verbs.ts" with { loading: "lazy" };

export const STATUS_FLAGS = {
  team: "text",
  all: "switch",
  watch: "switch",
  trees: "switch",
  "session-id": "text",
} as const;

export const commands = [
  command({
    name: "status",
    summary: "what every agent is doing, with the evidence; set says what you are working on",
    usage: `swarm status [--team T] [--all] [--trees] [--watch] | set "TEXT" [--session-id ID]
What every agent of your team, or of T, is doing, with its state and the evidence for it; outside a team every session of this machine.
Of a team of more than 40 it shows the lead, those in trouble and those last seen; --all and --json show every member.
Where agents share a repository it also shows their trees as last counted; --trees asks git anew.
--watch draws it anew when something changes.
set: what this session is working on, shown on the board; an empty TEXT removes it.`,
    flags: STATUS_FLAGS,
    words: { set: "any" },
    run: statusVerb,
  }),
];
