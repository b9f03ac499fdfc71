// The store of session records: chains of ids, removal, and the log of events.
import { appendFileSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import {
  appendForeignLifecycle,
  lifecycleLogPath,
  readLifecycleAfter,
} from "../../lib/sessions/store/lifecycle.ts";
import {
  beginSession,
  lastSignOf,
  latestRecord,
  readSession,
  readSessions,
  readSubagents,
  removeSession,
  type SessionRecord,
  sessionsBefore,
  updateSession,
  writeSession,
} from "../../lib/sessions/store/sessions.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

const aRecord = (session: string, more: object = {}) =>
  ({ session, state: "active", status: "idle", startedAt: "t", lastSeen: "t", ...more }) as SessionRecord;
const record = (home: Home, session: string, more: object = {}) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, aRecord(session, more));

test("the last sign of a session is the latest of its own and its agents'", () => {
  const seen = (lastSeen: string) => aRecord("s", { lastSeen });
  expect(lastSignOf(seen("2"), [seen("1"), seen("3"), seen("2")])).toBe("3");
  expect(lastSignOf(seen("2"), [seen("1")])).toBe("2");
});

test("a session is followed to the id it has now, through names that are ids", () => {
  const home = aHome();
  record(home, "a", { next: "b" });
  record(home, "b", { previous: "a", next: "c" });
  record(home, "c", { previous: "b" });
  expect(latestRecord(home.paths, "a")?.session).toBe("c");
  expect(sessionsBefore(home.paths, "c")).toEqual(["c", "b", "a"]);
  record(home, "c", { previous: "b", next: "../../../outside" });
  home.write("outside.json", aRecord("outside"));
  expect(latestRecord(home.paths, "a")?.session).toBe("c");
  record(home, "c", { previous: "b", next: "gone" });
  expect(latestRecord(home.paths, "a")?.session).toBe("c");
});

test("the team that a project's file gave a session of 0.1.0 is none, also in the list of all sessions", () => {
  const home = aHome();
  record(home, "a", { team: "dev", agent: "team-lead", isLead: true, evidence: [".atm.toml"] });
  const [listed] = readSessions(home.paths);
  expect(listed).toMatchObject({ session: "a", kind: "solo", isLead: false });
  expect(listed?.team).toBeUndefined();
  expect(listed?.agent).toBeUndefined();
});

test("a chain that leads back to itself ends", () => {
  const home = aHome();
  record(home, "a", { next: "b", previous: "b" });
  record(home, "b", { next: "a", previous: "a" });
  expect(latestRecord(home.paths, "a")?.session).toMatch(/^[ab]$/);
  expect(sessionsBefore(home.paths, "a")).toEqual(["a", "b"]);
});

test("a removed session leaves nothing of its own, and other sessions as they are", () => {
  const home = aHome();
  for (const session of ["a", "b"]) {
    record(home, session);
    home.write(`.claude/swarm/agents/${session}/x.json`, aRecord(session, { agentId: "x" }));
    home.write(`.claude/swarm/gates/${session}/main.json`, {});
  }
  removeSession(home.paths, "a");
  expect(readSession(home.paths, { session: "a" })).toBeUndefined();
  expect(readSubagents(home.paths, "a")).toEqual([]);
  expect(home.has(".claude/swarm/gates/a")).toBe(false);
  expect(readSession(home.paths, { session: "b" })).toBeDefined();
  expect(readSubagents(home.paths, "b")).toHaveLength(1);
  expect(home.has(".claude/swarm/gates/b/main.json")).toBe(true);
});

test("the log of events is read on from a mark, also after it began anew; foreign ones begin none", () => {
  const home = aHome();
  const path = lifecycleLogPath(home.paths);
  appendForeignLifecycle(home.paths, [{ n: 0 }]);
  expect(readLifecycleAfter(home.paths, 0)).toEqual({ lines: [], end: 0 });
  home.write(path.slice(home.root.length + 1), '{"n":1}\n');
  appendForeignLifecycle(home.paths, [{ n: 2 }]);
  const { end, lines } = readLifecycleAfter(home.paths, 0);
  expect(lines).toEqual(['{"n":1}', '{"n":2}']);
  expect(readLifecycleAfter(home.paths, end)).toEqual({ lines: [], end });
  appendFileSync(path, '{"n":3}\n{"half');
  expect(readLifecycleAfter(home.paths, end)).toEqual({ lines: ['{"n":3}'], end: end + 8 });
  renameSync(path, `${path}.1`);
  home.write(path.slice(home.root.length + 1), '{"n":4}\n');
  expect(readLifecycleAfter(home.paths, end + 8).lines).toEqual(['{"half', '{"n":4}']);
});

test.each([
  ["before it is opened", "openSync", 8, ['{"n":2}', '{"n":3}']],
  ["before it is read", "read", 8, ['{"n":2}', '{"n":3}']],
  ["before it is read whole", "read", 0, ['{"n":1}', '{"n":2}', '{"n":3}']],
])("an event that is logged while the log is read on is read, once: %s", (_, call, mark, expected) => {
  const home = aHome();
  const path = lifecycleLogPath(home.paths);
  home.write(path.slice(home.root.length + 1), '{"n":1}\n{"n":2}\n');
  let isLogged = false;
  onFileCalls((name, [file]) => {
    if (!name.startsWith(call) || !(file === path || typeof file === "number") || isLogged) return;
    isLogged = true;
    appendFileSync(path, '{"n":3}\n');
  });
  const { lines, end } = readLifecycleAfter(home.paths, mark);
  expect(isLogged).toBe(true);
  const next = readLifecycleAfter(home.paths, end);
  expect([...lines, ...next.lines]).toEqual(expected);
});

// A session of 0.1.0 has its record in the directory of all sessions, and may still run beside us or be gone back to.
const OWN = ".claude/swarm/sessions/s/session.json";
const EARLIER = ".claude/swarm/sessions/s.json";

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["only ours", "2", undefined, "ours"],
  ["only the earlier one", undefined, "2", "earlier"],
  ["ours is newer", "2", "1", "ours"],
  ["written after going back", "1", "2", "earlier"],
  ["both of one moment: the earlier one exists only because of going back", "1", "1", "earlier"],
  ["none", undefined, undefined, undefined],
])("the newer record counts, and a change is written where it is: %s", (_, own, earlier, expected) => {
  const home = aHome();
  if (own) home.write(OWN, aRecord("s", { lastSeen: own, source: "ours" }));
  if (earlier) home.write(EARLIER, aRecord("s", { lastSeen: earlier, source: "earlier" }));
  expect(readSession(home.paths, { session: "s" })?.source).toBe(expected);
  expect(readSessions(home.paths).map(({ source }) => source)).toEqual(expected ? [expected] : []);

  const place = expected === "earlier" ? EARLIER : OWN;
  const note = (stored = aRecord("s")) => ({ ...stored, statusText: "noted" });
  updateSession(home.paths, { session: "s" }, note);
  expect(home.json(place)).toMatchObject({ statusText: "noted" });
  writeSession(home.paths, aRecord("s", { lastSeen: "3", statusText: "written" }));
  expect(home.json(place)).toMatchObject({ statusText: "written" });
  expect([home.has(OWN), home.has(EARLIER)]).toEqual([
    own !== undefined || place === OWN,
    earlier !== undefined,
  ]);
});

test("a session that starts takes its earlier record over, and leaves it for going back", () => {
  const home = aHome();
  home.write(EARLIER, aRecord("s", { lastSeen: "1", statusText: "fixing" }));
  beginSession(home.paths, { session: "s" }, (stored) => stored && { ...stored, lastSeen: "2" });
  expect(home.json(OWN)).toMatchObject({ lastSeen: "2", statusText: "fixing" });
  expect(home.json(EARLIER)).toMatchObject({ lastSeen: "1", statusText: "fixing" });
  expect(readSession(home.paths, { session: "s" })?.lastSeen).toBe("2");
  removeSession(home.paths, "s");
  expect([home.has(OWN), home.has(EARLIER)]).toEqual([false, false]);
});

test("what is no record is passed over: a session named like a file, locks, half-written files, links", () => {
  const home = aHome();
  record(home, "a");
  record(home, "a.json");
  home.write(".claude/swarm/sessions/b.json.tmp.1f-2", "{");
  home.write(".claude/swarm/sessions/empty/x", "");
  mkdirSync(home.path(".claude/swarm/sessions/c.json.lock"));
  symlinkSync(home.path(".claude/swarm/sessions/a"), home.path(".claude/swarm/sessions/d"));
  expect(readSession(home.paths, { session: "a" })?.session).toBe("a");
  const found = readSessions(home.paths).map(({ session }) => session);
  expect(found.sort()).toEqual(["a", "a.json"]);
});
