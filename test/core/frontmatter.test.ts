import { expect, test } from "vitest";
import { parseFrontmatter } from "../../lib/core/frontmatter.ts";
import { ownMs } from "../support/own-time.ts";

const fieldsOf = (yaml: string) => parseFrontmatter(`---\n${yaml}\n---\nthe text`);

test.each([
  ["a plain value", "a: b", { a: "b" }],
  ["numbers and booleans stay text", "a: 1\nb: true\nc: null", { a: "1", b: "true", c: "null" }],
  ["folded text", "a: >-\n  one\n  two", { a: "one two" }],
  ["a quoted hash", 'a: "b # c"\nd: e # f', { a: "b # c", d: "e" }],
  ["a comma inside quotes", 'a: ["b, c", d]', { a: ["b, c", "d"] }],
  ["a list of maps", "a:\n  - b: 1\n    c: 2\n  - b: 3", { a: [{ b: "1", c: "2" }, { b: "3" }] }],
  ["a list at its key's indentation", "a:\n- b\n- c", { a: ["b", "c"] }],
  ["a colon in a value, beside other keys", "a: use it for: this\nb: c", { a: "use it for: this", b: "c" }],
  [
    "a list beside a broken value",
    "a: use it for: this\nb:\n- c\n- d",
    { a: "use it for: this", b: ["c", "d"] },
  ],
  ["a line without a key beside a broken value", "a: b: c\nnothing\n: x\nd: e", { a: "b: c", d: "e" }],
  ["a single text is no table of fields", "text", {}],
  ["a key written twice", "a: 1\na: 2", { a: "2" }],
  ["a list is no table of fields", "- a\n- b", {}],
  ["nothing", "", {}],
  ["a key called __proto__", "__proto__: a", JSON.parse('{"__proto__": "a"}')],
])("%s", (_, yaml, expected) => {
  expect(fieldsOf(yaml)).toEqual(expected);
});

test.each([
  ["no mark", "a: b\n---\n"],
  ["a mark that is never closed", "---\na: b\n"],
  ["more dashes", "----\na: b\n----\n"],
  ["nothing but a mark", "---"],
  ["too long", `---\na: b\n${"#".repeat(65 * 1024)}\n---\n`],
  ["text behind the closing mark", "---\na: b\n--- x\n"],
  ["text behind the mark", "--- x\na: b\n---\n"],
])("%s: no fields", (_, text) => {
  expect(parseFrontmatter(text)).toEqual({});
});

test("the first mark closes, whatever comes after", () => {
  expect(parseFrontmatter("---\na: b\n---\nc: d\n---\n")).toEqual({ a: "b" });
  expect(parseFrontmatter("---\n---\nc: d\n---\n")).toEqual({});
  expect(parseFrontmatter("---\na: b\n---")).toEqual({ a: "b" });
});

test("of keys with a mistake only so many are read", () => {
  const keys = Array.from({ length: 600 }, (_, n) => `k${n}: b: c`).join("\n");
  expect(Object.keys(fieldsOf(keys))).toHaveLength(500);
});

test("blanks behind the marks, CRLF and a byte order mark do not matter", () => {
  expect(parseFrontmatter("\ufeff---  \r\na: b\r\n--- \r\ntext")).toEqual({ a: "b" });
});

const WORST: Record<string, (size: number) => string> = {
  "blanks before the end": (size) => `---\n${" ".repeat(size)}`,
  "blanks behind a key": (size) => `---\na${" ".repeat(size)}\n---\n`,
  "blanks in a value": (size) => `---\na: b${" ".repeat(size)}c: d\n---\n`,
  "empty lines": (size) => `---\n${"\n".repeat(size)}`,
  "marks that are none": (size) => `---\n${"---x\n".repeat(size / 5)}`,
  "marks with blanks": (size) => `---\n${`---${" ".repeat(95)}x\n`.repeat(size / 100)}`,
  brackets: (size) => `---\na: ${"[".repeat(size)}\n---\n`,
  "broken keys": (size) => `---\n${"a: b: c\n".repeat(size / 8)}---\n`,
  "aliases of aliases": (size) =>
    `---\na0: &a0 [x]\n${Array.from({ length: size / 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join("\n")}\n---\n`,
};

test.each(Object.entries(WORST))("%s: 63 KB take a moment, not seconds", (_, make) => {
  const text = make(63 * 1024);
  expect(ownMs(() => parseFrontmatter(text))).toBeLessThan(1_000);
});
