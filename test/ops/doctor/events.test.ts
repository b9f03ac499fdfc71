import { expect, test } from "vitest";
import * as events from "../../../lib/hook/events.ts";
import { eventFindings, percentile } from "../../../lib/ops/doctor/events.ts";

const NOW = new Date("2026-02-20T12:00:00Z");
const WIRED = Object.values(events).map((event) => event.name);
const fired = (event: string, times = [40, 60]) => ({ event, times, last: new Date("2026-02-20T11:55:00Z") });
const findings = (...given: ReturnType<typeof fired>[]) => eventFindings(WIRED, given, NOW);
const USUAL = ["SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"].map((event) => fired(event));

test.each([
  [[5], 50, 5],
  [[1, 2, 3, 4], 50, 2],
  [[4, 3, 2, 1], 95, 4],
  [Array.from({ length: 100 }, (_, n) => n + 1), 95, 95],
  [[], 95, 0],
])("of %j the %ith percentile is %i", (times, share, expected) =>
  expect(percentile(times, share)).toBe(expected),
);

test("without any stamp nothing works, and one finding says so", () =>
  expect(findings()).toMatchObject([{ level: "bad", what: "no event has fired yet" }]));

test("what fired stands there with its times and its age", () =>
  expect(findings(...USUAL)[0]).toMatchObject({
    level: "ok",
    evidence: expect.arrayContaining([
      expect.stringMatching(/^PreToolUse +2 runs +p50 40 ms, p95 60 ms, last 5m ago$/),
    ]),
  }));

test("an event every client fires is missed, a rare one is explained", () => {
  const [, missed, rare] = findings(fired("SessionStart"), fired("Stop"));
  expect(missed).toMatchObject({
    level: "warn",
    what: expect.stringContaining("UserPromptSubmit, PreToolUse never"),
  });
  expect(rare?.level).toBe("ok");
  expect(rare?.evidence.join("\n")).toMatch(/TaskCreated +comes only with the Task tools/);
});

test.each([
  [[40], undefined],
  [[40, 60], "warn"],
])("prompts that took %j ms without a Stop: %s", (times, level) => {
  const warned = findings(fired("SessionStart"), fired("UserPromptSubmit", times), fired("PreToolUse"));
  expect(warned.find(({ what }) => what.startsWith("Stop never"))?.level).toBe(level);
});

test("every event that may be missing has its own explanation", () => {
  const rare =
    findings(...USUAL)
      .at(-1)
      ?.evidence.join("\n") ?? "";
  for (const event of WIRED.filter((name) => !USUAL.some((one) => one.event === name)))
    expect(rare).toMatch(new RegExp(`^${event} +comes (?!only on its occasion)`, "m"));
});

test("slow runs are named", () => {
  const slow = findings(...USUAL, fired("PostToolUse", [900])).filter((one) => one.level === "warn");
  expect(slow).toMatchObject([{ evidence: ["PostToolUse: p95 900 ms"] }]);
});
