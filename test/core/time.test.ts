import { expect, test } from "vitest";
import { withinTime } from "../../lib/core/process.ts";

const forEver = () => {
  for (;;);
};

test.each<[string, () => void]>([
  ["a loop", forEver],
  ["a regular expression", () => void /^(a+)+$/.test(`${"a".repeat(60)}b`)],
  ["a pause", () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)],
  [
    "something that catches everything",
    () => {
      for (;;)
        try {
          forEver();
        } catch {
          // goes on
        }
    },
  ],
])(
  "%s is stopped",
  (_, work) => {
    const begun = performance.now();
    expect(withinTime(40, work)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(10_000);
  },
  30_000,
);

test("what ends in time has ended, and what throws throws", () => {
  let done = 0;
  expect(withinTime(10_000, () => void done++)).toBe(true);
  expect(done).toBe(1);
  expect(() =>
    withinTime(10_000, () => {
      throw new Error("boom");
    }),
  ).toThrow("boom");
});

test("one limit inside another", () => {
  const seen: boolean[] = [];
  expect(withinTime(20_000, () => void seen.push(withinTime(40, forEver)))).toBe(true);
  expect(seen).toEqual([false]);
});
