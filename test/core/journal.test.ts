// The journal, the error log and the run times of events.
import { existsSync, statSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  appendError,
  appendFired,
  appendJournal,
  beginGuarded,
  dayAndTime,
  endGuarded,
  GUARDED_CALLS,
  JOURNAL,
  newId,
  readErrors,
  readFired,
  readJournal,
  readJournalSince,
  unanswered,
} from "../../lib/core/journal.ts";
import { firedPath, guardedCallsPath, journalPath } from "../../lib/core/paths.ts";
import { aHome, type Home } from "../support/a-home.ts";

const NOON = new Date("2026-02-20T12:00:00Z");
const DAY = "2026-02-20";
const NOTE = { event: "Stop", session: "s", agent: "main", feature: "f" };
const days = (n: number) => new Date(NOON.getTime() + n * 86_400_000);
const logged = (at: string, what: string, more = {}) =>
  `${JSON.stringify({ id: what, at, what, ...more })}\n`;
const writeDay = (home: Home, day: string, text: string, ending = "") =>
  home.write(`.claude/swarm/journal/${day}.jsonl${ending}`, text);

test("a line has an id, its time and what its writer said; torn lines are passed over", () => {
  const { paths } = aHome();
  appendJournal(paths, NOON, { ...NOTE, what: "one", size: 1 });
  appendJournal(paths, NOON, { ...NOTE, what: "two" });
  const [one, two] = readJournal(paths, DAY);
  expect(one).toEqual({ id: expect.any(String), at: NOON.toISOString(), ...NOTE, what: "one", size: 1 });
  expect(two?.id).not.toBe(one?.id);
  expect(readJournal(paths, "2026-02-19")).toEqual([]);
});

test("a day begins with its rotated part", () => {
  const home = aHome();
  const at = NOON.toISOString();
  writeDay(home, DAY, logged(at, "new"));
  writeDay(home, DAY, logged(at, "old"), ".1");
  expect(readJournal(home.paths, DAY)).toMatchObject([{ id: "old" }, { id: "new" }]);
});

test("a full journal is turned over", () => {
  const home = aHome();
  writeDay(home, DAY, "x".repeat(JOURNAL.maxBytes));
  appendJournal(home.paths, NOON, { ...NOTE, what: "one" });
  expect(statSync(`${journalPath(home.paths, DAY)}.1`).size).toBeGreaterThanOrEqual(JOURNAL.maxBytes);
});

test("whole days from the first on, in order of time, without what is no line", () => {
  const home = aHome();
  writeDay(home, "2026-02-17", logged("2026-02-17T23:00:00Z", "before"));
  writeDay(home, "2026-02-18", logged("2026-02-18T08:00:00Z", "earlier that day"), ".1");
  writeDay(home, "2026-02-18", logged("2026-02-18T09:00:00Z", "first"));
  writeDay(
    home,
    DAY,
    `${logged("2026-02-20T11:00:00Z", "last")}${logged("2026-02-20T10:00:00Z", "third", { event: 5 })}[]\n5\n{"at":"soon"}\n{"at":7}\n{torn`,
  );
  writeDay(home, "2026-02-21", logged("2026-02-21T10:00:00Z", "after"));
  const lines = readJournalSince(home.paths, days(-2), NOON);
  expect(lines.map(({ what }) => what)).toEqual(["earlier that day", "first", "third", "last"]);
  expect(lines[2]).toMatchObject({ event: "", session: "", agent: "", feature: "" });
});

test("errors, oldest first", () => {
  const { paths } = aHome();
  expect(readErrors(paths)).toEqual([]);
  for (const error of ["a", "b"]) appendError(paths, { at: "x", event: "Stop", error });
  expect(readErrors(paths).map(({ error }) => error)).toEqual(["a", "b"]);
});

test("run times: those before a rotation first, the newest file says when", () => {
  const home = aHome();
  expect(readFired(home.paths, "Stop")).toBeUndefined();
  appendFired(home.paths, "Stop", 1.25);
  appendFired(home.paths, "Stop", 40);
  home.write(".claude/swarm/fired/Stop.1", "7.0\nnonsense\n\n8.0\n");
  utimesSync(firedPath(home.paths, "Stop"), NOON, NOON);
  expect(readFired(home.paths, "Stop")).toEqual({ event: "Stop", times: [7, 8, 1.3, 40], last: NOON });
});

test.each([
  [3.2, "looked at", true],
  [3.3, "not looked at", false],
])("at a run of %d ms the size is %s", (ms, _, isRotated) => {
  const home = aHome();
  home.write(".claude/swarm/fired/Stop", "1.0\n".repeat(5_000));
  appendFired(home.paths, "Stop", ms);
  expect(statSync(`${firedPath(home.paths, "Stop")}.1`, { throwIfNoEntry: false }) !== undefined).toBe(
    isRotated,
  );
});

test("names by time", () => {
  expect(dayAndTime(new Date("2026-02-20T12:00:00.123Z"))).toBe("20260220T120000Z");
  expect(newId(NOON)).not.toBe(newId(NOON));
  expect(newId(NOON) < newId(days(1))).toBe(true);
});

test("a guarded call without an answer is known once it can no longer be running", () => {
  const { paths } = aHome();
  const later = (ms: number) => new Date(Date.now() + ms);
  endGuarded(paths);
  beginGuarded(paths);
  endGuarded(paths);
  expect(unanswered(paths, later(60_000), 1_000)).toEqual([]);
  beginGuarded(paths);
  expect(unanswered(paths, later(60_000), 1_000)).toHaveLength(1);
  expect(unanswered(paths, later(0), 1_000)).toEqual([]);
  endGuarded(paths);
  expect(unanswered(paths, later(60_000), 1_000)).toEqual([]);
});

test.each([
  [64_000, true],
  [64_001, false],
])("at %d ms the size of the marks is looked at: %s", (ms, isRotated) => {
  const home = aHome();
  const clock = vi.spyOn(Date, "now").mockReturnValue(ms);
  onTestFinished(() => clock.mockRestore());
  home.write(".claude/swarm/guarded", "+a.1\n-a.1\n".repeat(GUARDED_CALLS.maxBytes / 10));
  beginGuarded(home.paths);
  endGuarded(home.paths);
  expect(existsSync(`${guardedCallsPath(home.paths)}.1`)).toBe(isRotated);
});

test("lines of one moment keep their order", () => {
  const home = aHome();
  const same = "2026-02-20T10:00:00Z";
  writeDay(home, DAY, logged(same, "b") + logged(same, "a") + logged("2026-02-20T09:00:00Z", "first"));
  expect(readJournalSince(home.paths, NOON, NOON).map(({ what }) => what)).toEqual(["first", "b", "a"]);
});
