// The handlers of teams and spawns, one table for each decision.
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as gate from "../../lib/teammates/hooks/spawn-gate.ts";
import * as teammates from "../../lib/teammates/hooks/teammates.ts";
import { evidenceOf } from "../../lib/teammates/spawn-gate/limits.ts";
import { spawnResult } from "../../lib/teammates/spawn-gate/rules.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, spawn, withNativeTeam } from "../support/a-spawn.ts";
import { as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";

const NATIVE = { ...as("team-lead"), CLAUDE_CODE_TEAM_NAME: "session-0123abcd" };

const suspend = (home: Home) => home.write(CONFIG, { ...home.json(CONFIG), status: "suspended" });
const record = (home: Home, session: string, more: object) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, state: "idle", status: "idle", startedAt: "x", lastSeen: "x" },
    ...more,
  });

test.each<[string, Record<string, string>, string, boolean, boolean]>([
  ["the lead of a suspended team", as("team-lead"), "startup", true, true],
  ["of an active one", as("team-lead"), "startup", false, false],
  ["a member", as("alice"), "startup", true, false],
  ["no team", {}, "startup", true, false],
  ["after a compaction", as("team-lead"), "compact", true, false],
])("a session starts: %s", (_, env, source, isSuspended, isNotified) => {
  const home = aHome();
  aTeam(home);
  if (isSuspended) suspend(home);
  const ctx = aContext(home, events.SessionStart, { session_id: "lead-session", source }, { env });
  const text = (teammates.sessionStart(ctx) as Outcome | undefined)?.context;
  expect(text).toEqual(
    isNotified
      ? "The team atm-dev is suspended since an unknown time (alice, bob). `swarm resume atm-dev` brings it back."
      : undefined,
  );
});

test.each<[string, Record<string, string>, string, object, string | undefined]>([
  ["a lead's", as("team-lead"), "other", {}, "team-suspended"],
  ["a lead's, kept alive", as("team-lead", { SWARM_KEEP_ALIVE: "true" }), "other", {}, "lead-ended"],
  ["/clear", as("team-lead"), "clear", {}, undefined],
  ["/resume", as("team-lead"), "resume", {}, undefined],
  ["a member's", as("alice"), "other", {}, undefined],
  ["of no team", {}, "other", {}, undefined],
  ["of the client's own team", NATIVE, "other", {}, undefined],
  ["of a suspended team", as("team-lead"), "other", { status: "suspended" }, undefined],
  ["of one who leads no longer", as("team-lead"), "other", { leadSessionId: "newer" }, undefined],
  [
    "a team without a lead's session",
    as("team-lead"),
    "other",
    { leadSessionId: undefined },
    "team-suspended",
  ],
])("a session's end: %s", (_, env, reason, more, what) => {
  const home = aHome();
  aTeam(home);
  home.write(CONFIG, { ...home.json(CONFIG), ...more });
  home.write(".claude/teams/session-0123abcd/config.json", {
    ...home.json(CONFIG),
    name: "session-0123abcd",
  });
  const ctx = aContext(home, events.SessionEnd, { session_id: "lead-session", reason }, { env });
  const outcome = teammates.sessionEnd(ctx) as Outcome | undefined;
  expect(outcome?.journal).toEqual(what && [{ what, team: TEAM }]);
});

test("the team of a lead that another client runs too is not suspended", () => {
  const home = aHome();
  aTeam(home);
  const other = { pid: process.pid, startedAt: startOf(process.pid), session: "lead-session" };
  home.write(`.claude/swarm/processes/${other.pid}.json`, other);
  const input = { session_id: "lead-session", reason: "other" };
  expect(teammates.sessionEnd(aContext(home, events.SessionEnd, input, { env: as("team-lead") }))).toBe(
    undefined,
  );
});

test("kept alive: every teammate is notified, and only the lead is offline", () => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session" }, "of/another tool", "alice", "bob"]);
  const env = as("team-lead", { SWARM_KEEP_ALIVE: "true" });
  const ctx = aContext(home, events.SessionEnd, { session_id: "lead-session", reason: "other" }, { env });
  (teammates.sessionEnd(ctx) as Outcome).after?.();
  for (const name of ["alice", "bob"])
    expect(home.json(inboxOf(name))).toMatchObject([
      {
        from: "team-lead",
        text: "Team-lead session ended. Team remains active.",
        kind: "system",
        read: false,
      },
    ]);
  expect(home.has(inboxOf("team-lead"))).toBe(false);
  expect(home.json(CONFIG).members.map(({ status }: any) => status)).toEqual([
    "offline",
    ...Array(3).fill("active"),
  ]);
});

test("kept alive: an inbox that cannot be written keeps nothing from the others", () => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session" }, "alice", "bob"]);
  home.write(`${inboxOf("alice")}/a-directory`, "");
  const env = as("team-lead", { SWARM_KEEP_ALIVE: "true" });
  const ctx = aContext(home, events.SessionEnd, { session_id: "lead-session", reason: "other" }, { env });
  (teammates.sessionEnd(ctx) as Outcome).after?.();
  expect(home.json(inboxOf("bob"))).toHaveLength(1);
  expect(home.json(CONFIG).members[0].status).toBe("offline");
});

const MEMBER = { team: TEAM, agent: "alice" };
test.each<[string, object | undefined, Record<string, string>, boolean]>([
  ["the lead under a second name", MEMBER, {}, true],
  ["as the lead", { team: TEAM, agent: "team-lead", isLead: true }, {}, false],
  ["with its name by its environment", MEMBER, as("alice"), false],
  ["without a name", { team: TEAM }, {}, false],
  ["without a team", { agent: "alice" }, {}, false],
  ["of the client's own team", { team: "session-0123abcd", agent: "alice" }, {}, false],
  ["without a record", undefined, {}, false],
])("a prompt of a session %s", (_, given, env, isRestored) => {
  const home = aHome();
  aTeam(home);
  home.write(".claude/teams/session-0123abcd/config.json", {
    ...home.json(CONFIG),
    name: "session-0123abcd",
  });
  if (given) record(home, "lead-session", given);
  const ctx = aContext(home, events.UserPromptSubmit, { session_id: "lead-session", prompt: "x" }, { env });
  const outcome = teammates.userPromptSubmit(ctx) as Outcome | undefined;
  expect(outcome?.journal).toEqual(
    isRestored ? [{ what: "lead-restored", team: TEAM, second: "alice" }] : undefined,
  );
});

const launch = (home: Home, plan: string, env: Record<string, string> = {}) => {
  const input = {
    tool_name: "ExitPlanMode",
    tool_input: {},
    tool_response: { plan },
    session_id: "lead-session",
  };
  const outcome = teammates.postToolUse(aContext(home, events.PostToolUse, input, { env })) as Outcome;
  return outcome.journal?.[0];
};

test("a plan's team name that is no name: its heading is taken", () => {
  const plan = "# Plan for the Parser\n\nlaunchSwarm: true\nteamName: -x-";
  expect(launch(aHome(), plan)).toMatchObject({ team: "the-parser", made: true });
});

test.each<[string, Record<string, string>, string, object]>([
  ["the lead keeps its team", as("team-lead"), "", { team: TEAM, made: false }],
  ["a member gets one of its own", as("alice"), "", { team: "red", made: true }],
  ["the lead of the client's own team too", NATIVE, "", { team: "red", made: true }],
  ["a taken name gets a number", {}, "red", { team: "red-2", made: true }],
  ["the next is 3", {}, "red red-2", { team: "red-3", made: true }],
])("a plan that asks for a team: %s", (_, env, taken, expected) => {
  const home = aHome();
  aTeam(home);
  home.write(".claude/teams/session-0123abcd/config.json", {
    ...home.json(CONFIG),
    name: "session-0123abcd",
  });
  for (const name of taken.split(" ").filter(Boolean)) home.write(`.claude/teams/${name}/config.json`, {});
  expect(launch(home, "launchSwarm: true\nteamName: red", env)).toMatchObject(expected);
});

const LEDGER = ".claude/swarm/spawns/s-1.jsonl";
const answer = (home: Home, call: string | undefined, more: object) =>
  gate.postToolUse(
    aContext(home, events.PostToolUse, { tool_name: "Agent", tool_use_id: call, tool_input: {}, ...more }),
  );

test("a spawn's result and its failure are on record with their call; other tools' are not", () => {
  const home = aHome();
  const { call } = spawn(home, agent("x"));
  answer(home, call, { tool_response: { status: "async_launched", agentId: "a1" } });
  answer(home, call, { tool_response: { status: "else" } });
  answer(home, undefined, { tool_response: { status: "completed" } });
  answer(home, "other", { tool_name: "Bash", tool_response: { status: "completed" } });
  for (const tool_name of ["Task", "Bash"])
    gate.postToolUseFailure(
      aContext(home, events.PostToolUseFailure, {
        tool_name,
        tool_use_id: `failed ${tool_name}`,
        tool_input: {},
        error: "x",
      }),
    );
  expect(home.lines(LEDGER).slice(1)).toEqual([
    { what: "answered", call, fate: "background", agentId: "a1" },
    { what: "answered", call: "failed Task", fate: "failed" },
  ]);
});

test.each<[string, unknown, object | undefined]>([
  [
    "a teammate of 2.1.325",
    { status: "teammate_spawned", agent_id: "x", name: "bob", tmux_pane_id: "%1" },
    { fate: "teammate", agentId: "x", name: "bob", pane: "%1" },
  ],
  ["both spellings", { status: "completed", agentId: "a", agent_id: "b" }, { fate: "done", agentId: "a" }],
  [
    "the model it got",
    { status: "completed", resolvedModel: "opus-5", model: "opus" },
    { fate: "done", model: "opus-5" },
  ],
  ["the model it asked for", { status: "completed", model: "opus" }, { fate: "done", model: "opus" }],
  [
    "in the client's process",
    { status: "teammate_spawned", tmux_pane_id: "in-process" },
    { fate: "teammate" },
  ],
  ["another status", { status: "x" }, undefined],
  ["no text", { status: 1 }, undefined],
  ["null", null, undefined],
  ["a text", "completed", undefined],
])("a spawn's result: %s", (_, response, expected) => {
  const found = spawnResult(response);
  expect(found && JSON.parse(JSON.stringify(found))).toEqual(expected);
});

const SELF = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const GONE = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
test.each<[string, object, object | undefined, boolean]>([
  ["its client runs", { ...SELF }, undefined, false],
  ["its client is gone", { ...GONE }, undefined, true],
  [
    "in the background, its end on record",
    { ...SELF, fate: "background", agentId: "a1" },
    { endedAt: "x" },
    true,
  ],
  ["in the background, still running", { ...SELF, fate: "background", agentId: "a1" }, {}, false],
  ["in the background, unknown", { ...SELF, fate: "background", agentId: "a2" }, { endedAt: "x" }, false],
  ["a teammate that ended a turn", { ...SELF, fate: "teammate", agentId: "a1" }, { endedAt: "x" }, false],
  ["an id that is no file", { ...SELF, fate: "background", agentId: "../a1" }, { endedAt: "x" }, false],
  ["in a pane, its process gone", { ...SELF, pane: "%1", name: "bob" }, undefined, true],
  ["in a pane, its process running", { ...GONE, pane: "%1", name: "alice" }, undefined, false],
  ["in a pane nobody has seen", { ...GONE, pane: "%1", name: "zoe" }, undefined, false],
])("a spawned agent is gone: %s", (_, more, known, isGone) => {
  const home = aHome();
  const native = withNativeTeam(home, "tmux");
  const pane = (pid: number, agent: string, startedAt: string | undefined) =>
    home.write(`.claude/swarm/processes/${pid}.json`, {
      pid,
      startedAt,
      session: "p",
      team: native.name,
      agent,
    });
  pane(SELF.pid, "alice", SELF.pidStartedAt);
  pane(GONE.pid, "bob", GONE.pidStartedAt);
  if (known)
    home.write(".claude/swarm/agents/s-1/a1.json", {
      ...{ session: "s-1", agentId: "a1", state: "x", status: "x", startedAt: "x", lastSeen: "x" },
      ...known,
    });
  const ctx = aContext(home, events.PreToolUse, { tool_name: "Agent", tool_input: {} });
  const evidence = evidenceOf(ctx, { sessions: ["s-1"], native, named: undefined });
  const spawned = { call: "c", at: NOON.toISOString(), by: "main", type: "x", depth: 1, pid: 1, ...more };
  expect(evidence.isGone(spawned)).toBe(isGone);
  expect(evidence.isSeen(spawned)).toBe(known !== undefined && (more as any).agentId === "a1");
  expect(evidence.roster).toEqual(["alice"]);
});

test.each<[string, object, boolean]>([
  ["idle", { state: "idle" }, true],
  ["working", { state: "active" }, false],
  ["ended", { state: "idle", endedAt: "x" }, false],
])("an idle member of the named team is suggested: %s", (_, state, isSuggested) => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "alice", agentType: "reviewer", sessionId: "alice-session" }, "bob"]);
  record(home, "alice-session", state);
  const { context } = spawn(
    home,
    agent("reviewer", "zoe"),
    { session_id: "lead-session" },
    { env: as("team-lead") },
  );
  expect(context).toEqual(
    isSuggested
      ? 'Spawn gate: already in the team and idle: alice (reviewer): swarm send alice "...". A message costs no new agent.'
      : undefined,
  );
});

test("an idle teammate of the client's own team is suggested once, by the client's own call", () => {
  const home = aHome();
  const native = withNativeTeam(home, "inprocess");
  native.members = native.members.map((one: any) =>
    one.name === "alice" ? { ...one, isActive: false } : one,
  );
  home.write(`.claude/teams/${native.name}/config.json`, native);
  const given = { session_id: native.leadSessionId };
  const env = { CLAUDE_CODE_TEAM_NAME: native.name, CLAUDE_CODE_AGENT_NAME: "team-lead" };
  for (const { context } of [
    spawn(home, agent("x", "alice"), given),
    spawn(home, agent("x", "alice"), given, { env }),
  ])
    expect(context).toMatch(
      /^Spawn gate: already in the team and idle: alice[^;]*SendMessage\(to="alice"[^;]*$/,
    );
});
