import { expect, test } from "vitest";
import { covers, overlaps, plainPattern, whyNotPattern } from "../../lib/worktrees/store/patterns.ts";

test.each([
  ["src/parser/**", "src/parser/a.ts", true],
  ["src/parser/**", "src/parser/deep/a.ts", true],
  ["src/parser/**", "src/parsers/a.ts", false],
  ["src/parser", "src/parser/a.ts", true],
  ["src/parser/", "src/parser", true],
  ["./src//parser", "src/parser/x", true],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/deep/a.ts", false],
  ["**/*.md", "README.md", true],
  ["**/*.md", "docs/deep/x.md", true],
  ["src/{a,b}.ts", "src/b.ts", true],
  ["src/{a,b}.ts", "src/c.ts", false],
  ["src/[ab].ts", "src/a.ts", true],
  ["src/[ab].ts", "src/c.ts", false],
  ["a?.ts", "ab.ts", true],
  ["a b/ü.ts", "a b/ü.ts", true],
  ["a b/u\u0308.ts", "a b/ü.ts", true],
  ["app/[id]/page.ts", "app/[id]/page.ts", true],
  ["app/[id]", "app/[id]/page.ts", true],
  ["src/{a,b}", "src/b/c.ts", true],
  ["*", "[id]", true],
  ["*", "app/[id]", false],
  ["app/**", "app/[id]/page.ts", true],
])("%s covers %s: %s", (pattern, file, expected) => expect(covers(pattern, file)).toBe(expected));

test.each([
  ["src/**", "src/parser/**", true],
  ["src/parser/**", "src/lexer/**", false],
  ["src/a*", "src/*b", true],
  ["src/a*c", "src/b*c", false],
  ["src/ab*", "src/a*c", true],
  ["src/a?", "src/*b", true],
  ["src/a?", "src/[ab]*", true],
  ["src/a?", "src/b*", false],
  ["src/a", "src/a/b", true],
  ["src/ab", "src/a", false],
  ["**/test/**", "src/**", true],
  ["*.ts", "src/*.ts", false],
  ["**/*.ts", "src/*.md", false],
  ["src/{a,b}/**", "src/b/c.ts", true],
  ["src/{a,b}/**", "src/c/d.ts", false],
  ["a/**/z", "a/z", true],
  ["a/**/z", "**/y/z", true],
])("%s and %s overlap: %s", (a, b, expected) => {
  expect(overlaps(a, b)).toBe(expected);
  expect(overlaps(b, a)).toBe(expected);
});

test("a hostile pattern takes no time", () => {
  const many = Array.from({ length: 120 }, () => "**").join("/");
  const stars = "*a".repeat(240);
  const begun = process.cpuUsage().user;
  overlaps(`${many}/x`, `${many}/y`);
  overlaps(stars, `${stars}b`);
  covers(`${many}/x`, "a/".repeat(60));
  expect((process.cpuUsage().user - begun) / 1000).toBeLessThan(2_000);
});

test.each([
  ["", "is empty"],
  ["/etc/passwd", "is not relative to the repository"],
  ["../x", "leads out of the repository"],
  ["src/**", undefined],
])("%j: %s", (pattern, why) => expect(whyNotPattern(pattern)).toBe(why));

test("one spelling", () => expect(plainPattern("./a//b/")).toBe("a/b"));
