// Black box: `swarm lead` and `swarm explain` as a person or an agent runs them.
import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, aProject, TOML } from "../support/a-spawn.ts";
import { payload, runHook, runSwarm } from "../support/run-built.ts";

const CONFIG = ".claude/teams/atm-dev/config.json";
const usual = {
  state: "idle",
  status: "done",
  startedAt: "2026-02-20T10:00:00Z",
  lastSeen: "2026-02-20T11:00:00Z",
};
const living = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const ended = { endedAt: "2026-02-20T11:30:00Z", endReason: "other" };

function aTeam(old: object): Home {
  const home = aHome();
  home.write(CONFIG, { name: "atm-dev", leadSessionId: "old", members: [] });
  home.write(".claude/swarm/sessions/old/session.json", { session: "old", ...usual, ...old });
  return home;
}

const ways: { args?: string[]; env?: Record<string, string> }[] = [
  { args: ["--session-id", "new"] },
  { env: { CLAUDE_CODE_SESSION_ID: "new" } },
  { env: { CLAUDE_SESSION_ID: "new" } },
];

test.each(ways)("the lead of a dead session is taken, with the id from %j", ({ args = [], env }) => {
  const home = aTeam(ended);
  expect(runSwarm(home, ["lead", "show", "atm-dev"]).stdout).toContain(
    "session old ended at 2026-02-20T11:30",
  );
  expect(runSwarm(home, ["lead", "take", "atm-dev", ...args], { env })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("session new now leads atm-dev (before: old;"),
  });
  expect(home.json(CONFIG).leadSessionId).toBe("new");
});

test("a living lead is not deposed but by force", () => {
  const home = aTeam(living);
  const refused = runSwarm(home, ["lead", "take", "atm-dev", "--session-id", "new"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(`the lead is alive: process ${process.pid} of session old is running`);
  expect(home.json(CONFIG).leadSessionId).toBe("old");
  const forced = runSwarm(home, ["lead", "take", "atm-dev", "--session-id", "new", "--force", "--json"]);
  expect(forced.reply).toMatchObject({ isForced: true, before: "old", session: "new" });
  expect(runSwarm(home, ["journal"]).stdout).toContain("hand-over: lead-taken");
});

test.each([
  [["lead", "take", "atm-dev"], 2, "which session?"],
  [["lead", "take", "nope", "--session-id", "x"], 1, "there is no team nope"],
  [["lead", "take", "../x", "--session-id", "x"], 2, "the team's name"],
  [["lead", "steal", "atm-dev"], 2, "show, take"],
  [["lead"], 2, "which team?"],
])("%j is exit code %i", (args, exitCode, words) =>
  expect(runSwarm(aTeam({}), args)).toMatchObject({ exitCode, stderr: expect.stringContaining(words) }),
);

test("the gate points the way, and the new lead passes it", () => {
  const home = aProject({ toml: TOML, team: { name: "atm-dev", leadSessionId: "old", members: [] } });
  home.write(".claude/swarm/sessions/old/session.json", { session: "old", ...usual, ...ended });
  const call = { ...payload("PreToolUse-Agent"), session_id: "new", cwd: home.project };
  const spawn = { ...call, tool_input: agent("x", "bob", "atm-dev") };
  expect(runHook(home, "pre-tool-use", spawn).stderr).toContain("swarm lead take atm-dev");
  expect(runSwarm(home, ["lead", "take", "atm-dev", "--session-id", "new"]).exitCode).toBe(0);
  expect(runHook(home, "pre-tool-use", spawn).exitCode).toBe(0);
});

test("any decision can be explained: by id, or the last one of the session that asks", () => {
  const home = aProject({ toml: TOML });
  const call = { ...payload("PreToolUse-Agent"), cwd: home.project, tool_input: agent("scrum-master") };
  runHook(home, "pre-tool-use", { ...call, session_id: "s-1" });
  runHook(home, "pre-tool-use", { ...call, session_id: "s-2" });
  const mine = runSwarm(home, ["explain", "last", "--session-id", "s-1", "--json"]).reply;
  expect(mine).toMatchObject({
    what: "deny",
    rule: "orchestrator-named",
    feature: "spawn-gate",
    session: "s-1",
  });
  const { stdout } = runSwarm(home, ["explain", mine.id]);
  for (const words of [
    `${mine.id}: denied`,
    "main of session s-1",
    "orchestrator-named",
    '"subagent_type":"scrum-master"',
    "  BLOCKED: 'scrum-master' is an orchestrator",
    "  [gate]\n  orchestrators = []",
    "SWARM_DISABLE=spawn-gate",
  ])
    expect(stdout).toContain(words);
  expect(runSwarm(home, ["explain"]).stdout).toContain("session s-2");
});

test.each([
  [["explain", "last"], 1, "the journal has no decision in the last 14 days"],
  [["explain", "last", "--session-id", "x"], 1, "the journal has no decision of session x"],
  [["explain", "zzzzzzzz-1"], 1, "the journal has no decision zzzzzzzz-1"],
  [["explain", "../x"], 2, "is no id of the journal"],
])("%j has nothing to tell", (args, exitCode, words) =>
  expect(runSwarm(aHome(), args)).toMatchObject({ exitCode, stderr: expect.stringContaining(words) }),
);
