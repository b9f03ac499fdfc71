import { expect, test } from "vitest";
import { type Evidence, resolveIdentity } from "../../lib/hook/identity.ts";
import { payload } from "../support/run-built.ts";

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

test("a named teammate, by seed 001's environment", () =>
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

test("the environment beats the session record", () =>
  expect(who({ named: { team: "a", agent: "x" }, record: () => ({ team: "b", agent: "y" }) })).toMatchObject({
    team: "a",
    agent: "x",
  }));

test("seed 000's environment comes after seed 001's", () => {
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
