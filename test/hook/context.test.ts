import { expect, test } from "vitest";
import type { Identity } from "../../lib/hook/context.ts";
import { isChildSession, pausableAs } from "../../lib/hook/context.ts";
import { PreToolUse, Stop } from "../../lib/hook/events.ts";
import { type SessionRecord, writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf, writeProcess } from "../../lib/system/processes.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as } from "../support/a-team.ts";

const AT = "2026-02-20T11:00:00Z";
const aRecord = (home: Home, session: string, more: Partial<SessionRecord> = {}) =>
  writeSession(home.paths, {
    session,
    state: "idle",
    status: "active",
    startedAt: AT,
    lastSeen: AT,
    ...more,
  });

test.each<[string, string | undefined, number, boolean]>([
  ["the client of another session", "parent", 4711, true],
  ["the client that session runs in", "parent", 4710, false],
  ["its own name", "s-1", 4711, false],
  ["no wrapper", undefined, 4711, false],
  ["a session that is not known", "stranger", 4711, false],
  ["a path", "../parent", 4711, false],
])("a child by %s", (_, wrapperId, clientPid, expected) => {
  const home = aHome();
  for (const id of ["parent", "s-1"]) aRecord(home, id, { pid: 4710 });
  expect(isChildSession("s-1", { wrapperId, clientPid, paths: home.paths })).toBe(expected);
});

test("a child does not speak for the session whose variables it inherited", () => {
  const home = aHome();
  aRecord(home, "parent", { pid: 4710 });
  const of = (env: Record<string, string>) => aContext(home, Stop, {}, { env: { ...as("bob"), ...env } });
  const child = of({ CLAUDE_SESSION_ID: "parent", CLAUDE_PID: "4711" });
  expect([child.isChild, child.identity.agent]).toEqual([true, undefined]);
  expect(of({}).identity.agent).toBe("bob");
});

test.each<[Partial<Identity>, string, object]>([
  [{ kind: "named", team: "t", agent: "bob" }, "s-1", { session: "s-1", team: "t", agent: "bob" }],
  [{ kind: "subagent", team: "t", agent: "x", parent: "bob" }, "s-1", { session: "s-1", agent: "bob" }],
  [{ kind: "solo" }, "", { session: undefined, agent: undefined }],
])("%j in session %j is paused as %j", (identity, session, expected) =>
  expect(pausableAs(session, identity as Identity)).toMatchObject(expected),
);

test("after /clear the process still knows whose it is, if it is the same process", () => {
  const home = aHome();
  const known = { pid: process.pid, session: "before", team: "t", agent: "bob" };
  const agent = () =>
    aContext(home, Stop, { session_id: "new" }, { env: { CLAUDE_PID: `${process.pid}` } }).identity.agent;
  writeProcess(home.paths, { ...known, startedAt: startOf(process.pid) });
  expect(agent()).toBe("bob");
  writeProcess(home.paths, { ...known, startedAt: "1" });
  expect(agent()).toBeUndefined();
  writeProcess(home.paths, known);
  expect(agent()).toBeUndefined();
});

test.each([
  ["/somewhere", "/somewhere"],
  ["", process.cwd()],
  ["/a\0b", process.cwd()],
])("works in %j", (cwd, expected) => expect(aContext(aHome(), PreToolUse, { cwd }).cwd).toBe(expected));

test("a record that a handler wrote is not read again", () => {
  const home = aHome();
  const ctx = aContext(home, Stop, { session_id: "parent" });
  aRecord(home, "parent", { cwd: "/old" });
  expect(ctx.record?.cwd).toBe("/old");
  ctx.record = { ...ctx.record, cwd: "/new" } as typeof ctx.record;
  expect(ctx.record?.cwd).toBe("/new");
  expect(aContext(home, Stop, { session_id: "" }).record).toBeUndefined();
});
