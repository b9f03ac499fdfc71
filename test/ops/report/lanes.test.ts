// Bars of a timeline, from signs.
import { expect, test } from "vitest";
import type { JournalLine } from "../../../lib/core/journal.ts";
import type { LaneState, Sign, Span } from "../../../lib/ops/report/story.ts";
import { coarsened, levelsOf, spansOf, stateIn } from "../../../lib/ops/report/timeline.ts";

const signs = (...given: [number, LaneState][]): Sign[] =>
  given.map(([at, state]) => ({ at, agent: "a", state }));
const span = (state: LaneState, from: number, to: number): Span => ({ state, from, to });

test.each<[string, [number, LaneState][], Span[]]>([
  ["nothing seen, nothing drawn", [], []],
  ["the last state lasts", [[10, "idle"]], [span("idle", 10, 100)]],
  ["what began before is cut", [[-5, "working"]], [span("working", 0, 100)]],
  [
    "what was over before is left out",
    [
      [-9, "working"],
      [-5, "gone"],
    ],
    [],
  ],
  [
    "the gone leave a gap",
    [
      [0, "working"],
      [20, "gone"],
      [60, "idle"],
    ],
    [span("working", 0, 20), span("idle", 60, 100)],
  ],
  [
    "equal neighbours are one bar",
    [
      [0, "idle"],
      [30, "idle"],
      [50, "working"],
    ],
    [span("idle", 0, 50), span("working", 50, 100)],
  ],
  [
    "two signs at once: the later one counts",
    [
      [0, "idle"],
      [0, "working"],
    ],
    [span("working", 0, 100)],
  ],
  [
    "signs after the end are nothing",
    [
      [0, "idle"],
      [130, "working"],
    ],
    [span("idle", 0, 100)],
  ],
])("%s", (_, given, bars) => expect(spansOf(signs(...given), 0, 100)).toEqual(bars));

test("many short bars become few, each what filled most of its slice", () => {
  const all = Array.from({ length: 1_000 }, (_, n) =>
    span(n % 10 === 0 ? "waiting" : n < 500 ? "working" : "idle", n, n + 1),
  );
  expect(coarsened(all, 0, 1_000, 50)).toEqual([span("working", 0, 500), span("idle", 500, 1_000)]);
  expect(coarsened(all, 0, 1_000, 1_000)).toEqual(all);
});

test("a gap stays a gap when bars are made coarse", () => {
  const all = Array.from({ length: 100 }, (_, n) =>
    span("working", n < 50 ? n : n + 900, (n < 50 ? n : n + 900) + 1),
  );
  const bars = coarsened(all, 0, 1_000, 10);
  expect(bars).toEqual([span("working", 0, 100), span("working", 900, 1_000)]);
});

const line = (what: string, more: Record<string, unknown> = {}) =>
  ({ what, ...more }) as unknown as JournalLine;

test.each<[JournalLine, LaneState | undefined]>([
  [line("state", { state: "working" }), "working"],
  [line("state", { state: "ended" }), "gone"],
  [line("state", { state: "failed", failure: "rate_limit" }), "limited"],
  [line("state", { state: "failed", failure: "server_error" }), "failed"],
  [line("state", { state: "constructor" }), undefined],
  [line("session-start"), "idle"],
  [line("session-end"), "gone"],
  [line("member-crashed"), "gone"],
  [line("member-state", { state: "silent" }), "silent"],
  [line("deny"), undefined],
])("%j means %s", (given, state) => expect(stateIn(given)).toBe(state));

test("the lifecycle log of others counts too", () => {
  const event = (what: string) => stateIn({ what });
  expect(["session-start", "permission-request", "session-end", "agent-started"].map(event)).toEqual([
    "idle",
    "waiting",
    "gone",
    undefined,
  ]);
});

test("context levels begin where they were said and end at a compaction", () => {
  const at = (minutes: number) => new Date(minutes * 60_000).toISOString();
  const lines = [
    line("context-level", { at: at(1), share: 61 }),
    line("context-level", { at: at(20), share: 82 }),
    line("context-level", { at: at(25), share: "odd" }),
    line("compact-end", { at: at(30) }),
  ];
  expect(levelsOf(lines, 10 * 60_000)).toEqual([
    { at: 10 * 60_000, share: 61 },
    { at: 20 * 60_000, share: 82 },
    { at: 30 * 60_000, share: 0 },
  ]);
  const before = [
    line("context-level", { at: at(1), share: 61 }),
    line("context-level", { at: at(5), share: 70 }),
  ];
  expect(levelsOf(before, 10 * 60_000)).toEqual([{ at: 10 * 60_000, share: 70 }]);
});
