// The report on the built script, over files as hooks and commands leave them.
import { statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aDay, DAY_TEAM } from "../support/a-day.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

const dataIn = (html: string) => JSON.parse(html.match(/id="data">(.*?)<\/script>/s)?.[1] ?? "");
const printed = (home: Home, args: string[], env: Record<string, string> = {}) =>
  runSwarm(home, ["report", "--out", "-", ...args], { env }).stdout;

test("a file in a private directory, for its owner alone, written over only if it is a report", () => {
  const home = aHome();
  aDay(home);
  const report = (...args: string[]) => runSwarm(home, ["report", "--team", DAY_TEAM, ...args]);
  const { exitCode, stdout } = report();
  const path = stdout.split("\n")[0] ?? "";
  expect({ exitCode, path }).toEqual({
    exitCode: 0,
    path: expect.stringMatching(/\.claude\/swarm\/reports\/swarm-report-harbour-\d{4}-\d\d-\d\d\.html$/),
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(report().exitCode).toBe(0);
  writeFileSync(path, "my own notes");
  expect(report()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("is no report") });
  expect(JSON.parse(report("--json", "--out", home.path("r.html")).stdout)).toEqual({
    path: home.path("r.html"),
    agents: 4,
    entries: expect.any(Number),
    tasks: 5,
  });
});

test.each([
  ["日".repeat(30), "日".repeat(23)],
  ["x".repeat(95), "x".repeat(70)],
  ["two words", "two-words"],
])("a team called %s has a report", (team, name) => {
  const home = aHome();
  home.write(`.claude/teams/${team}/config.json`, { name: team, members: [] });
  const { exitCode, stdout } = runSwarm(home, ["report", "--team", team]);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining(`/swarm-report-${name}-20`),
  });
});

test("what real hooks left behind becomes lanes, messages and decisions", () => {
  const home = aHome();
  const as = (session: string) => ({ CLAUDE_CODE_SESSION_ID: session, CLAUDE_PID: String(process.pid) });
  const hook = (name: string, input: object) => runHook(home, name, input, { env: as("s-1") });
  hook("session-start", { source: "startup" });
  runSwarm(home, ["create", "crew"], { env: as("s-1") });
  hook("user-prompt-submit", { prompt: "go" });
  hook("pre-tool-use", { tool_name: "Bash", tool_input: { command: "pkill -f node" }, tool_use_id: "t" });
  runSwarm(home, ["task", "create", "Lexer"], { env: as("s-1") });
  hook("permission-request", { tool_name: "Bash", tool_input: {} });
  hook("stop-failure", { error: "rate_limit" });
  const { entries, lanes } = dataIn(printed(home, [], as("s-1")));
  expect(entries.map((one: { kind: string; head: string }) => [one.kind, one.head])).toEqual([
    ["state", expect.stringMatching(/^session start/)],
    ["state", "working"],
    ["decision", expect.stringMatching(/^kill-by-name/)],
    ["task", "#1 Lexer: created"],
    ["state", "waiting"],
    ["state", "failed · failure: rate_limit"],
  ]);
  expect(entries.every((one: { agent: string }) => one.agent === "team-lead")).toBe(true);
  expect(lanes).toEqual([
    [
      ["idle", expect.any(Number), expect.any(Number)],
      ["working", expect.any(Number), expect.any(Number)],
      ["waiting", expect.any(Number), expect.any(Number)],
      ["limited", expect.any(Number), expect.any(Number)],
    ],
  ]);
});

test("a team sees its own, the whole machine everybody, each with the team's name", () => {
  const home = aHome();
  aDay(home);
  runHook(home, "session-start", { source: "startup" });
  expect(printed(home, ["--team", DAY_TEAM])).not.toContain("s-1<");
  const all = printed(home, ["--all"]);
  expect(all).toContain("alice@harbour");
  expect(all).toContain('<b title="s-1">s-1</b>');
});

test("--since leaves out what came before, and keeps the state it left", () => {
  const home = aHome();
  aDay(home);
  const { entries, lanes, from } = dataIn(printed(home, ["--team", DAY_TEAM, "--since", "60m"]));
  expect(entries.length).toBeLessThan(25);
  expect(entries.every((one: { at: number }) => one.at >= from)).toBe(true);
  expect(lanes.every((lane: unknown[]) => lane.length > 0)).toBe(true);
});

test("damaged logs and inboxes cost their own lines only", () => {
  const home = aHome();
  aDay(home);
  const day = new Date().toISOString().slice(0, 10);
  home.write(`.claude/swarm/journal/${day}.jsonl.1`, '{"at":"x"}\n7\nnull\n[]\n{"at":7}\n{"torn');
  home.write(".claude/daemon/hooks/events.jsonl", '{"type":1}\n{"torn\n');
  const { entries } = dataIn(printed(home, ["--team", DAY_TEAM]));
  expect(entries.length).toBeGreaterThan(60);
});

test("agents that only the lifecycle log knows have a lane", () => {
  const home = aHome();
  home.write("project/.atm.toml", '[core]\ndefault_team = "harbour"\nidentity = "team-lead"\n');
  aDay(home);
  const event = ["event", "session_start", "--agent", "codex", "--team", DAY_TEAM, "--session-id", "x-1"];
  expect(runSwarm(home, event).exitCode).toBe(0);
  expect(printed(home, ["--team", DAY_TEAM])).toContain('<b title="codex">codex</b>');
});

test.each([
  [["--team", "../x"], "the team's name"],
  [["--since", "later"], "--since"],
])("%j is a bad call", (args, message) =>
  expect(runSwarm(aHome(), ["report", ...args])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(message),
  }),
);

test("an empty machine gives an empty page, not an error", () =>
  expect(printed(aHome(), [])).toContain("No agent was active in this time."));
