import { expect, test } from "vitest";
import { fitSections, LONGEST_TEXT } from "../../lib/hook/outcome.ts";

const lines = (word: string, count: number) => Array(count).fill(word).join("\n");

test("what fits is joined whole, in the order it was said", () =>
  expect(
    fitSections([
      { name: "a", text: "A" },
      { name: "b", text: "B" },
    ]),
  ).toBe("A\n\nB"));

test("too much is cut at the least important end, and the last line says so", () => {
  const text = fitSections([
    { name: "files", text: lines("file", 3_000), priority: 10, where: "docs/" },
    { name: "mail", text: "the mail", priority: 90 },
  ]);
  expect(text.length).toBeLessThanOrEqual(LONGEST_TEXT);
  expect(text).toContain("the mail");
  expect(text.split("\n").at(-1)).toBe("[swarm: cut for length: files (docs/)]");
});

test("cut lines are whole lines", () => {
  const text = fitSections([{ name: "files", text: lines("abcdefghij", 2_000) }]);
  const shown = text.split("\n").slice(0, -2);
  expect(new Set(shown)).toEqual(new Set(["abcdefghij"]));
});

test("a part too small to be of use is left out and named", () => {
  const text = fitSections([
    { name: "big", text: "x".repeat(8_900), priority: 90 },
    { name: "small", text: lines("y", 400), priority: 10, where: "swarm inbox" },
  ]);
  expect(text).not.toContain("y\ny");
  expect(text).toContain("small (swarm inbox)");
});

test.each([0, 1, 2, 3, 4, 5])("a text of emoji is never cut inside one (offset %i)", (offset) => {
  const text = fitSections([{ name: "x", text: "a".repeat(offset) + "🙂".repeat(6_000) }]);
  expect(text.isWellFormed()).toBe(true);
});

test("a hundred parts with long names still stay within the limit", () => {
  const parts = Array.from({ length: 100 }, (_, n) => ({
    name: `part ${n} ${"n".repeat(200)}`,
    text: "t".repeat(300),
  }));
  expect(fitSections(parts).length).toBeLessThanOrEqual(LONGEST_TEXT);
});

const under = "Team Updates for bob";

test("parts under one heading share one reminder, where the first of them stands", () =>
  expect(
    fitSections([
      { name: "mail", text: "## Unread Messages (1)", under },
      { name: "other", text: "between" },
      { name: "tasks", text: "## Your Assigned Tasks", under },
    ]),
  ).toBe(
    "<system-reminder>\n# Team Updates for bob\n\n## Unread Messages (1)\n\n## Your Assigned Tasks\n\n</system-reminder>\n\nbetween",
  ));

test("a reminder that is cut for length is still closed", () => {
  const text = fitSections([{ name: "mail", text: lines("a message", 3_000), under, where: "swarm inbox" }]);
  expect(text.length).toBeLessThanOrEqual(LONGEST_TEXT);
  expect(text).toMatch(/<\/system-reminder>\n\n\[swarm: cut for length: mail \(swarm inbox\)\]$/);
});
