#!/usr/bin/env node
// Stands in for the client: notes how it was started, fires its own SessionStart and SessionEnd, and waits to be ended.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const { join } = require("node:path");

const { readFileSync, readSync, writeFileSync, writeSync } = fs;
const argv = process.argv.slice(2);
const env = { ...process.env };
const after = (name) => (argv.includes(name) ? argv[argv.indexOf(name) + 1] : undefined);
const session = after("--session-id") ?? after("--resume") ?? "none";
const stdin = argv.includes("-p") ? readFileSync(0, "utf8") : undefined;

/** A real client takes longer to start than tmux to note whose pane it is. */
const isMarked = () =>
  spawnSync("tmux", ["show-options", "-pv", "-t", env.TMUX_PANE, "@swarm"], {
    encoding: "utf8",
  }).stdout.trim() !== "";

if (env.STAND_IN_REFUSES) {
  while (!isMarked());
  process.stdout.write("I would rather not\n");
  process.exit(3);
}
const note = join(env.STAND_IN_NOTES, `${env.CLAUDE_CODE_AGENT_NAME}.json`);
writeFileSync(note, JSON.stringify({ argv, env, stdin, cwd: process.cwd(), pid: process.pid, session }));

/** The built hook, in this process: a node less for each event. */
function fire(event, more) {
  const payload = {
    session_id: session,
    cwd: process.cwd(),
    transcript_path: env.STAND_IN_TRANSCRIPT,
    ...more,
  };
  Object.assign(process.env, {
    CLAUDE_PID: String(process.pid),
    CLAUDECODE: "1",
    CLAUDE_CODE_SESSION_ID: session,
  });
  process.argv.length = 2;
  let input = Buffer.from(JSON.stringify(payload));
  fs.readSync = (fd, into, at, ...rest) => {
    if (fd !== 0) return readSync(fd, into, at, ...rest);
    const length = input.copy(into, at);
    input = input.subarray(length);
    return length;
  };
  fs.writeSync = (fd, data, ...rest) => (fd === 1 ? data.length : writeSync(fd, data, ...rest));
  delete globalThis[Symbol.for("swarm.shared")];
  require(join(__dirname, "../../plugin/dist/hooks", `${event}.cjs`));
}

// Before its start: a signal waits for the end of that hook, which may hold a lock.
process.on("SIGTERM", () => {
  if (env.STAND_IN_STAYS) return;
  fire("session-end", { reason: "other" });
  process.exit(0);
});
fire("session-start", { source: after("--resume") ? "resume" : "startup" });
setTimeout(() => process.exit(1), 60_000); // nobody came to end it
