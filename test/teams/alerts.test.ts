// What a lead hears of its members without asking: which states, in which words, and how often.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import { DEFAULTS } from "../../lib/core/settings.ts";
import * as events from "../../lib/hook/events.ts";
import * as reports from "../../lib/mail/hooks/last-reports.ts";
import { type SessionRecord, subagentPath } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as heartbeat from "../../lib/teams/hooks.ts";
import { type Observed, type Trouble, troubleOf } from "../../lib/teams/store/agent-state.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const at = (s: number) => new Date(NOON.getTime() + s * 1000);
const record = (given: Partial<SessionRecord> = {}): SessionRecord => ({
  session: "s-bob",
  state: "active",
  status: "working",
  startedAt: at(-900).toISOString(),
  lastSeen: at(-600).toISOString(),
  ...given,
});
const alive = (given: Partial<SessionRecord> = {}): Observed => ({
  life: "alive",
  evidence: "",
  record: record(given),
});

test.each<[string, Observed, Trouble["state"] | undefined]>([
  ["in a turn without a sign", alive(), "silent"],
  ["in a turn with a sign of a subagent", { ...alive(), lastSign: at(-10).toISOString() }, undefined],
  ["in a turn and lately seen", alive({ lastSeen: at(-200).toISOString() }), undefined],
  ["idle for hours", alive({ state: "idle", status: "done" }), undefined],
  ["started and never asked", alive({ status: "done" }), undefined],
  ["waiting for a person", alive({ status: "attention" }), undefined],
  [
    "probably at a permission prompt",
    alive({ state: "tool_active", tool: { name: "Edit", since: at(-600).toISOString() } }),
    undefined,
  ],
  [
    "in a tool that may run long",
    alive({ state: "tool_active", tool: { name: "Agent", since: at(-600).toISOString() } }),
    "silent",
  ],
  ["its turn hit a limit", alive({ state: "idle", status: "error", failure: "rate_limit" }), "rate-limited"],
  [
    "its turn broke off otherwise",
    alive({ state: "idle", status: "error", failure: "server_error" }),
    undefined,
  ],
  ["its process has ended", { life: "gone", evidence: "process 7 has ended" }, "gone"],
  ["it said goodbye", alive({ endedAt: at(-1).toISOString() }), undefined],
  ["nothing is known", { life: "unknown", evidence: "" }, undefined],
])("%s: %s", (_, seen, state) => expect(troubleOf(seen, NOON, 300_000)?.state).toBe(state));

test("the line is short and says what it is known by", () =>
  expect(troubleOf(alive(), NOON, 300_000)?.why).toBe("in a turn, without a sign for 10 min"));

const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };

function aCrew(given: Partial<SessionRecord>): Home {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "alice" }, { name: "bob", sessionId: "s-bob", ...me }]);
  home.write(".claude/swarm/sessions/s-bob/session.json", record({ team: TEAM, agent: "bob", ...given }));
  return home;
}
const beat = (home: Home, agent: string, now: Date) => {
  const ctx = aContext(home, events.Notification, { session_id: `s-${agent}-x` }, { env: as(agent), now });
  const outcome = heartbeat.beat(ctx);
  if (outcome) outcome.after?.();
};
const notices = (home: Home): string[] =>
  home.has(inboxOf("team-lead"))
    ? home.json(inboxOf("team-lead")).map((one: { summary: string }) => one.summary)
    : [];

test("a member that gives a sign of life checks the others; the lead is notified once of each change", () => {
  const home = aCrew({});
  beat(home, "alice", at(0));
  beat(home, "alice", at(70));
  beat(home, "team-lead", at(140));
  expect(notices(home)).toEqual(["bob is silent"]);
  home.write(".claude/swarm/sessions/s-bob/session.json", record({ lastSeen: at(150).toISOString() }));
  beat(home, "alice", at(210));
  expect(notices(home)).toEqual(["bob is silent"]);
  beat(home, "alice", at(700));
  expect(notices(home)).toEqual(["bob is silent", "bob is silent"]);
  const lines = home.lines(".claude/swarm/journal/2026-02-20.jsonl");
  expect(lines.map(({ what, name, state }) => [what, name, state])).toEqual(
    Array.from({ length: 2 }, () => ["member-state", "bob", "silent"]),
  );
});

test("nobody is reported who leads, who watches, who has left, or who is watched elsewhere", () => {
  const home = aHome();
  const dead = { pid: 4_190_000, pidStartedAt: "1" };
  const members = [
    { name: "team-lead", ...dead },
    { name: "alice", ...dead },
    { name: "carol", ...dead, status: "offline" },
    { name: "dave", ...dead, machine: "m", agent: "dave" },
    { name: "eve", sessionId: "../x" },
  ];
  aTeam(home, members);
  beat(home, "alice", at(0));
  expect(notices(home)).toEqual([]);
  aTeam(home, [...members, { name: "bob", ...dead }]);
  beat(home, "alice", at(70));
  expect(notices(home)).toEqual(["bob is gone"]);
});

test("a sign of a subagent is its member's", () => {
  const home = aCrew({});
  const inside = { ...record(), agentId: "a1", lastSeen: at(-10).toISOString() };
  home.write(subagentPath(home.paths, "s-bob", "a1").slice(home.root.length + 1), inside);
  beat(home, "alice", at(0));
  expect(notices(home)).toEqual([]);
});

test("a member whose process was killed is reported once", () => {
  const home = aHome();
  const pid = spawnSync(process.execPath, ["-e", ""]).pid;
  aTeam(home, ["team-lead", "alice", { name: "bob", sessionId: "s-bob", pid, pidStartedAt: "1" }]);
  for (const s of [0, 70, 140]) beat(home, "alice", at(s));
  expect(notices(home)).toEqual(["bob is gone"]);
});

test("a failed turn is reported by itself, and not again by those who watch", () => {
  const home = aCrew({ turnStartedAt: at(-30).toISOString() });
  const ctx = aContext(
    home,
    events.StopFailure,
    { session_id: "s-bob", error: "rate_limit" },
    { env: as("bob") },
  );
  reports.stopFailure(ctx);
  home.write(
    ".claude/swarm/sessions/s-bob/session.json",
    record({ turnStartedAt: at(-30).toISOString(), state: "idle", status: "error", failure: "rate_limit" }),
  );
  beat(home, "alice", at(0));
  expect(notices(home)).toEqual(["report"]);
});

test("where the report was lost, those who watch tell of the limit", () => {
  const home = aCrew({ state: "idle", status: "error", failure: "rate_limit" });
  for (const s of [0, 70]) beat(home, "alice", at(s));
  expect(notices(home)).toEqual(["bob is rate-limited"]);
});

test("one look a minute for the whole team, and none at a suspended one", () => {
  const home = aCrew({ state: "idle", status: "done" });
  beat(home, "alice", at(0));
  home.write(".claude/swarm/sessions/s-bob/session.json", record());
  beat(home, "team-lead", at(30));
  expect(notices(home)).toEqual([]);
  home.write(`.claude/teams/${TEAM}/config.json`, {
    ...home.json(`.claude/teams/${TEAM}/config.json`),
    status: "suspended",
  });
  beat(home, "team-lead", at(95));
  expect(notices(home)).toEqual([]);
});

const dead = { pid: 4_190_000, pidStartedAt: "1" };

test("a lead whose mailbox is full hears of it as soon as there is room", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "alice", { name: "bob", ...dead }, { name: "carol", ...dead }]);
  const full = Array.from({ length: DEFAULTS["mail.max_unread"] }, () => aMessage("eve", "x"));
  home.write(inboxOf("team-lead"), full);
  beat(home, "alice", at(0));
  expect(takeProblems()).toEqual(
    ["bob", "carol"].map((name) => expect.stringMatching(new RegExp(`^${name} .* is full`))),
  );
  home.write(inboxOf("team-lead"), []);
  beat(home, "alice", at(70));
  beat(home, "alice", at(140));
  expect(notices(home)).toEqual(["bob is gone", "carol is gone"]);
});

test("a record that cannot be read hides no other member", () => {
  const home = aHome();
  mkdirSync(home.path(".claude/swarm/sessions/s-bob/session.json"), { recursive: true });
  aTeam(home, ["team-lead", "alice", { name: "bob", sessionId: "s-bob", ...me }, { name: "carol", ...dead }]);
  beat(home, "alice", at(0));
  expect(notices(home)).toEqual(["carol is gone"]);
  expect(takeProblems()).toEqual([expect.stringMatching(/^bob could not be looked after: /)]);
});
