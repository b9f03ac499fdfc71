import { runCommand } from "../lib/cli/command.ts";
import { SPAWN_FLAGS, spawnVerb } from "../lib/teammates/spawn.ts";

runCommand({
  usage: `swarm spawn NAME [TYPE] [MODEL] [PROMPT] [--team TEAM] [--prompt TEXT|-] [--prompt-file FILE] [options]
Opens a real client as a teammate and waits until it is up. A PROMPT of any length arrives as it is; - reads it from stdin.
--type TYPE              its role; if an agent of that name is defined, the client runs as that agent
--model MODEL            as the client takes it: sonnet, opus, a full name
--backend tmux|kitty|headless   else by where this runs (SWARM_MULTIPLEXER also decides)
--permission-mode MODE   as the client takes it; the dangerous one needs --dangerously-skip-permissions
--cwd DIR  --color COLOR  --plugin-dir DIR (repeatable)  --wait SECONDS (20)
CLAUDE_CODE_TEAMMATE_COMMAND names another client to start.`,
  flags: SPAWN_FLAGS,
  run: spawnVerb,
});
