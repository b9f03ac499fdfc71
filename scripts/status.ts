import { setStatus } from "../lib/features/status-text/set.ts";
import { badCall, runCommand } from "../lib/run/command.ts";

runCommand({
  usage: `swarm status set "TEXT" [--session-id ID]
What this session is working on, for whoever looks at it; an empty TEXT takes it away.`,
  flags: { "session-id": { type: "string" } },
  run: (call) => {
    if (call.words[0] === "set") return setStatus(call);
    throw badCall('set "what you are working on"');
  },
});
