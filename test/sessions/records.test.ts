// The store of session records: chains of ids, removal, and the log of events.
import { appendFileSync, renameSync } from "node:fs";
import { expect, test } from "vitest";
import {
  appendForeignLifecycle,
  lifecycleLogPath,
  readLifecycleAfter,
} from "../../lib/sessions/store/lifecycle.ts";
import {
  lastSignOf,
  latestRecord,
  readSession,
  readSubagents,
  removeSession,
  type SessionRecord,
  sessionsBefore,
} from "../../lib/sessions/store/sessions.ts";
import { aHome, type Home } from "../support/a-home.ts";

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
  expect(readLifecycleAfter(home.paths, end + 8).lines).toEqual(['{"half{"n":4}']);
});
