import { expect, test } from "vitest";
import { nearest } from "../../lib/core/nearest.ts";

test.each<[string, string[]]>([
  ["stauts", ["status"]],
  ["spwan", ["spawn"]],
  ["tasks", ["task"]],
  ["lizt-teams", ["list-teams"]],
  ["nope", []],
  ["x", []],
])("%s may mean %j", (asked, names) =>
  expect(nearest(asked, ["status", "spawn", "task", "list-teams", "cost", "join", "stop"])).toEqual(names),
);
