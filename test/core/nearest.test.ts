import { expect, test } from "vitest";
import { nearest, nearestOf } from "../../lib/core/nearest.ts";

test.each<[string, string[]]>([
  ["stauts", ["status"]],
  ["spwan", ["spawn"]],
  ["tasks", ["task"]],
  ["lizt-teams", ["list-teams"]],
  ["STATUS", ["status"]],
  ["co", []],
  ["cots", ["cost"]],
  ["jo", []],
  ["joni", ["join"]],
  ["ojin", ["join"]],
  ["stopcost", ["cost", "stop"]],
  ["nope", []],
  ["x", []],
])("%s may mean %j", (asked, names) =>
  expect(nearest(asked, ["status", "spawn", "task", "list-teams", "cost", "join", "stop"])).toEqual(names),
);

test("a name of two letters that contains the other is not near by that", () => {
  expect(nearest("ab", ["abcdef"])).toEqual([]);
  expect(nearest("abc", ["abcdef"])).toEqual(["abcdef"]);
  expect(nearest("abcdef", ["ab"])).toEqual([]);
});

test("at most three, the nearest only, in order of name", () => {
  expect(nearest("bat", ["rat", "mat", "cat", "hat", "boot"])).toEqual(["cat", "hat", "mat"]);
  expect(nearest("stapus", ["status", "stupas"])).toEqual(["status"]);
});

test("in a message", () => {
  expect(nearestOf("bat", ["cat", "h\u0007at"])).toBe("; nearest: cat");
  expect(nearestOf("h\u0007a", ["h\u0007at"])).toBe("; nearest: hat");
  expect(nearestOf("bat", ["zebra"])).toBe("");
});

test("two neighbours swapped are one edit, and nothing else is", () => {
  expect(nearest("ba", ["ab", "ac", "cb", "cd"])).toEqual(["ab"]);
});
