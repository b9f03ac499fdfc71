// The verbs of `swarm` that belong to this domain.
import { command } from "../cli/command.ts";
import { emitEvent } from "./emit-event.ts";
import { sessionVerb } from "./list.ts";

export const commands = [
  command({
    name: "session",
    summary: "list, show and check sessions",
    usage: `swarm session list [--all] | show [ID|last] | seen [ID]
Without an ID: the session this is called from. list shows those still running, --all the ended ones too.
seen marks what waited for attention as looked at.`,
    flags: { all: { type: "boolean" }, "session-id": { type: "string" } },
    sessionId: "subject",
    run: sessionVerb,
  }),
  command({
    name: "event",
    summary: "tell the lifecycle log about an agent that is no Claude Code session",
    usage: `swarm event <event> --agent NAME --team TEAM --session-id ID [--source atm_mcp|agent_hook|unknown] [--payload JSON|-]
Appends one line to the lifecycle log and offers it to an ATM daemon, as the hooks do for Claude Code itself.
<event> is session_start, teammate_idle, session_end, …; needs a .atm.toml in this project.`,
    flags: {
      agent: { type: "string" },
      team: { type: "string" },
      "session-id": { type: "string" },
      source: { type: "string" },
      payload: { type: "string" },
    },
    sessionId: "data",
    run: emitEvent,
  }),
];
