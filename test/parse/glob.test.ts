import { expect, test } from "vitest";
import { alternatives, isGlob, nameMatcher } from "../../lib/parse/glob.ts";

test.each([
  ["*.md", "a.md", true],
  ["*.md", ".md", false],
  ["*.md", "a.mdx", false],
  ["*", "anything", true],
  ["*", ".hidden", false],
  [".*", ".hidden", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["?.md", "a.md", true],
  ["?.md", "ab.md", false],
  ["[abc].md", "b.md", true],
  ["[a-c].md", "d.md", false],
  ["[!a].md", "b.md", true],
  ["[!a].md", "a.md", false],
  ["[a.md", "[a.md", true],
  ["**.md", "ab.md", true],
  ["README", "readme", false],
  ["", "", true],
])("%j and %j: %s", (part, name, expected) => {
  expect(nameMatcher(part)(name)).toBe(expected);
});

test("a pattern made to stall does not", () => {
  const begun = Date.now();
  expect(nameMatcher(`${"a*".repeat(60)}b`)("a".repeat(250))).toBe(false);
  expect(Date.now() - begun).toBeLessThan(500);
});

test.each([
  ["a.md", ["a.md"]],
  ["{a,b}.md", ["a.md", "b.md"]],
  ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
  ["{a}", ["{a}"]],
  ["{a,b", ["{a,b"]],
])("%j means %j", (pattern, expected) => {
  expect(alternatives(pattern)).toEqual(expected);
});

test("too many alternatives are not written out", () => {
  expect(alternatives("{a,b}".repeat(20)).length).toBeLessThanOrEqual(32);
});

test.each([
  ["a/b.md", false],
  ["a/*.md", true],
  ["a/?", true],
])("%j is a pattern: %s", (path, expected) => expect(isGlob(path)).toBe(expected));
