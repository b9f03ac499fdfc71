// The order of durability.test.ts in real processes, as the client starts them: through the loader, with real descriptors and signals.
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { aHome } from "./support/a-home.ts";
import { aMessage, as, aTeam, CONFIG, inboxOf, TEAM } from "./support/a-team.ts";
import { runHookProcess, runSwarmProcess } from "./support/run-built.ts";

const TRACE = join(import.meta.dirname, "support/file-trace.cjs");

test.each([
  ["a message", inboxOf("bob"), ["send", "bob", "hello"]],
  ["a task", `.claude/tasks/${TEAM}/1.json`, ["task", "create", "write the parser"]],
  ["a change of a team", CONFIG, ["kill", "bob"]],
])("%s is synced, put in its place, its directory synced, then said", (_, file, args) => {
  const home = aHome();
  aTeam(home, ["team-lead", "alice", { name: "bob", status: "offline", backend: "headless" }]);
  const env = { ...as("team-lead"), NODE_OPTIONS: `--require ${TRACE}`, SWARM_TRACE: home.path("trace") };
  expect(runSwarmProcess(home, args, { env })).toMatchObject({ exitCode: 0, stderr: "" });
  const calls = home.read("trace").split("\n");
  const at = calls.indexOf(`rename ${home.path(file)}`);
  const place = [`sync ${home.path(file)}`, `rename ${home.path(file)}`, `sync ${home.path(dirname(file))}`];
  expect(calls.slice(at - 1, at + 2)).toEqual(place);
  expect(calls.indexOf("say")).toBeGreaterThan(at + 1);
});

test("mail that was shown is marked although the client ends the hook with SIGTERM after its answer", () => {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("bob"), [aMessage("alice", "hello", { timestamp: new Date().toISOString() })]);
  const trace = {
    NODE_OPTIONS: `--require ${TRACE}`,
    SWARM_TRACE: home.path("trace"),
    SWARM_TRACE_KILL: "1",
  };
  const prompt = { session_id: "bob-session", prompt: "go" };
  const ran = runHookProcess(home, "user-prompt-submit", prompt, { env: as("bob", trace) });
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("hello") });
  expect(home.json(inboxOf("bob"))[0]).toMatchObject({ state: "shown" });
});
