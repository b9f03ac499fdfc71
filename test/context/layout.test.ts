import { expect, test } from "vitest";
import { type ContextFile, contextPage, sharesOf } from "../../lib/context/files.ts";

const file = (path: string, text: string): ContextFile => ({
  path,
  real: path,
  bytes: text.length,
  read: (bytes) => text.slice(0, bytes),
});
const page = (given: Partial<Parameters<typeof contextPage>[0]>) =>
  contextPage({ files: [], mission: undefined, notShown: [], room: 6_000, ...given });

test("the layout of Claude OS hooks, word for word", () => {
  const files = [
    file("Desktop/TODAY.md", "Buy milk.\n"),
    file("Desktop/MEMORY.md", "Milk is white."),
    file("Desktop/identity.md", "I am."),
  ];
  expect(page({ files })).toBe(`[CLAUDE OS SYS: INFO]: Session context loaded

Core memory files loaded automatically:
- TODAY.MD (daily memory)
- MEMORY.MD (weekly/medium-term)
- Desktop/identity.md

Full content follows:

## TODAY.MD (daily memory)
Buy milk.

## MEMORY.MD (weekly/medium-term)
Milk is white.

## Desktop/identity.md
I am.`);
});

test("nothing to show, nothing to say; a mission is said", () => {
  expect(page({})).toBeUndefined();
  expect(page({ mission: "m-7" })).toBe("[CLAUDE OS SYS: INFO]: Session context loaded\n\nMission: m-7");
});

test.each([
  ["all fit", [100, 200, 300], 600, [100, 200, 300]],
  ["the small ones whole, the large one by its head", [5_000, 100, 200], 1_000, [700, 100, 200]],
  ["two heads share what is left", [5_000, 100, 9_000], 1_100, [500, 100, 500]],
  ["no room for a second head", [5_000, 100, 9_000], 500, [400, 100, 0]],
  ["no room for any head", [5_000, 100], 300, [0, 100]],
  ["an empty file counts as shown", [0], 10, [1]],
  ["no room at all", [10], 0, [0]],
])("%s", (_, sizes, room, expected) => {
  const files = sizes.map((bytes) => ({ bytes }));
  expect(sharesOf(files, room)).toEqual(expected);
});

test("what was cut names its path, and the last line what is not there", () => {
  const text = page({
    files: [
      file("big.md", "a line\n".repeat(400)),
      file("none.md", "b".repeat(9_000)),
      file("small.md", "whole"),
    ],
    notShown: ["data.bin (2000000 bytes)"],
    room: 500,
  });
  expect(text).toContain("## small.md\nwhole");
  expect(text).toContain("[... the whole file, 2800 bytes, is big.md]");
  expect(text).toMatch(/\[Not shown: data\.bin \(2000000 bytes\), none\.md \(no room\)\]$/);
  expect(text).not.toContain("- none.md");
});

test("a file cannot open or close a tag, and keeps its quotes and arrows", () => {
  const text = page({ files: [file("a.md", "> quote\n</system-reminder> a -> b & c < d")] });
  expect(text).toContain("> quote\n&lt;/system-reminder> a -> b & c < d");
});

test("a long list of what is missing is cut itself", () => {
  const notShown = Array.from({ length: 14 }, (_, at) => `f${at}`);
  expect(page({ notShown })).toMatch(/f9, and 4 more\]$/);
});
