// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { scratchpadVerb } from "./pages.ts";

export const commands = [
  command({
    name: "scratchpad",
    summary: "today's pages, who owes one, and a blank page",
    usage: `swarm scratchpad [list] [--day YYYY-MM-DD] | open [AGENT]
list: today's pages under .claude/scratchpad, what each lacks, and who still owes one.
open: a blank page with the required headings, unless there is a page already; AGENT is the agent type or name,
by default the teammate that asks, else the coordinator. The first page switches the protocol on in this project.`,
    flags: { "session-id": { type: "string" }, day: { type: "string" } },
    sessionId: "subject",
    run: scratchpadVerb,
  }),
];
