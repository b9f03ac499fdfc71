import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  alternatives,
  isGlob,
  isPatternLimit,
  nameMatcher,
  type PatternRules,
  patternOf,
} from "../../lib/core/glob.ts";
import { ownMs } from "../support/own-time.ts";

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

test.each<[string, string, PatternRules, boolean]>([
  ["a[b]c", "a[b]c", { starsOnly: true }, true],
  ["a[b]c", "abc", { starsOnly: true }, false],
  ["a?c", "a?c", { starsOnly: true }, true],
  ["a?c", "abc", { starsOnly: true }, false],
  ["a*c", "abbc", { starsOnly: true }, true],
  ["a%c", "abbc", { isRun: (char) => char === "%" }, true],
  ["a%c", "abbc", {}, false],
  ["a%*c", "abbc", { isRun: (char) => char === "%" }, true],
  ["[[:alpha:]]", "7]", {}, false],
  ["[$x]", "7", { isGenerous: true }, true],
  ["[$x]", "7", {}, false],
  ["[z-a]", "7", { isGenerous: true }, true],
  ["[a-z]", "7", { isGenerous: true }, false],
  ["[^a]", "a", {}, false],
  ["[^a]", "b", {}, true],
  ["[a-]", "-", {}, true],
  ["[a-cx]", "x", {}, true],
  ["[a-cx]", "-", {}, false],
  ["*[a-c]*", "xby", {}, true],
  ["*[a-c]*", "xyz", {}, false],
  ["[]a]", "]", {}, true],
  [`[${"a".repeat(70)}]`, "a", {}, false],
])("%j and %j by %o: %s", (pattern, text, rules, expected) =>
  expect(patternOf(pattern, rules).matches(text)).toBe(expected),
);

test("a pattern made to stall does not", () => {
  const begun = Date.now();
  expect(nameMatcher(`${"a*".repeat(60)}b`)("a".repeat(250))).toBe(false);
  expect(Date.now() - begun).toBeLessThan(500);
});

test("one pass over a text of any length is no stalling", () => {
  const text = `${"a".repeat(2_000_000)}b`;
  expect(patternOf("*b").matches(text)).toBe(true);
  expect(patternOf("*c*").matches(text)).toBe(false);
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
  expect(alternatives("{a,b}".repeat(20)).length).toBe(32);
  const long = `{a,b}${"x".repeat(4_092)}`;
  expect(alternatives(long)).toEqual([long]);
  expect(alternatives(long.slice(0, 4_096))).toHaveLength(2);
});

test.each([
  ["a/b.md", false],
  ["a/*.md", true],
  ["a/?", true],
])("%j is a pattern: %s", (path, expected) => expect(isGlob(path)).toBe(expected));

const shell = (pattern: string) => patternOf(pattern);

test.each<[string, string, boolean, number | undefined]>([
  ["*a", "banana", false, 2],
  ["*a", "banana", true, 6],
  ["b?n", "banana", true, 3],
  ["x*", "banana", true, undefined],
  ["[a-c]*[!n]", "banana", true, 6],
  ["", "banana", true, 0],
])("the beginning that %j matches in %j (longest: %s): %s", (pattern, text, longest, expected) =>
  expect(shell(pattern).prefix(text, longest)).toBe(expected),
);

test.each<[string, string, boolean, number | undefined]>([
  [".*", "a.tar.gz", false, 3],
  [".*", "a.tar.gz", true, 7],
  ["/*", "/a/b/c", true, 6],
  ["x", "banana", false, undefined],
])("the end that %j matches in %j (longest: %s): %s", (pattern, text, longest, expected) =>
  expect(shell(pattern).suffix(text, longest)).toBe(expected),
);

test.each<[string, string, boolean, string]>([
  ["a", "banana", false, "b-nana"],
  ["a", "banana", true, "b-n-n-"],
  ["a*n", "banana", true, "b-a"],
  ["n?", "banana", true, "ba--"],
  ["*", "banana", true, "-"],
  ["x", "banana", true, "banana"],
])("%j replaced in %j (all: %s): %j", (pattern, text, all, expected) =>
  expect(shell(pattern).replace(text, "-", all)).toBe(expected),
);

/** What the pattern means, by a regular expression on short texts, where that is harmless. */
const meant = (pattern: string) => new RegExp(`^${pattern.replace(/\*+/g, "[^]*").replaceAll("?", "[^]")}$`);

test("as a regular expression would match it", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (one, other) => {
      expect(shell(one).matches(other)).toBe(meant(one).test(other));
      const lengths = Array.from({ length: other.length + 1 }, (_, at) => at);
      const fits = lengths.filter((length) => meant(one).test(other.slice(0, length)));
      expect(shell(one).prefix(other, false)).toBe(fits[0]);
      expect(shell(one).prefix(other, true)).toBe(fits.at(-1));
      const ends = lengths.filter((length) => meant(one).test(other.slice(other.length - length)));
      expect(shell(one).suffix(other, true)).toBe(ends.at(-1));
    }),
    { numRuns: 500, seed: 17 },
  );
});

const HOSTILE: Record<string, (size: number) => [string, string]> = {
  "stars and a letter": (size) => [`${"*a".repeat(size / 2)}b`, "a".repeat(size)],
  "only stars": (size) => [`${"*".repeat(size)}!`, "a".repeat(size)],
  "marks and stars": (size) => [`${"?*".repeat(size / 2)}b`, "a".repeat(size)],
  "brackets and stars": (size) => [`${"[a-z]*".repeat(size / 6)}!`, "a".repeat(size)],
  "a long piece that nearly fits": (size) => [`*${"a".repeat(size / 2)}b*`, "a".repeat(size)],
};
const WAYS: Record<string, (pattern: string, text: string) => unknown> = {
  matches: (pattern, text) => shell(pattern).matches(text),
  "stars only": (pattern, text) => patternOf(pattern, { starsOnly: true }).matches(text),
  prefix: (pattern, text) => shell(pattern).prefix(text, true),
  suffix: (pattern, text) => shell(pattern).suffix(text, true),
  replace: (pattern, text) => shell(pattern).replace(text, "", true),
};

describe.each(Object.entries(HOSTILE))("%s", (_, make) => {
  test.each(Object.entries(WAYS))("%s: no size takes longer than the bound on steps allows", (_, run) => {
    for (const size of [64, 65_536]) {
      const ms = ownMs(() => {
        try {
          run(...make(size));
        } catch (error) {
          expect(isPatternLimit(error)).toBe(true);
        }
      });
      expect(ms).toBeLessThan(2_000);
    }
  });
});
