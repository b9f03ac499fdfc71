// The rows of `swarm status`, from the files alone, in one process.
import { beforeEach, expect, test } from "vitest";
import { addPauses } from "../../../lib/sessions/store/pauses.ts";
import { type SessionRecord, subagentPath, writeSession } from "../../../lib/sessions/store/sessions.ts";
import { startOf } from "../../../lib/system/processes.ts";
import { sessionRows, teamRows } from "../../../lib/teams/status-board/rows.ts";
import { readTeam, type Team } from "../../../lib/teams/store/config.ts";
import { aCall } from "../../support/a-call.ts";
import { NOON } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { aMessage, aTeam, inboxOf, TEAM } from "../../support/a-team.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});
const ALIVE = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const ago = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();
const aRecord = (session: string, more: Partial<SessionRecord> = {}) =>
  writeSession(home.paths, {
    ...{ session, state: "idle", status: "idle", startedAt: ago(60), lastSeen: ago(1) },
    ...{ ...ALIVE, ...more },
  } as SessionRecord);
const sessions = () => sessionRows(aCall(home, []));
const members = () => teamRows(aCall(home, []), TEAM, readTeam(home.paths, TEAM) as Team);

test("sessions: the newest first, by member, by name alone, or by their id; the ended are left out", () => {
  home.write(inboxOf("bob"), [aMessage("alice", "x")]);
  aRecord("0123456789", { lastSeen: ago(3), role: "writer" });
  aRecord("s-bob", { lastSeen: ago(1), agent: "bob", team: TEAM, statusText: "the form" });
  aRecord("s-lead", { lastSeen: ago(2), agent: "lee", isLead: true });
  aRecord("s-ended", { endedAt: ago(1) });
  expect(
    sessions().map(({ agent, role, unread, task, lastSign }) => [agent, role, unread, task, lastSign]),
  ).toEqual([
    [`bob@${TEAM}`, undefined, 1, "the form", "60s"],
    ["lee@-", "lead", undefined, undefined, "2m"],
    ["01234567", "writer", undefined, undefined, "3m"],
  ]);
});

test("a subagent's sign is its session's, while it runs", () => {
  aRecord("s-1", { lastSeen: ago(50), state: "active" });
  const inside = (more: object) =>
    home.write(subagentPath(home.paths, "s-1", "a1").slice(home.root.length + 1), {
      ...{ session: "s-1", agentId: "a1", state: "active", status: "working" },
      ...{ startedAt: ago(40), lastSeen: ago(2), ...more },
    });
  expect(sessions()[0]?.lastSeen).toBe(ago(50));
  inside({});
  expect(sessions()[0]?.lastSeen).toBe(ago(2));
  inside({ endedAt: ago(2) });
  expect(sessions()[0]?.lastSeen).toBe(ago(50));
});

test("a pause says by whom, why and where", () => {
  aRecord("s-1", { state: "idle" });
  addPauses(home.paths, [{ session: "s-1", since: ago(5), by: "me" }]);
  expect(sessions()[0]).toMatchObject({
    state: "paused",
    evidence: expect.stringContaining("by me 5m ago; was idle"),
  });
  addPauses(home.paths, [{ session: "s-1", since: ago(5), by: "me", why: "lunch" }]);
  expect(sessions()[0]?.evidence).toContain("by me 5m ago: lunch; was idle");
});

test.each<[string, object, string, string]>([
  ["at work", { state: "working", machineSeen: ago(1) }, "working", "on m"],
  ["in a state that is not known here", { state: "dancing", machineSeen: ago(1) }, "unknown", "on m"],
  ["on a silent machine", { state: "working", machineSeen: ago(600) }, "unknown", "no sign from m since 10h"],
  ["gone, on a silent machine", { state: "gone", machineSeen: ago(600) }, "gone", "no sign from m since 10h"],
  ["gone", { state: "gone", machineSeen: ago(1) }, "gone", "on m"],
])("a member on another machine, %s", (_, more, state, evidence) => {
  aTeam(home, ["team-lead", { name: "bob", machine: "m", agent: "bob", task: "#1", context: 40, ...more }]);
  expect(members().find(({ agent }) => agent === "bob")).toMatchObject({
    state,
    evidence,
    task: "#1",
    context: 40,
  });
});

test("how full a session is, by its status line, while it lives and the line is recent", () => {
  const reading = (more: object) =>
    home.write(".claude/swarm/context/s-1/status-line.json", {
      window: 1_000,
      tokens: 420,
      percent: 42,
      at: ago(1),
      ...more,
    });
  aRecord("s-1");
  reading({});
  expect(sessions()[0]?.context).toBe(42);
  reading({ tokens: undefined });
  expect(sessions()[0]?.context).toBeUndefined();
  reading({ window: undefined });
  expect(sessions()[0]?.context).toBeUndefined();
  reading({ at: undefined });
  expect(sessions()[0]?.context).toBeUndefined();
  reading({ at: ago(30) });
  expect(sessions()[0]?.context).toBeUndefined();
  reading({});
  aRecord("s-1", { pidStartedAt: "1" });
  expect(sessions()[0]?.context).toBeUndefined();
});

test("a session whose process has ended is gone, and no team sleeps for it", () => {
  aRecord("s-1", { pidStartedAt: "1" });
  expect(sessions()[0]).toMatchObject({ state: "gone", evidence: `process ${process.pid} has ended` });
});

// The board judged by the session's record alone, alerts and the doctor by the config too.
test("a member whose record has no process is judged by the one in the config", () => {
  aTeam(home, [{ name: "bob", sessionId: "s-1", pid: process.pid, pidStartedAt: "1" }]);
  aRecord("s-1", { pid: undefined, pidStartedAt: undefined, agent: "bob", team: TEAM });
  expect(members()[0]).toMatchObject({ state: "gone", evidence: `process ${process.pid} has ended` });
});

test("a remote lead is the lead, and a name that is no file's has no mail", () => {
  home.write(inboxOf("team-lead"), [aMessage("bob", "x")]);
  const remote = { machine: "m", machineSeen: ago(1), state: "idle", agentType: "coder" };
  aTeam(home, [
    { name: "team-lead", agent: "team-lead", ...remote },
    { name: "../x", agent: "../x", ...remote },
  ]);
  expect(members().map(({ role, unread }) => [role, unread])).toEqual([
    ["lead", 1],
    ["coder", undefined],
  ]);
});

test("a subagent's prompt is its session's while its client waits; an ended one's is not", () => {
  aRecord("s-1", { state: "active", status: "working" });
  const client = (status: string) =>
    home.write(`.claude/sessions/${process.pid}.json`, {
      sessionId: "s-1",
      status,
      statusUpdatedAt: NOON.getTime(),
    });
  const inside = (more: object) =>
    home.write(subagentPath(home.paths, "s-1", "a1").slice(home.root.length + 1), {
      ...{ session: "s-1", agentId: "a1", state: "active", status: "working", startedAt: ago(2) },
      ...{ lastSeen: ago(1), prompt: { kind: "permission", tool: "Edit", since: ago(1) }, ...more },
    });
  inside({});
  client("waiting");
  expect(sessions()[0]?.evidence).toContain("waits for permission: Edit");
  client("busy");
  expect(sessions()[0]?.state).toBe("thinking");
  inside({ endedAt: ago(1) });
  client("waiting");
  expect(sessions()[0]?.evidence).not.toContain("Edit");
});
