import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { ROOT, runHook, runSwarm } from "../support/run-built.ts";

const status = (home: Home, args: string[] = [], env: Record<string, string> = {}) =>
  runSwarm(home, ["status", ...args], { env });
const agents = (home: Home, args: string[] = []) =>
  JSON.parse(status(home, [...args, "--json"]).stdout).agents;
const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };

const aRecord = (home: Home, session: string, given: Record<string, unknown> = {}) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    state: "idle",
    status: "done",
    startedAt: "2026-02-20T11:00:00Z",
    lastSeen: new Date().toISOString(),
    ...me,
    ...given,
  });

function aBusyTeam() {
  const home = aHome();
  aTeam(home, [
    { name: "team-lead", sessionId: "s-lead" },
    { name: "alice", sessionId: "s-alice", agentType: "coder" },
    { name: "bob", sessionId: "s-bob" },
    { name: "carol", status: "starting" },
  ]);
  aRecord(home, "s-lead", { state: "active", status: "working" });
  aRecord(home, "s-alice", { status: "error", failure: "rate_limit", statusText: "parsing" });
  aRecord(home, "s-bob", { pid: 4_194_300, pidStartedAt: "1" });
  home.write(inboxOf("alice"), [aMessage("bob", "one"), aMessage("bob", "two", { read: true })]);
  home.write(`.claude/tasks/${TEAM}/1.json`, {
    id: "1",
    subject: "The lexer",
    status: "in_progress",
    owner: "team-lead",
  });
  home.write(`.claude/tasks/${TEAM}/2.json`, { id: "2", subject: "Later", status: "pending", owner: "bob" });
  return home;
}

test("a team's board joins records, tasks, mail and processes", () => {
  const home = aBusyTeam();
  expect(agents(home, ["--team", TEAM])).toMatchObject([
    { agent: "team-lead", role: "lead", state: "thinking", task: "#1 The lexer", unread: 0 },
    { agent: "alice", role: "coder", state: "rate-limited", task: "parsing", unread: 1 },
    { agent: "bob", state: "gone", evidence: "process 4194300 has ended" },
    { agent: "carol", state: "unknown" },
  ]);
  const { stdout, exitCode } = status(home, [], as("alice", { CLAUDE_CODE_SESSION_ID: "s-alice" }));
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")[0]).toBe(`${TEAM} (active): 1 thinking, 1 rate-limited, 1 gone, 1 unknown`);
  expect(stdout).not.toContain("\u001b");
});

test("the context share comes from the agent's own transcript", () => {
  const home = aBusyTeam();
  const usage = {
    input_tokens: 50_000,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 0,
    output_tokens: 0,
  };
  const line = { type: "assistant", message: { role: "assistant", model: "m", usage } };
  aRecord(home, "s-lead", { transcript: home.write("t.jsonl", `${JSON.stringify(line)}\n`) });
  home.write(".claude/swarm/settings.toml", "[context]\nwindow = 200000\n");
  expect(agents(home, ["--team", TEAM])[0]).toMatchObject({ agent: "team-lead", context: 25 });
});

test("teammates inside the lead of a native team are found by their agents' records", () => {
  const home = aHome();
  const config = JSON.parse(
    readFileSync(join(ROOT, "test/fixtures/native/config-inprocess-v2.1.325.json"), "utf8"),
  );
  const team = config.name;
  home.write(`.claude/teams/${team}/config.json`, config);
  const lead = config.leadSessionId;
  const names: string[] = config.members.map((member: { name: string }) => member.name);
  const inside = names.find((name) => name !== "team-lead") as string;
  aRecord(home, lead, { team, agent: "team-lead", isLead: true });
  home.write(`.claude/swarm/agents/${lead}/a1.json`, {
    session: lead,
    agentId: "a1",
    kind: "in-process",
    team,
    agent: inside,
    state: "tool_active",
    status: "working",
    tool: { name: "Bash", since: new Date().toISOString() },
    startedAt: "2026-02-20T11:00:00Z",
    lastSeen: new Date().toISOString(),
  });
  const rows = agents(home, ["--team", team]);
  expect(rows.map((row: { agent: string }) => row.agent)).toEqual(names);
  expect(rows.find((row: { agent: string }) => row.agent === inside)).toMatchObject({
    state: "working",
    evidence: expect.stringMatching(/^Bash began/),
  });
});

test("outside a team the sessions of this machine stand on the board, the ended ones not", () => {
  const home = aHome();
  expect(status(home).stdout).toBe("no session is open on this machine\n");
  runHook(home, "session-start", { source: "startup" }, { env: { CLAUDE_PID: String(process.pid) } });
  aRecord(home, "s-old", { endedAt: "2026-02-20T11:00:00Z" });
  expect(agents(home)).toMatchObject([{ agent: "s-1", state: "idle", evidence: "started, no turn yet" }]);
});

test.each([
  [["--team", "../up"], "the team's name"],
  [["--watch"], "--watch redraws a terminal"],
  [["sett"], "the action is one of set"],
])("%j is a bad call", (args, message) => {
  const { exitCode, stderr } = status(aBusyTeam(), args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(message) });
});

test("two hundred members are no burden", () => {
  const home = aHome();
  const names = Array.from({ length: 200 }, (_, n) => `agent-${n}`);
  aTeam(
    home,
    names.map((name) => ({ name, sessionId: `s-${name}` })),
  );
  for (const name of names) {
    aRecord(home, `s-${name}`, {});
    home.write(inboxOf(name), [aMessage("x", "hello")]);
  }
  const rows = agents(home, ["--team", TEAM]);
  expect(rows).toHaveLength(200);
  expect(
    rows.every((row: { unread: number; state: string }) => row.unread === 1 && row.state === "idle"),
  ).toBe(true);
});
