import { runCommand } from "../lib/cli/command.ts";
import { emitEvent } from "../lib/sessions/emit-event.ts";

runCommand({
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
});
