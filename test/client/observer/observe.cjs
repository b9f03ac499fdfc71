// Appends the raw payload, with the environment it came in, as one line to $OBSERVER_LOG.
const { appendFileSync, readFileSync } = require("node:fs");

const { OBSERVER_LOG, TMUX_PANE, CLAUDE_PID, CLAUDE_PLUGIN_ROOT } = process.env;
const payload = JSON.parse(readFileSync(0, "utf8"));
const env = { TMUX_PANE, CLAUDE_PID, CLAUDE_PLUGIN_ROOT };
appendFileSync(OBSERVER_LOG, `${JSON.stringify({ payload, env })}\n`);
