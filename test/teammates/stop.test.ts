// `swarm stop --all` ends what swarm started, and leaves every other process alone.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { stopVerb } from "../../lib/teammates/end.ts";
import { aCall } from "../support/a-call.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, member, TEAM } from "../support/a-team.ts";

function aProcess(): ChildProcess & { pid: number } {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ChildProcess & { pid: number };
}

const running = ({ pid }: { pid: number }) => ({ pid, pidStartedAt: startOf(pid) });
const stop = (home: Home, flags: Record<string, boolean>, env: Record<string, string> = {}) =>
  stopVerb(aCall(home, [], flags, { env }) as unknown as Parameters<typeof stopVerb>[0]);

/** alice was started by swarm, bob joined by himself, carol's number belongs to another process by now. */
function aMixedTeam() {
  const home = aHome();
  const [alice, bob, carol, lone] = [aProcess(), aProcess(), aProcess(), aProcess()];
  aTeam(home, [
    "team-lead",
    { name: "alice", backend: "headless", sessionId: "alice-session", ...running(alice) },
    { name: "bob", sessionId: "bob-session", ...running(bob) },
    { name: "carol", backend: "headless", pid: carol.pid, pidStartedAt: "1@elsewhere" },
  ]);
  const at = new Date().toISOString();
  const idle = { state: "idle", status: "done", startedAt: at, lastSeen: at };
  writeSession(home.paths, {
    session: "alice-session",
    team: TEAM,
    agent: "alice",
    ...idle,
    ...running(alice),
  });
  writeSession(home.paths, { session: "bob-session", team: TEAM, agent: "bob", ...idle, ...running(bob) });
  writeSession(home.paths, { session: "0123456789-lone", ...idle, ...running(lone) });
  return { home, alice, others: [bob, carol, lone] };
}

const LEFT_ALONE = [
  { name: "session 01234567", why: "swarm did not start it" },
  { name: "bob@atm-dev", why: "swarm did not start it" },
];

test("a dry run lists and ends nothing", () => {
  const { home, alice } = aMixedTeam();
  const { data, text } = stop(home, { all: true, "dry-run": true });
  expect(data).toEqual({ wouldEnd: [{ name: "alice@atm-dev", pid: alice.pid }], leftAlone: LEFT_ALONE });
  expect(text).toContain(`would end\n  alice@atm-dev (process ${alice.pid})\nleft alone: session 01234567`);
  expect(startOf(alice.pid)).toBeDefined();
});

test("it ends the one that swarm started", async () => {
  const { home, alice, others } = aMixedTeam();
  const gone = once(alice, "exit");
  const { data, text } = stop(home, { all: true });
  expect(data).toEqual({ ended: [{ name: "alice@atm-dev", how: "ended" }], leftAlone: LEFT_ALONE });
  expect(text).toContain("`swarm resume atm-dev` brings them back");
  await gone;
  expect(others.map(({ pid }) => startOf(pid) !== undefined)).toEqual([true, true, true]);
  expect(member(home, "alice").status).toBe("offline");
});

test("a member that does not lead ends nobody, and nobody ends itself", () => {
  const { home, alice } = aMixedTeam();
  expect(stop(home, { all: true }, as("bob")).data).toMatchObject({
    ended: [],
    leftAlone: [{ name: "alice@atm-dev", why: expect.stringContaining("bob does not lead") }, ...LEFT_ALONE],
  });
  expect(startOf(alice.pid)).toBeDefined();
});

test("who calls it is left alone, and so is a session that goes on under another id", () => {
  const { home, alice } = aMixedTeam();
  home.write(".claude/swarm/settings.toml", `[team."${TEAM}"]\nco_leaders = ["alice"]\n`);
  const at = new Date().toISOString();
  const before = {
    session: "before",
    next: "bob-session",
    state: "idle",
    status: "done",
    startedAt: at,
    lastSeen: at,
  };
  writeSession(home.paths, { ...before, ...running(alice) });
  const { data, text } = stop(home, { all: true }, as("alice"));
  expect(data).toEqual({
    ended: [],
    leftAlone: [{ name: "alice@atm-dev", why: "it called this" }, ...LEFT_ALONE],
  });
  expect(text).toMatch(/^no client runs that swarm started\nleft alone: alice@atm-dev[^`]*$/);
  expect(startOf(alice.pid)).toBeDefined();
});

test.each([[{}], [{ "dry-run": true }]])("%j without --all is a bad call", (flags) =>
  expect(() => stop(aHome(), flags)).toThrow("--all ends every client"),
);
