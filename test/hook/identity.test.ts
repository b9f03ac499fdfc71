import { describe, expect, test } from "vitest";
import {
  type Evidence,
  isStale,
  isTaken,
  isTeammateSession,
  type Kind,
  mailboxOf,
  resolveIdentity,
  sessionMailboxOf,
  shownAs,
} from "../../lib/hook/context.ts";
import { SessionStart, Stop } from "../../lib/hook/events.ts";
import { startOf } from "../../lib/system/processes.ts";
import type { Member } from "../../lib/teams/store/config.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { payload, runHook, runSwarm } from "../support/run-built.ts";

const nothing: Evidence = {
  payload: {},
  named: {},
  atm: {},
  record: () => undefined,
  native: () => undefined,
};
const who = (given: Partial<Evidence>) => resolveIdentity({ ...nothing, ...given });

const leadRecord = () => ({
  team: "session-9563eb94",
  agent: "team-lead",
  isLead: true,
  kind: "lead" as const,
});
const paneByProcess = () =>
  ({ team: "session-554aaaf0", agent: "alice", isLead: false, kind: "pane", by: "process" }) as const;

test("nobody in particular", () =>
  expect(who({})).toEqual({ kind: "solo", team: undefined, agent: undefined, isLead: false, evidence: [] }));

test("a named teammate, by the environment of Claude Swarm hooks", () =>
  expect(who({ named: { team: "review", agent: "doc-reviewer", agentType: "reviewer" } })).toMatchObject({
    kind: "named",
    team: "review",
    agent: "doc-reviewer",
    isLead: false,
    evidence: ["environment"],
  }));

test.each([
  ["its name", { team: "review", agent: "team-lead" }],
  ["its type", { team: "review", agent: "boss", agentType: "team-lead" }],
  ["its id", { team: "review", agent: "boss", agentId: "u-1", leadId: "u-1" }],
])("a named lead, known by %s", (_, named) =>
  expect(who({ named })).toMatchObject({ kind: "named", isLead: true }),
);

test("a lead may have another name", () => {
  const named = { team: "review", agent: "boss" };
  expect(who({ named, leads: (...asked) => asked.join() === "review,boss" })).toMatchObject({ isLead: true });
  expect(who({ named, leads: () => false })).toMatchObject({ isLead: false });
});

test("a session that is started under the lead's name leads, whatever that name is: hooks and verbs agree", () => {
  const home = aHome();
  aTeam(home, ["boss", "bob"]);
  home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: `boss@${TEAM}`, leadSessionId: "boss-session" });
  for (const who of ["boss", "bob"]) {
    const start = { session_id: `${who}-session`, source: "startup" };
    runHook(home, "session-start", start, { env: as(who) });
    expect(home.json(`.claude/swarm/sessions/${who}-session/session.json`).isLead).toBe(who === "boss");
  }
  const elsewhere = aContext(home, Stop, { session_id: "boss-session" }, { env: as("bob") });
  expect(elsewhere.identity).toMatchObject({ agent: "bob", isLead: false });
  runSwarm(home, ["task", "create", "write the parser", "--owner", "bob"], { env: as("boss") });
  const assign = { taskId: "1", owner: "boss" };
  const call = { session_id: "boss-session", tool_name: "TaskUpdate", tool_use_id: "t", tool_input: assign };
  expect(runHook(home, "pre-tool-use", call, { env: as("boss") })).toMatchObject({ exitCode: 0, stdout: "" });
  runHook(home, "session-end", { session_id: "boss-session", reason: "other" }, { env: as("boss") });
  expect(home.json(CONFIG).status).toBe("suspended");
});

test("a damaged roster makes nobody a lead, and stops nobody", () => {
  const home = aHome();
  home.write(CONFIG, "[");
  expect(aContext(home, SessionStart, { source: "startup" }, { env: as("boss") }).identity).toMatchObject({
    agent: "boss",
    isLead: false,
  });
});

test("the environment beats the session record", () =>
  expect(who({ named: { team: "a", agent: "x" }, record: () => ({ team: "b", agent: "y" }) })).toMatchObject({
    team: "a",
    agent: "x",
  }));

test("the environment of ATM hooks comes after that of Claude Swarm hooks", () => {
  expect(who({ atm: { team: "t", identity: "arch" } })).toMatchObject({
    team: "t",
    agent: "arch",
    evidence: ["environment ATM_*"],
  });
  expect(who({ named: { team: "a", agent: "x" }, atm: { team: "t", identity: "arch" } })).toMatchObject({
    team: "a",
    agent: "x",
  });
});

test("a half answer is completed by the next evidence for the same team", () =>
  expect(who({ atm: { team: "t" }, record: () => ({ team: "t", agent: "team-lead" }) })).toMatchObject({
    kind: "lead",
    team: "t",
    agent: "team-lead",
    evidence: ["environment ATM_*", "session record"],
  }));

test("another team's name is not borrowed", () =>
  expect(who({ atm: { team: "t" }, record: () => ({ team: "other", agent: "team-lead" }) })).toMatchObject({
    team: "t",
    agent: undefined,
  }));

test("a pane teammate's own command line beats variables inherited from the tmux server", () =>
  expect(who({ native: paneByProcess, named: { team: "mine", agent: "team-lead" } })).toMatchObject({
    kind: "pane",
    team: "session-554aaaf0",
    agent: "alice",
    isLead: false,
    evidence: ["client command line"],
  }));

test("the lead of a native team, by its config", () =>
  expect(
    who({
      native: () => ({
        team: "session-9563eb94",
        agent: "team-lead",
        isLead: true,
        kind: "lead",
        by: "lead",
      }),
    }),
  ).toMatchObject({
    kind: "lead",
    isLead: true,
    evidence: ["native team config"],
  }));

test.each([
  "PreToolUse-Bash-teammate-inprocess",
  "SubagentStart-teammate-inprocess",
  "SubagentStop-teammate-inprocess",
  "SubagentStop-teammate-inprocess-v2.1.197",
  "PermissionRequest-Bash-teammate-inprocess",
])("in-process teammate: %s", (name) => {
  const real = payload(name);
  expect(who({ payload: real, record: leadRecord })).toMatchObject({
    kind: "in-process",
    team: "session-9563eb94",
    agent: real.agent_type,
    isLead: false,
  });
});

test.each([
  "TeammateIdle-teammate-inprocess",
  "TeammateIdle-teammate-inprocess-v2.1.197",
  "TaskCompleted-teammate-inprocess",
  "TaskCompleted-teammate-inprocess-v2.1.197",
])("in the lead's session a payload that names a teammate is an in-process one: %s", (name) => {
  const real = payload(name);
  expect(who({ payload: real, record: leadRecord })).toMatchObject({
    kind: "in-process",
    agent: real.teammate_name,
    team: real.team_name,
  });
});

test.each([
  "TeammateIdle-teammate-tmux",
  "TeammateIdle-teammate-tmux-v2.1.197",
  "TaskCompleted-teammate-tmux",
])("in its own session it is a pane teammate: %s", (name) => {
  const real = payload(name);
  expect(who({ payload: real })).toMatchObject({
    kind: "pane",
    agent: real.teammate_name,
    team: real.team_name,
    isLead: false,
  });
});

test.each([
  "PreToolUse-Bash-subagent",
  "SubagentStart",
  "SubagentStop",
  "SubagentStop-v2.1.197",
  "SubagentStart-pluginagent",
])("a subagent speaks for its parent's team: %s", (name) => {
  const real = payload(name);
  expect(who({ payload: real, named: { team: "review", agent: "alice" } })).toMatchObject({
    kind: "subagent",
    team: "review",
    agent: real.agent_type,
    parent: "alice",
    isLead: false,
  });
});

test("a subagent whose id looks like a teammate's but whose type is another stays a subagent", () =>
  expect(who({ payload: { agent_id: "ahelper-0123456789abcdef", agent_type: "Explore" } })).toMatchObject({
    kind: "subagent",
    agent: "Explore",
  }));

test("evidence that is not needed is not gathered", () => {
  const untouched = () => {
    throw new Error("asked for nothing");
  };
  expect(who({ named: { team: "a", agent: "x" }, record: untouched })).toMatchObject({
    agent: "x",
  });
});

test("a lead that leads by another name shares no process with a teammate of that name", () =>
  expect(
    who({
      payload: { teammate_name: "boss", team_name: "t" },
      record: () => ({ ...leadRecord(), agent: "boss" }),
    }),
  ).toMatchObject({ kind: "pane", agent: "boss", isLead: false }));

test("an agent inside a session is of the payload's team where it names one", () => {
  const inside = { agent_id: "abob-0123456789abcdef", agent_type: "bob" };
  expect(who({ payload: { ...inside, team_name: "t" }, record: leadRecord })).toMatchObject({ team: "t" });
  expect(who({ payload: { agent_id: "a1" }, record: leadRecord })).toMatchObject({
    agent: "a1",
    parent: "team-lead",
    isParentLead: true,
    evidence: ["payload agent_id", "session record"],
  });
});

test("a name without a team makes no member", () =>
  expect(who({ named: { agent: "x" } })).toMatchObject({ kind: "solo", team: undefined, agent: "x" }));

test.each<[Kind, string | undefined, string | undefined, string | undefined, string | undefined, string]>([
  ["person", undefined, undefined, undefined, "s-1", "person"],
  ["named", "bob", "t", "t", "s-1", "bob"],
  ["named", "bob", "t", "other", "s-1", "bob@t"],
  ["named", "bob", "t", undefined, "s-1", "bob@t"],
  ["solo", "bob", undefined, "other", "s-1", "bob"],
  ["solo", undefined, undefined, "t", "0123456789", "solo-01234567"],
  ["solo", undefined, undefined, "t", undefined, "solo"],
])("%s %s of %s, seen from %s", (kind, agent, own, team, session, expected) =>
  expect(shownAs({ kind, agent, team: own, isLead: false, evidence: [] }, session, team)).toBe(expected),
);

test.each<[Kind, string | undefined, boolean, boolean]>([
  ["named", "bob", false, true],
  ["pane", "bob", false, true],
  ["named", "team-lead", true, false],
  ["named", undefined, false, false],
  ["in-process", "bob", false, false],
  ["solo", "bob", false, false],
])("a session of kind %s, %s, lead %s, is a teammate's: %s", (kind, agent, isLead, expected) =>
  expect(isTeammateSession({ kind, agent, isLead, team: "t", evidence: [] })).toBe(expected),
);

describe("a mailbox", () => {
  const RECORD = { session: "s-1", team: "rec", agent: "recorded", isLead: true };
  const boxOf = (
    env: Record<string, string>,
    input = {},
    event: typeof SessionStart | typeof Stop = Stop,
  ) => {
    const ctx = aContext(aHome(), event, input, { env });
    return { own: mailboxOf(ctx), session: sessionMailboxOf(ctx) };
  };

  test("is the session's, and no subagent's", () => {
    const box = { team: "atm-dev", agent: "bob", isLead: false };
    expect(boxOf(as("bob"))).toEqual({ own: box, session: box });
    expect(boxOf(as("bob"), { agent_id: "a1" })).toEqual({ own: undefined, session: box });
    expect(boxOf(as("team-lead"), { agent_id: "a1" }).session).toMatchObject({ isLead: true });
  });

  test.each<[string, string, string]>([
    ["the client's own team", "session-9563eb94", "bob"],
    ["a team that is a path", "../x", "bob"],
    ["an agent that is a path", "t", "../bob"],
    ["no team", "", "bob"],
    ["no agent", "t", ""],
  ])("there is none for %s", (_, team, agent) =>
    expect(boxOf({ CLAUDE_CODE_TEAM_NAME: team, CLAUDE_CODE_AGENT_NAME: agent }).session).toBeUndefined(),
  );

  test.each([
    [Stop, "recorded", true],
    [SessionStart, "bob", false],
  ] as const)("the record is believed but not at a session's start", (event, agent, isLead) => {
    const ctx = aContext(aHome(), event, {}, { env: as("bob") });
    ctx.record = RECORD as never;
    expect(sessionMailboxOf(ctx)).toMatchObject({ agent, isLead });
  });
});

describe("a name is taken", () => {
  const ALIVE = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  const FRESH = NOON.toISOString();
  const OLD = "2026-02-19T12:00:00Z";
  test.each<[string, Partial<Member> | undefined, boolean]>([
    ["no member", undefined, false],
    ["a member on another machine", { machine: "m", agent: "bob" }, true],
    ["a member without a process", {}, false],
    ["a live process", ALIVE, true],
    ["a live process of a member that is offline", { ...ALIVE, status: "offline" }, false],
    ["this very session", { ...ALIVE, sessionId: "s-1" }, false],
    ["a process that is another by now", { pid: process.pid, pidStartedAt: "1" }, false],
    ["one that cannot be proven, seen just now", { pid: process.pid, lastSeen: FRESH }, true],
    ["one that cannot be proven, not seen for a day", { pid: process.pid, lastSeen: OLD }, false],
    ["one that cannot be proven and was never seen", { pid: process.pid }, false],
  ])("by %s: %s", (_, member, expected) => {
    const ctx = aContext(aHome(), Stop, {}, { env: { CLAUDE_PID: "4711" } });
    expect(isTaken(member && { name: "bob", ...member }, ctx)).toBe(expected);
  });

  test("not by this very client", () => {
    const ctx = aContext(aHome(), Stop, {}, { env: { CLAUDE_PID: String(process.pid) } });
    expect(isTaken({ name: "bob", ...ALIVE }, ctx)).toBe(false);
  });

  test("stale is later than the setting says, to the millisecond", () => {
    const ctx = aContext(aHome(), Stop);
    const seen = (ms: number) => new Date(NOON.getTime() - ms).toISOString();
    const limit = ctx.settings["heartbeat.stale_s"] * 1000;
    expect([limit, limit + 1].map((ms) => isStale(seen(ms), ctx))).toEqual([false, true]);
    expect(isStale(undefined, ctx)).toBe(true);
  });
});
