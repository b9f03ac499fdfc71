// What the rings and the torture say of themselves: retries are counted, and what did too little to prove anything fails.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { TestModule } from "vitest/node";
import { SCENARIOS } from "../../scripts/torture/all.ts";
import { isOver, shortfalls } from "../../scripts/torture/scenario.ts";
import { honestCounts } from "../support/honest-counts.ts";
import { randomness } from "../support/random.ts";

describe("after a run", () => {
  const { exitCode } = process;
  afterEach(() => {
    process.exitCode = exitCode;
    vi.restoreAllMocks();
  });

  interface Given {
    retries?: number;
    guardCases?: number;
  }
  function aModule(moduleId: string, tests: Given[]): TestModule {
    const relativeModuleId = moduleId.slice("/x/".length);
    const all = tests.map(({ retries = 0, guardCases }, n) => ({
      fullName: `test ${n}`,
      module: { relativeModuleId },
      meta: () => ({ guardCases }),
      diagnostic: () => ({ retryCount: retries }),
    }));
    return { moduleId, children: { allTests: () => all } } as unknown as TestModule;
  }

  function end(...modules: TestModule[]): { lines: string[]; exitCode: unknown } {
    const lines: string[] = [];
    for (const stream of ["log", "error"] as const)
      vi.spyOn(console, stream).mockImplementation((line: string) => void lines.push(line));
    process.exitCode = undefined;
    honestCounts.onTestRunEnd?.(modules, [], "passed");
    return { lines, exitCode: process.exitCode };
  }

  test("guard cases and other tests are two numbers", () =>
    expect(
      end(
        aModule("/x/test/guard/a.test.ts", [{ guardCases: 40 }, {}]),
        aModule("/x/test/b.test.ts", [{}, {}]),
      ),
    ).toEqual({ lines: ["guard cases: 41; other tests: 2; retries: 0"], exitCode: undefined }));

  test("two retries are named and forgiven", () =>
    expect(end(aModule("/x/test/client/a.test.ts", [{ retries: 1 }, {}, { retries: 1 }]))).toEqual({
      lines: [
        "guard cases: 0; other tests: 3; retries: 2",
        "  retried: test/client/a.test.ts > test 0",
        "  retried: test/client/a.test.ts > test 2",
      ],
      exitCode: undefined,
    }));

  test("a third fails the run", () => {
    const { lines, exitCode: ended } = end(
      aModule("/x/test/client/a.test.ts", [{ retries: 2 }]),
      aModule("/x/test/client/b.test.ts", [{ retries: 1 }]),
    );
    expect(lines.at(-1)).toBe("3 retries, at most 2 are allowed");
    expect(ended).toBe(1);
  });
});

describe("the torture", () => {
  test.each(SCENARIOS.map(({ name, atLeast }) => [name, atLeast] as const))(
    "%s has to meet its trouble, and one that kills has to kill",
    (name, { points = 0, kills = 0 }) => {
      expect(points).toBeGreaterThanOrEqual(10);
      expect(kills > 0).toBe(/kill|clock/.test(name));
    },
  );

  test("fewer points or kills than that are failures", () => {
    const atLeast = { points: 20, kills: 2 };
    expect(shortfalls({ count: { points: 20, kills: 2 }, atLeast })).toEqual([]);
    expect(shortfalls({ count: { points: 19, kills: 0 }, atLeast })).toEqual([
      "only 19 points, at least 20 are needed",
      "only 0 kills, at least 2 are needed",
    ]);
  });

  test("past its time it goes on until it has done the least, but not for ever", () => {
    const ask = { random: randomness(1), messages: 0, atLeast: { points: 2, kills: 1 } };
    const done = { points: 2, kills: 1 };
    const late = (ms: number, count: typeof done) => isOver({ ...ask, count, until: Date.now() - ms });
    expect(late(-60_000, done)).toBe(false);
    expect(late(0, done)).toBe(true);
    expect(late(10_000, { ...done, kills: 0 })).toBe(false);
    expect(late(10_000, { ...done, points: 1 })).toBe(false);
    expect(late(1_000_000, { points: 0, kills: 0 })).toBe(true);
  });
});
