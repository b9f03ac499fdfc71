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

const asClient = (session: string, more: Record<string, string> = {}) => ({
  env: { CLAUDECODE: "1", CLAUDE_PID: String(process.pid), CLAUDE_CODE_SESSION_ID: session, ...more },
});
const AS_LEAD = { CLAUDE_CODE_TEAM_NAME: "atm-dev", CLAUDE_CODE_AGENT_NAME: "team-lead" };

test.each<[string, string, object, Record<string, string>]>([
  ["by its next prompt", "user-prompt-submit", { prompt: "go on" }, {}],
  ["before its next tool call", "pre-tool-use", { tool_name: "Read", tool_input: {} }, {}],
  ["when it is resumed", "session-start", { source: "resume" }, {}],
  ["when it is resumed in its shell", "session-start", { source: "resume" }, AS_LEAD],
])("a session whose lead was taken hears of it once: %s", (_, script, input, env) => {
  const home = aTeam({ ...living, team: "atm-dev", agent: "team-lead", isLead: true });
  expect(runSwarm(home, ["lead", "take", "atm-dev", "--session-id", "new", "--force"]).exitCode).toBe(0);
  const at = (name: string, more: object) =>
    runHook(home, name, { session_id: "old", ...more }, asClient("old", env)).stdout;
  expect(at("pre-tool-use", { agent_id: "a1", agent_type: "x", tool_name: "Read", tool_input: {} })).toBe("");
  expect(at(script, input)).toContain(
    "This session no longer leads the team atm-dev: another session has taken the lead.",
  );
  expect(at(script, input)).not.toContain("no longer");
  const { team, agent } = home.json(".claude/swarm/sessions/old/session.json");
  expect({ team, agent }).toEqual({});
  home.write(".claude/swarm/sessions/new/session.json", { session: "new", ...usual, ...ended });
  expect(runSwarm(home, ["send", "team-lead", "hi"], asClient("old", AS_LEAD)).exitCode).toBe(0);
  expect(home.json(".claude/teams/atm-dev/inboxes/team-lead.json")).toMatchObject([{ from: "solo-old" }]);
  expect(runSwarm(home, ["join", "atm-dev", "--name", "eve"], asClient("old", AS_LEAD)).exitCode).toBe(0);
  expect(at("session-start", { source: "resume" })).not.toContain("no longer");
  expect(home.json(".claude/swarm/sessions/old/session.json")).toMatchObject({ agent: "eve" });
  const { exitCode } = runSwarm(home, ["lead", "take", "atm-dev", "--force"], asClient("old", AS_LEAD));
  expect(exitCode).toBe(0);
  at("session-start", { source: "resume" });
  expect(home.json(".claude/swarm/sessions/old/session.json")).toMatchObject({ agent: "team-lead" });
});

test("the session of a member whose name another one took does not speak or read under it", () => {
  const home = aTeam(living);
  const dead = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
  const bob = { name: "bob", backend: "joined", sessionId: "before", ...dead };
  home.write(CONFIG, { name: "atm-dev", leadSessionId: "old", members: [{ name: "team-lead" }, bob] });
  const was = { team: "atm-dev", agent: "bob", kind: "named" };
  home.write(".claude/swarm/sessions/before/session.json", { session: "before", ...usual, ...dead, ...was });
  home.write(".claude/swarm/sessions/new/session.json", { session: "new", ...usual, ...dead });
  expect(runSwarm(home, ["join", "atm-dev", "--name", "bob"], asClient("new")).exitCode).toBe(0);
  expect(runSwarm(home, ["send", "bob", "for the new one"]).exitCode).toBe(0);
  const resumed = () =>
    runHook(home, "session-start", { session_id: "before", source: "resume" }, asClient("before"));
  expect(resumed().stdout).toContain(
    "This session no longer speaks as bob of team atm-dev: another session has that name.",
  );
  expect(resumed().stdout).not.toContain("bob");
  expect(runSwarm(home, ["inbox"], asClient("before")).stderr).toContain("this session belongs to no team");
  expect(runSwarm(home, ["inbox"], asClient("new")).stdout).toContain("for the new one");
  expect(home.json(CONFIG).members[1]).toMatchObject({ name: "bob", sessionId: "new" });
});

test("a session that starts under the name of one that runs is not it in its verbs either, nor the lead", () => {
  const home = aTeam(living);
  const lead = { name: "team-lead", sessionId: "old", ...living, status: "active" };
  home.write(CONFIG, { name: "atm-dev", leadSessionId: "old", members: [lead] });
  const other = { CLAUDE_PID: String(process.ppid), ...AS_LEAD };
  const { stdout } = runHook(
    home,
    "session-start",
    { session_id: "copy", source: "resume" },
    asClient("copy", other),
  );
  expect(stdout).toContain("The name team-lead in team atm-dev belongs to another live session");
  expect(stdout).not.toContain("You are team-lead");
  expect(runSwarm(home, ["send", "team-lead", "hi"], asClient("copy", other)).exitCode).toBe(0);
  expect(home.json(".claude/teams/atm-dev/inboxes/team-lead.json")).toMatchObject([{ from: "solo-copy" }]);
});
