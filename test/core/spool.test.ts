import { readdirSync, statSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { dropChange, readSpool, removeChanges, spoolNames } from "../../lib/core/json.ts";
import { takeProblems } from "../../lib/core/process.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

const number = (value: unknown): number => {
  if (typeof value !== "number") throw new Error("no number");
  return value;
};
const dropAll = (home: Home, changes: readonly unknown[]): string => {
  for (const [at, change] of changes.entries()) dropChange(home.path("spool"), `id-${9 - at}`, change);
  return home.path("spool");
};
const valuesIn = (spool: string, most?: number) => {
  const { changes, left } = readSpool(spool, number, most);
  return [...changes.map(({ change }) => change), `${left} left`];
};

test("changes are read in the order in which they were dropped, whatever their ids and the clock", () => {
  const spool = dropAll(aHome(), [3, 1, 2]);
  expect(valuesIn(spool)).toEqual([3, 1, 2, "0 left"]);
  expect(spoolNames(spool)).toEqual([
    "000000000001-id-9.json",
    "000000000002-id-8.json",
    "000000000003-id-7.json",
  ]);
});

test("a number is one more than the highest there: the order holds while earlier changes are being merged", () => {
  const home = aHome();
  const spool = dropAll(home, [1, 2, 3]);
  const { changes } = readSpool(spool, number);
  removeChanges(spool, changes.slice(0, 2));
  dropChange(spool, "later", 4);
  expect(valuesIn(spool)).toEqual([3, 4, "0 left"]);
  removeChanges(spool, readSpool(spool, number).changes);
  expect(readdirSync(spool)).toEqual([]);
});

// A change of 8 digits has 9 bytes.
test.each([
  [0, [11111111, "2 left"]],
  [9, [11111111, "2 left"]],
  [17, [11111111, "2 left"]],
  [18, [11111111, 22222222, "1 left"]],
  [27, [11111111, 22222222, 33333333, "0 left"]],
])("of at most %i bytes: %j", (most, expected) =>
  expect(valuesIn(dropAll(aHome(), [11111111, 22222222, 33333333]), most)).toEqual(expected),
);

test("other files are none, a damaged change is set aside, and no directory is no change", () => {
  const home = aHome();
  const spool = dropAll(home, [1, "damaged", 3]);
  for (const name of ["000000000009-x.json.tmp.1-1", "9-x.json", "000000000009-.json", "notes.txt"])
    home.write(`spool/${name}`, "7");
  expect(valuesIn(spool)).toEqual([1, 3, "0 left"]);
  expect(takeProblems()).toEqual([expect.stringContaining("is damaged")]);
  expect(readSpool(home.path("none"), number)).toEqual({ changes: [], left: 0 });
});

test("a change is on disk when it is accepted, and so is every directory that is new", () => {
  const home = aHome();
  const short = (path: unknown) => basename(String(path)).replace(/\.tmp\..*/, "");
  const calls: string[] = [];
  let opened = "";
  onFileCalls((name, [path]) => {
    if (name === "openSync") opened = short(path);
    if (name === "fsyncSync") calls.push(`sync ${opened}`);
    if (name === "renameSync") calls.push("rename");
  });
  const change = "000000000001-id.json";
  dropChange(home.path("a/b"), "id", 1);
  expect(calls).toEqual(["sync a", `sync ${basename(home.root)}`, `sync ${change}`, "rename", "sync b"]);
  calls.length = 0;
  dropChange(home.path("a/b"), "id", 2);
  expect(calls).toEqual(["sync 000000000002-id.json", "rename", "sync b"]);
  expect(
    [statSync(home.path("a")), statSync(home.path("a/b")), statSync(home.path(`a/b/${change}`))].map(
      ({ mode }) => mode & 0o777,
    ),
  ).toEqual([0o700, 0o700, 0o600]);
});
