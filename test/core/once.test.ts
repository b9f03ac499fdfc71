import { expect, test, vi } from "vitest";
import { noteProblem, once, oncePer, shared, takeProblems, withinTime } from "../../lib/core/process.ts";

test("a fact is found out once, even where it is that there is none", () => {
  const find = vi.fn(() => undefined);
  const fact = once(find);
  expect([fact(), fact()]).toEqual([undefined, undefined]);
  expect(find).toHaveBeenCalledOnce();
});

test("once for each key", () => {
  const find = vi.fn((key: string) => (key === "a" ? 1 : undefined));
  const fact = oncePer(find);
  expect(["a", "b", "a", "b"].map(fact)).toEqual([1, undefined, 1, undefined]);
  expect(find).toHaveBeenCalledTimes(2);
});

test("problems are taken once, and the parts of a process share them", () => {
  takeProblems();
  noteProblem("a");
  expect([...shared().problems]).toEqual(["a"]);
  expect([takeProblems(), takeProblems()]).toEqual([["a"], []]);
});

test("without a limit work is just done", () => {
  const work = vi.fn();
  expect(withinTime(Number.POSITIVE_INFINITY, work)).toBe(true);
  expect(work).toHaveBeenCalledOnce();
});
