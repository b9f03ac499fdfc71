// The gate as the client calls it: real payloads of both versions and both display modes, a home on disk.
import { mkdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { elapsedMs } from "../../../lib/core/process.ts";
import * as events from "../../../lib/hook/events.ts";
import { preToolUse } from "../../../lib/teammates/hooks/spawn-gate.ts";
import { aContext } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { agent, aProject, spawn, TOML, type World, withNativeTeam } from "../../support/a-spawn.ts";
import { virtualTime } from "../../support/in-no-time.ts";
import { payload } from "../../support/run-built.ts";

const NAMED = "name: x\nmetadata:\n  spawn_policy: named_teammate_required";
const lead = { leadSessionId: "lead-sess" };
const members = [
  { name: "team-lead", sessionId: "lead-sess" },
  { name: "arch-atm", sessionId: "co-sess" },
  { name: "dev-1", sessionId: "dev-sess" },
];
const team = { ...lead, members };
const coLeaders = `[team."atm-dev"]\nspawn_policy = "leaders-only"\nco_leaders = ["arch-atm"]\n`;
const anyMember = `[team."atm-dev"]\nspawn_policy = "any-member"\n`;
const intoTeam = agent("general-purpose", "worker-1", "atm-dev");

// The later project's own cases for its gate, as far as a call can express them.
test.each<[string, object, World & { session?: string }, string | undefined]>([
  ["an orchestrator without a name", agent("scrum-master"), { toml: TOML }, "orchestrator-named"],
  ["an orchestrator with a name", agent("scrum-master", "sm-x"), { toml: TOML }, undefined],
  ["a definition's policy", agent("qm"), { toml: TOML, agents: { qm: NAMED } }, "orchestrator-named"],
  ["a definition's policy, a name", agent("qm", "qm-x"), { toml: TOML, agents: { qm: NAMED } }, undefined],
  ["a definition without a policy", agent("cw"), { toml: TOML, agents: { cw: "name: cw" } }, undefined],
  ["another type without a name", agent("rust-developer"), { toml: TOML }, undefined],
  ["another type with a name", agent("rust-developer", "dev"), { toml: TOML }, undefined],
  ["the lead names the team", intoTeam, { toml: TOML, team: lead, session: "lead-sess" }, undefined],
  ["a teammate names the team", intoTeam, { toml: TOML, team: lead, session: "dev-sess" }, "lead-only"],
  ["no team config", intoTeam, { toml: TOML, session: "any" }, undefined],
  ["no leadSessionId", intoTeam, { toml: TOML, team: { other: 1 }, session: "any" }, undefined],
  ["the wrong team", agent("rust-developer", "dev", "wrong"), { toml: TOML }, "team-match"],
  ["no .atm.toml, any team", agent("rust-developer", "dev", "any-team"), {}, undefined],
  [
    "leaders-only, the lead",
    intoTeam,
    { toml: TOML, person: coLeaders, team, session: "lead-sess" },
    undefined,
  ],
  [
    "leaders-only, a co-leader",
    intoTeam,
    { toml: TOML, person: coLeaders, team, session: "co-sess" },
    undefined,
  ],
  [
    "leaders-only, a member",
    intoTeam,
    { toml: TOML, person: coLeaders, team, session: "dev-sess" },
    "lead-only",
  ],
  ["no team table: leaders-only", intoTeam, { toml: TOML, team, session: "dev-sess" }, "lead-only"],
  ["any-member, a member", intoTeam, { toml: TOML, person: anyMember, team, session: "dev-sess" }, undefined],
  ["a blank team", agent("rust-developer", "dev", "  "), { toml: TOML, team: lead }, undefined],
  ["nothing at all", {}, { toml: TOML }, undefined],
])("%s", (_, input, { session = "s-1", ...world }, rule) => {
  const outcome = spawn(aProject(world), input, { session_id: session, tool_name: "Task" });
  expect(outcome.rule).toBe(rule);
  expect(outcome.loud).toBe(rule ? true : undefined);
});

test("the rules are asked in their order: the name, the lead, the team", () => {
  const home = aProject({ toml: TOML });
  home.write(".claude/teams/other/config.json", { name: "other", ...team });
  const into = (type: string, session_id: string) =>
    spawn(home, { ...agent(type), team_name: "other" }, { session_id }).rule;
  expect(into("scrum-master", "dev-sess")).toBe("orchestrator-named");
  expect(into("rust-developer", "dev-sess")).toBe("lead-only");
  expect(into("rust-developer", "lead-sess")).toBe("team-match");
});

test("quiet until used: without .atm.toml the default orchestrators are free, the person's own are not", () => {
  expect(spawn(aProject({}), agent("scrum-master")).deny).toBeUndefined();
  const person = '[gate]\norchestrators = ["boss"]';
  expect(spawn(aProject({ person }), agent("boss")).rule).toBe("orchestrator-named");
  expect(spawn(aProject({ person }), agent("scrum-master")).deny).toBeUndefined();
});

test("a project adds orchestrators and cannot take the person's away", () => {
  const home = aProject({ toml: "[gate]\norchestrators = []", person: '[gate]\norchestrators = ["boss"]' });
  expect(spawn(home, agent("boss")).rule).toBe("orchestrator-named");
});

test.each([
  ["a directory", (home: Home) => home.write("project/.claude/agents/qm.md/x", "")],
  ["no frontmatter", (home: Home) => home.write("project/.claude/agents/qm.md", "metadata: none")],
  ["not text", (home: Home) => home.write("project/.claude/agents/qm.md", "---\n\u0000\u0001\n---")],
])("a definition that cannot be read lets pass: %s", (_, damage) => {
  const home = aProject({ toml: TOML });
  damage(home);
  expect(spawn(home, agent("qm")).deny).toBeUndefined();
});

test.each(["../../etc/passwd", "plugin:agent", "a/b", "\u0000", "x".repeat(300)])(
  "the type %j becomes no path",
  (type) => expect(spawn(aProject({ toml: TOML }), agent(type)).deny).toBeUndefined(),
);

test.each(["..", "../x", "a/b", "x".repeat(300)])("the team %j becomes no path", (name) =>
  expect(spawn(aProject({}), agent("x", "n", name)).deny).toBeUndefined(),
);

test("an unreadable team config lets pass", () => {
  const home = aProject({});
  home.write(".claude/teams/atm-dev/config.json", "{ half");
  expect(spawn(home, intoTeam).deny).toBeUndefined();
});

const AGENTS_INSIDE = {
  "in-process teammate": { agent_id: "abob-44ab4e64ebc98d30", agent_type: "bob" },
  subagent: { agent_id: "a95f77ee05c1252a2", agent_type: "general-purpose" },
};

test.each([
  ["PreToolUse-Agent", "inprocess"],
  ["PreToolUse-Agent-v2.1.197", "inprocess"],
  ["PreToolUse-Agent", "tmux"],
  ["PreToolUse-Agent-v2.1.197", "tmux"],
] as const)("%s, %s: the lead opens teammates, an agent inside its session does not", (name, mode) => {
  const home = aHome();
  const { leadSessionId } = withNativeTeam(home, mode);
  const { tool_input, ...more } = { ...payload(name), session_id: leadSessionId, cwd: home.project };
  expect(spawn(home, tool_input, more).deny).toBeUndefined();
  for (const inside of Object.values(AGENTS_INSIDE)) {
    expect(spawn(home, tool_input, { ...more, ...inside })).toMatchObject({ rule: "lead-only", loud: true });
    const { name: _, ...unnamed } = tool_input;
    expect(spawn(home, unnamed, { ...more, ...inside }).deny).toBeUndefined();
  }
});

test("after /clear the lead is still the lead, although the client's config names its old session", () => {
  const home = aHome();
  const { name, leadSessionId } = withNativeTeam(home, "inprocess");
  home.write(".claude/swarm/sessions/new/session.json", {
    session: "new",
    previous: leadSessionId,
    state: "active",
    status: "done",
    startedAt: "",
    lastSeen: "",
  });
  expect(spawn(home, agent("x", "bob", name), { session_id: "new" }).deny).toBeUndefined();
  expect(spawn(home, agent("x", "bob", name), { session_id: "other" }).rule).toBe("lead-only");
});

test("a member of a named team, known by its environment, opens no teammates; its co-leader does", () => {
  const home = aProject({ toml: TOML, person: coLeaders, team });
  const as = (name: string) => ({
    env: { CLAUDE_CODE_TEAM_NAME: "atm-dev", CLAUDE_CODE_AGENT_NAME: name },
  });
  expect(spawn(home, agent("x", "bob"), {}, as("dev-1")).rule).toBe("lead-only");
  expect(spawn(home, agent("x", "bob"), {}, as("arch-atm")).deny).toBeUndefined();
  expect(spawn(home, agent("x"), {}, as("dev-1")).deny).toBeUndefined();
});

test("in a session without any team a subagent may use names: there they make no teammates", () => {
  expect(spawn(aHome(), agent("x", "bob"), AGENTS_INSIDE.subagent).deny).toBeUndefined();
});

test("a ledger that another process holds is given up before the hook's own time is over", () => {
  const home = aHome();
  mkdirSync(home.path(".claude/swarm/spawns/s-1.jsonl.lock"), { recursive: true });
  const ctx = aContext(home, events.PreToolUse, { tool_name: "Agent", tool_input: agent("x") });
  onTestFinished(virtualTime());
  expect(() => preToolUse(ctx)).toThrow("is held by another process");
  expect(elapsedMs()).toBeLessThan(ctx.deadline - 100);
});

test("other tools are none of its business", () => {
  const home = aProject({ toml: TOML });
  expect(preToolUse(aContext(home, events.PreToolUse, payload("PreToolUse-Bash")))).toBeUndefined();
  expect(home.has("tmp/gate-agent-spawns-debug.jsonl")).toBe(false);
});

test("the client's own payload names the spawn", () => {
  const home = aProject({ toml: TOML });
  const { tool_input, ...more } = { ...payload("PreToolUse-Agent"), cwd: home.project };
  expect(spawn(home, tool_input, more).journal).toMatchObject([{ type: "general-purpose", name: "bob" }]);
});
