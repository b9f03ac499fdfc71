// Files of which the rings of `npm run coverage` run less than nine lines in ten, each with its reason.
const CLIENT_RING = "a real client is needed: npm run test:client";
const RARE_SERVER = "errors of a server, and a courier that is not connected or too slow: no test yet";

export const EXCEPTIONS: Record<string, string> = {
  "lib/hook/environment.ts":
    "tests in one process have streams of their own; pipes that are not ready are in the slow ring",
  "lib/machines/mail-stream.ts": RARE_SERVER,
  "lib/machines/status.ts": RARE_SERVER,
  "lib/machines/sync.ts": RARE_SERVER,
  "lib/sessions/commands.ts": "swarm session seen: no test yet",
  "lib/system/processes.ts": "systems without /proc, and errors of the kernel",
  "lib/tasks/store/index-pass.ts": "the wait for a quiet directory takes seconds: no test yet",
  "lib/teammates/client.ts": CLIENT_RING,
};
