// The governor with a home on disk: what it counts, and what frees a place again.
import { expect, test } from "vitest";
import * as events from "../../../lib/hook/events.ts";
import { postToolUse, postToolUseFailure } from "../../../lib/teammates/hooks/spawn-gate.ts";
import { aContext, NOON } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { agent, aProject, spawn, withNativeTeam } from "../../support/a-spawn.ts";

const ledger = (home: Home, session: string) => home.lines(`.claude/swarm/spawns/${session}.jsonl`);

function answered(home: Home, call: string, response: object, session: string) {
  const input = { tool_name: "Agent", tool_use_id: call, tool_response: response, session_id: session };
  postToolUse(aContext(home, events.PostToolUse, input));
}

test("caps count the roster and what was just let pass: warn, ask, deny; parallel calls see each other", () => {
  const home = aProject({ person: "[gate]\nmax_teammates = 4" });
  const { leadSessionId: session_id } = withNativeTeam(home, "inprocess");
  const next = (name: string, env = {}) => spawn(home, agent("tester", name), { session_id }, { env });
  expect(next("carl")).toMatchObject({ journal: [{ what: "spawn", name: "carl" }] });
  expect(next("dora")).toMatchObject({
    context: expect.stringContaining("this makes 4 teammates alive at once"),
    journal: [{ what: "warn", rule: "max-teammates" }],
  });
  const unattended = next("emil", { CLAUDE_CODE_SESSION_ATTENDED: "0" });
  expect(unattended).toMatchObject({ rule: "max-teammates", loud: true });
  expect(next("emil")).toMatchObject({
    rule: "max-teammates",
    ask: expect.stringContaining("the limit is 4"),
  });
  expect(next("fred")).toMatchObject({
    rule: "max-teammates",
    deny: expect.stringContaining("Alive: alice, bob, carl, dora, emil."),
  });
  expect(ledger(home, session_id).map((line) => [line.name, line.ifGranted])).toEqual([
    ["carl", undefined],
    ["dora", undefined],
    ["emil", true],
  ]);
});

test("who was shut down frees its place: no ghost holds the limit", () => {
  const home = aProject({ person: "[gate]\nmax_teammates = 2" });
  const config = withNativeTeam(home, "inprocess");
  const session_id = config.leadSessionId;
  const { call } = spawn(home, agent("tester", "carl"), { session_id });
  expect(spawn(home, agent("tester", "dora"), { session_id }).deny).toBeDefined();
  answered(home, call, { status: "teammate_spawned", name: "carl", agent_id: "carl@t" }, session_id);
  home.write(`.claude/teams/${config.name}/config.json`, { ...config, members: config.members.slice(0, 1) });
  const later = { now: new Date(NOON.getTime() + 5 * 60_000) };
  expect(spawn(home, agent("tester", "dora"), { session_id }, later)).toMatchObject({
    journal: [{ what: "spawn" }],
  });
});

test("what the client refused is not counted", () => {
  const home = aProject({ person: "[gate]\nmax_spawns_per_hour = 1" });
  const { call } = spawn(home, agent("x"));
  const input = { tool_name: "Agent", tool_use_id: call, session_id: "s-1", error: "no" };
  postToolUseFailure(aContext(home, events.PostToolUseFailure, input));
  expect(spawn(home, agent("x")).journal).toMatchObject([{ what: "warn", rule: "max-spawns-per-hour" }]);
  expect(spawn(home, agent("x")).ask).toContain("2 spawns within an hour");
  expect(spawn(home, agent("x")).deny).toContain("3 spawns within an hour");
  const later = { now: new Date(NOON.getTime() + 61 * 60_000) };
  expect(spawn(home, agent("x"), {}, later).deny).toBeUndefined();
});

test("depth counts along the ledger, on the newest client by id, on the older one by what is open", () => {
  const home = aProject({ person: "[gate]\nmax_depth = 1" });
  const { call } = spawn(home, agent("worker"));
  const inside = { agent_id: "a1", agent_type: "worker" };
  expect(spawn(home, agent("x"), inside).ask).toContain("agents 2 levels deep");
  answered(home, call, { status: "async_launched", agentId: "a1", resolvedModel: "claude-opus-5-5" }, "s-1");
  expect(spawn(home, agent("x"), inside).ask).toContain("agents 2 levels deep");
});

test("premium models are counted wherever the model comes from", () => {
  const home = aProject({
    person: '[gate]\nmax_premium = 1\npremium_models = ["opus"]',
    agents: { thinker: "name: thinker\nmodel: opus", cheap: "name: cheap\nmodel: haiku" },
  });
  expect(spawn(home, { subagent_type: "x", model: "opus" }).journal).toMatchObject([{ rule: "max-premium" }]);
  expect(spawn(home, agent("cheap")).journal).toMatchObject([{ what: "spawn" }]);
  expect(spawn(home, agent("thinker")).ask).toContain("2 agents alive on a premium model");
});

test("an idle teammate of that name is pointed out before a second one opens", () => {
  const home = aHome();
  const { leadSessionId: session_id } = withNativeTeam(home, "tmux");
  expect(spawn(home, agent("general-purpose", "alice"), { session_id }).context).toContain(
    'already in the team and idle: alice (general-purpose): SendMessage(to="alice", message="...")',
  );
  expect(spawn(home, agent("general-purpose", "zoe"), { session_id }).context).toBeUndefined();
});
