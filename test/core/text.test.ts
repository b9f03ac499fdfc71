// Words, sizes and times as people read them.
import { describe, expect, test } from "vitest";
import {
  counted,
  escapeLine,
  escapeXml,
  isOlderVersion,
  plainJson,
  shellQuoted,
  shortened,
  sizeText,
  withoutTags,
} from "../../lib/core/text.ts";
import { age, ago, localDay, localTime, wholeSeconds } from "../../lib/core/time.ts";

const NOW = new Date("2026-02-20T12:00:00.500Z");
const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);

test.each([
  [-5, "0s"],
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [7_199, "119m"],
  [7_200, "2h"],
  [172_799, "47h"],
  [172_800, "2d"],
])("%d s are an age of %s", (seconds, text) => expect(age(before(seconds).toISOString(), NOW)).toBe(text));

test.each([undefined, "", "soon"])("%j is no age", (since) => expect(age(since, NOW)).toBe(""));

test.each([
  [-60, "just now"],
  [59, "just now"],
  [60, "1m ago"],
  [3_599, "59m ago"],
  [3_600, "1h ago"],
  [86_399, "23h ago"],
  [86_400, "1d ago"],
])("%d s ago is %s", (seconds, text) => expect(ago(before(seconds), NOW)).toBe(text));

test("days and times are the person's own, with two digits", () => {
  const at = new Date(2026, 1, 3, 4, 5);
  expect([localDay(at), localTime(at)]).toEqual(["2026-02-03", "04:05"]);
  expect(wholeSeconds(NOW)).toBe("2026-02-20T12:00:00Z");
});

test.each([
  ["2.1.197", "2.1.325", true],
  ["2.1.325", "2.1.197", false],
  ["20.9", "20.12", true],
  ["3.0", "2.9", false],
  ["2.1", "2.1", false],
  ["2.1", "2.1.1", true],
  ["2.1.1", "2.1", false],
  ["2.2", "2.1.9", false],
])("%s is older than %s: %s", (version, than, isOlder) =>
  expect(isOlderVersion(version, than)).toBe(isOlder),
);

test.each([
  [0, "0 KB"],
  [1, "1 KB"],
  [1024 * 1024 - 1, "1024 KB"],
  [1024 * 1024, "1.0 MB"],
])("%d bytes are %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));

test.each([
  ["abcd", 4, "abcd"],
  ["abcde", 4, "abc…"],
  ["ab cde", 4, "ab…"],
  ["ab😀cd", 4, "ab…"],
])("%j in %d characters is %j", (text, longest, short) => expect(shortened(text, longest)).toBe(short));

test("one and many, and a word for a shell", () => {
  expect([counted(0, "task"), counted(1, "task"), counted(2, "reply", "replies")]).toEqual([
    "0 tasks",
    "1 task",
    "2 replies",
  ]);
  expect(shellQuoted("it's $x")).toBe("'it'\\''s $x'");
  expect(plainJson(undefined)).toBe("null");
});

describe("foreign text stays data", () => {
  const foreign = "a\u0007 <b>\n&  c";
  test.each([
    ["escaped", escapeXml, "a &lt;b&gt;\n&amp;  c"],
    ["on one line", escapeLine, "a &lt;b&gt; &amp; c"],
    ["as a document", withoutTags, "a &lt;b>\n&  c"],
  ])("%s", (_, escaped, expected) => expect(escaped(foreign)).toBe(expected));
});
