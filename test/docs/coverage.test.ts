// What `npm run coverage` makes of its counters.
import { stop } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { SOURCES } from "../../scripts/a-copy.ts";
import { type Counter, counted } from "../../scripts/coverage/counters.ts";
import { EXCEPTIONS } from "../../scripts/coverage/exceptions.ts";
import { judged, type Share, shareOf } from "../../scripts/coverage/verdict.ts";

afterAll(() => stop()); // its process would stay as long as the worker

test("a reason is one of a source, and more than a word", () => {
  for (const [file, reason] of Object.entries(EXCEPTIONS)) {
    expect(SOURCES).toContain(file);
    expect(reason.split(" ").length).toBeGreaterThan(3);
  }
});

const counter = (id: string, kind: Counter["kind"], line: number, file = "a.ts"): Counter => ({
  ...{ id, kind, line, file },
});

describe("the share of a file", () => {
  test("a line is run with any of its statements, a way only by itself", () =>
    expect(
      shareOf(
        [
          counter("1", "statement", 1),
          counter("2", "statement", 1),
          counter("3", "statement", 2),
          counter("4", "branch", 2),
          counter("5", "branch", 2),
        ],
        new Set(["1", "4"]),
      ),
    ).toEqual({ lines: 50, branches: 50, missed: { lines: [2], branches: [2] } }));

  test("the same line of two files is two lines", () =>
    expect(
      shareOf([counter("1", "statement", 1), counter("2", "statement", 1, "b.ts")], new Set(["1"])).lines,
    ).toBe(50));

  test("what has nothing to run is run", () =>
    expect(shareOf([], new Set())).toMatchObject({ lines: 100, branches: 100 }));

  test("an `if` without an `else` has two ways", () => {
    const { counters } = counted("a.ts", 0, "export const f = (x: number) => { if (x > 1) g(); };", "/x");
    expect(counters.filter(({ kind }) => kind === "branch")).toHaveLength(2);
  });
});

const share = (lines: number, branches: number): Share => ({
  ...{ lines, branches },
  missed: { lines: lines < 100 ? [3, 4] : [], branches: branches < 100 ? [9] : [] },
});

describe("the verdict", () => {
  test.each<[string, Record<string, Share>, Record<string, string>, string[]]>([
    ["all above", { "a.ts": share(90, 80) }, {}, []],
    ["few lines", { "a.ts": share(89.9, 100) }, {}, ["a.ts is below a limit, without a reason"]],
    ["few ways", { "a.ts": share(100, 79.9) }, {}, ["a.ts is below a limit, without a reason"]],
    ["few ways, with a reason", { "a.ts": share(100, 79.9) }, { "a.ts": "why" }, []],
    [
      "a reason that is not needed",
      { "a.ts": share(95, 85) },
      { "a.ts": "why" },
      ["a.ts is above both limits: its reason is not needed"],
    ],
    ["a reason of a file that is gone", {}, { "a.ts": "why" }, ["a.ts is gone: its reason is not needed"]],
  ])("%s", (_, shares, reasons, faults) =>
    expect(judged(new Map(Object.entries(shares)), reasons).faults).toEqual(faults),
  );

  test("a file below is listed with its reason, or with what is missed", () => {
    const shares = new Map([
      ["a.ts", share(50, 50)],
      ["b.ts", share(100, 50)],
      ["c.ts", share(100, 100)],
    ]);
    expect(judged(shares, { "a.ts": "why" }).below).toEqual([
      " 50.0 % lines   50.0 % branches  a.ts: why",
      "100.0 % lines   50.0 % branches  b.ts: ways of 9",
    ]);
    expect(judged(shares, {}).below[0]).toMatch(/: not run 3 4, ways of 9$/);
  });
});
