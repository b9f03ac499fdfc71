import { symlinkSync } from "node:fs";
import { relative } from "node:path";
import { expect, test } from "vitest";
import { MOST_ENTRIES, matchingFiles } from "../../lib/core/glob.ts";
import { aHome, type Home } from "../support/a-home.ts";

const FILES = [
  "SPEC.md",
  "docs/SPEC.md",
  "docs/a.md",
  "docs/b.txt",
  "docs/deep/er/SPEC.md",
  "node_modules/x/SPEC.md",
  ".git/SPEC.md",
  ".engine/SPEC.md",
];

function aTree(): Home {
  const home = aHome();
  for (const file of FILES) home.write(`project/${file}`, "x");
  return home;
}
const found = (home: Home, pattern: string, most = 20) =>
  matchingFiles(home.project, pattern, most).paths.map((path) => relative(home.project, path));

test.each([
  ["**/SPEC.md", ["SPEC.md", "docs/SPEC.md", "docs/deep/er/SPEC.md"]],
  ["*/SPEC.md", ["docs/SPEC.md"]],
  ["docs/*.md", ["docs/SPEC.md", "docs/a.md"]],
  ["docs/**", ["docs/SPEC.md", "docs/a.md", "docs/b.txt", "docs/deep/er/SPEC.md"]],
  ["docs/{a,b}.*", ["docs/a.md", "docs/b.txt"]],
  [".engine/*.md", [".engine/SPEC.md"]],
  ["./docs//a.md", ["docs/a.md"]],
  ["{docs,./docs,docs/}/a.md", ["docs/a.md"]],
  ["**/**/a.md", ["docs/a.md"]],
  ["nothing/*", []],
  ["SPEC.md/*", []],
  ["docs/deep", []],
])("%s names %j", (pattern, expected) => {
  expect(found(aTree(), pattern)).toEqual(expected);
});

test("the search ends when enough is found, and says so", () => {
  const home = aTree();
  expect(matchingFiles(home.project, "docs/**", 2)).toMatchObject({ isCut: true, paths: { length: 2 } });
  expect(matchingFiles(home.project, "docs/**", 4)).toMatchObject({ isCut: false, paths: { length: 4 } });
});

test("a link to a folder is not followed, so that none goes round for ever", () => {
  const home = aTree();
  symlinkSync(home.project, home.path("project/docs/again"));
  expect(found(home, "**/SPEC.md")).toEqual(["SPEC.md", "docs/SPEC.md", "docs/deep/er/SPEC.md"]);
});

test("a crowded folder is looked at only so far", () => {
  const home = aHome();
  for (let n = 0; n < MOST_ENTRIES + 500; n++) home.write(`project/many/${n}.txt`, "");
  expect(matchingFiles(home.project, "many/*.md", 20)).toEqual({ paths: [], isCut: true });
});

test("a folder that a pattern meets twice counts once", () => {
  const home = aHome();
  for (let n = 0; n < 600; n++) home.write(`project/many/${n}.txt`, "");
  expect(matchingFiles(home.project, "many/**", 700)).toMatchObject({ isCut: false, paths: { length: 600 } });
});
