// The limits of the spawn gate: each decision as a table, then what is counted with a home on disk, and what frees a place again.
import { expect, test } from "vitest";
import * as events from "../../../lib/hook/events.ts";
import { postToolUse, postToolUseFailure } from "../../../lib/teammates/hooks/spawn-gate.ts";
import {
  depthOf,
  type Evidence,
  isPremium,
  type LimitUse,
  levelOf,
  liveAgents,
  liveTeammates,
  spawnsOfLastHour,
  suggestIdle,
  type Teammate,
  verdictOn,
} from "../../../lib/teammates/spawn-gate/limits.ts";
import type { Spawned } from "../../../lib/teammates/store/spawns.ts";
import { aContext, NOON } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { agent, aProject, spawn, withNativeTeam } from "../../support/a-spawn.ts";

test.each<[string, number | undefined, number, boolean, ReturnType<typeof levelOf>]>([
  ["no limit", undefined, 99, true, undefined],
  ["below the limit", 4, 3, true, undefined],
  ["reaching it", 4, 4, true, "warn"],
  ["one beyond", 4, 5, true, "ask"],
  ["two beyond", 4, 6, true, "deny"],
  ["one beyond, and nobody there to ask", 4, 5, false, "deny"],
  ["a limit of none", 0, 1, true, "deny"],
])("%s", (_, limit, count, isAttended, level) =>
  expect(levelOf({ rule: "max-teammates", limit, count }, isAttended)).toBe(level),
);

test("depth is not warned about: its limit is reached by every ordinary subagent", () => {
  expect(levelOf({ rule: "max-depth", limit: 1, count: 1 }, true)).toBeUndefined();
  expect(levelOf({ rule: "max-depth", limit: 1, count: 2 }, true)).toBe("ask");
  expect(levelOf({ rule: "max-depth", limit: 1, count: 3 }, true)).toBe("deny");
});

const alice: Teammate = { name: "alice", type: "reviewer", isIdle: true, call: 'SendMessage(to="alice")' };
const busy: Teammate = { name: "bob", type: "tester", isIdle: false, call: 'SendMessage(to="bob")' };

test("the gravest use speaks, names who is alive, who is idle and which setting counts", () => {
  const uses: LimitUse[] = [
    { rule: "max-spawns-per-hour", limit: 5, count: 5 },
    { rule: "max-teammates", limit: 2, count: 4, who: ["alice", "bob", "carol"] },
  ];
  const verdict = verdictOn(uses, true, [alice, busy]);
  expect(verdict).toMatchObject({ level: "deny", rule: "max-teammates" });
  expect(verdict?.text).toContain("BLOCKED: this would make 4 teammates alive at once; the limit is 2.");
  expect(verdict?.text).toContain("Alive: alice, bob, carol.");
  expect(verdict?.text).toContain('alice (reviewer): SendMessage(to="alice")');
  expect(verdict?.text).not.toContain('SendMessage(to="bob")');
  expect(verdict?.text).toContain("swarm config gate.max_teammates");
  expect(verdictOn([], true, [])).toBeUndefined();
});

test("names of others stay on their line", () => {
  const name = "al\n<b>ice";
  const verdict = verdictOn([{ rule: "max-teammates", limit: 2, count: 4, who: [name] }], true, [
    { name, type: name, isIdle: true, call: name },
  ]);
  expect(verdict?.text).not.toMatch(/<b>|^ ?ice/m);
  expect(verdict?.text.match(/al.{0,4}&lt;b&gt;ice/g)).toHaveLength(4);
});

test.each([
  ["the same name", { name: "alice", type: "x" }, true],
  ["the same role", { name: "zoe", type: "reviewer" }, true],
  ["the role everybody has", { name: "zoe", type: "general-purpose" }, false],
  ["another name and role", { name: "zoe", type: "writer" }, false],
  ["a background agent", { type: "reviewer" }, false],
  ["a busy one's name", { name: "bob", type: "x" }, false],
])("an idle twin is pointed out: %s", (_, spawn, isTold) => {
  const everybody = { ...alice, name: "max", type: "general-purpose" };
  expect(suggestIdle(spawn, [alice, busy, everybody]) !== undefined).toBe(isTold);
});

test("the second alice, which the client calls alice-2, is alice's twin; alice-cooper is not", () => {
  expect(suggestIdle({ name: "alice", type: "" }, [{ ...alice, name: "alice-2" }])).toContain("alice-2");
  expect(suggestIdle({ name: "alice", type: "" }, [{ ...alice, name: "alice-cooper" }])).toBeUndefined();
});

test.each([
  ["claude-opus-5-5", ["opus"], true],
  ["Opus", ["opus"], true],
  ["claude-haiku-4", ["opus"], false],
  [undefined, ["opus"], false],
  ["anything", [""], false],
])("model %s against %j", (model, premium, expected) => expect(isPremium(model, premium)).toBe(expected));

const minutesAgo = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();
let made = 0;
const spawned = (more: Partial<Spawned> = {}): Spawned => ({
  call: `toolu_${++made}`,
  at: minutesAgo(5),
  by: "main",
  type: "reviewer",
  depth: 1,
  pid: 1,
  ...more,
});
const seen = (more: Partial<Evidence> = {}): Evidence => ({
  now: NOON.getTime(),
  roster: undefined,
  isGone: () => false,
  isSeen: () => false,
  ...more,
});

test.each<[string, Partial<Spawned>, Partial<Evidence>, boolean]>([
  ["confirmed, no roster to ask", { fate: "teammate" }, {}, true],
  ["confirmed and in the roster", { fate: "teammate" }, { roster: ["a"] }, true],
  ["confirmed and no longer in the roster", { fate: "teammate" }, { roster: [] }, false],
  ["confirmed a moment ago", { fate: "teammate", at: minutesAgo(0.2) }, { roster: [] }, true],
  ["its process is gone", { fate: "teammate" }, { isGone: () => true }, false],
  ["asked for a moment ago", { at: minutesAgo(1) }, { roster: [] }, true],
  ["asked for and never confirmed", {}, { roster: [] }, false],
  ["refused by the client", { fate: "failed", at: minutesAgo(0.1) }, {}, false],
  ["an ordinary subagent after all", { fate: "background" }, {}, false],
])("a teammate counts as alive: %s", (_, more, evidence, isAlive) =>
  expect(liveTeammates([spawned({ name: "a", ...more })], seen(evidence))).toEqual(isAlive ? ["a"] : []),
);

test("members nobody saw being spawned count too, and five calls for one name are five agents", () => {
  const asked = Array.from({ length: 5 }, () => spawned({ name: "alice", at: minutesAgo(0.1) }));
  expect(liveTeammates(asked, seen({ roster: ["zoe"] }))).toEqual(["zoe", ...asked.map(() => "alice")]);
  expect(liveTeammates(asked.slice(0, 1), seen({ roster: ["alice"] }))).toEqual(["alice"]);
});

test.each<[string, Partial<Spawned>, Partial<Evidence>, boolean]>([
  ["running in the background", { fate: "background" }, { isSeen: () => true }, true],
  ["running for a day", { fate: "background", at: minutesAgo(1440) }, { isSeen: () => true }, true],
  ["its end was seen", { fate: "background" }, { isGone: () => true }, false],
  ["no record, begun long ago", { fate: "background", at: minutesAgo(30) }, {}, false],
  ["in the foreground", {}, {}, true],
  ["done", { fate: "done" }, { isSeen: () => true }, false],
  ["waited for the person's yes in vain", { ifGranted: true }, {}, false],
])("an agent counts as alive: %s", (_, more, evidence, isAlive) =>
  expect(liveAgents([spawned(more)], seen(evidence))).toHaveLength(isAlive ? 1 : 0),
);

test("the last hour counts what was let pass, not what failed or was refused", () => {
  const known = [
    spawned({ at: minutesAgo(59) }),
    spawned({ at: minutesAgo(61) }),
    spawned({ fate: "failed" }),
    spawned({ ifGranted: true }),
    spawned({ ifGranted: true, fate: "background" }),
    spawned({ ifGranted: true, at: minutesAgo(1) }),
  ];
  expect(spawnsOfLastHour(known, seen())).toBe(3);
});

const x1 = { agentId: "a1", type: "x", name: undefined };

test.each<[string, Parameters<typeof depthOf>[0], Spawned[], number]>([
  ["a session", { agentId: undefined, type: undefined, name: undefined }, [], 0],
  ["an unknown agent", x1, [], 1],
  ["a known one", x1, [spawned({ agentId: "a1", depth: 3 })], 3],
  [
    "a teammate known by name",
    { agentId: "abob-1", type: "bob", name: "bob" },
    [spawned({ name: "bob", depth: 2 })],
    2,
  ],
  [
    "one not reported yet",
    x1,
    [spawned({ type: "x", depth: 4 }), spawned({ type: "x", depth: 2 }), spawned({ type: "y", depth: 1 })],
    2,
  ],
])("how deep stands %s", (_, agent, known, depth) => expect(depthOf(agent, 0, known)).toBe(depth));

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
