import { expect, test } from "vitest";
import { isoTime, thisMoment } from "../../lib/parse/moment.ts";

test.each([
  "2026-02-03T04:05:06.007Z",
  "1999-12-31T23:59:59.999Z",
  "2024-02-29T00:00:00.000Z",
  "2026-11-16T12:30:45.080Z",
])("%s is written as Date writes it", (text) => expect(isoTime(new Date(text))).toBe(text));

test("now is a Date like any other", () => {
  const at = thisMoment();
  const plain = new Date(at.getTime()).toISOString();
  expect([at.toISOString(), JSON.parse(JSON.stringify({ at })).at]).toEqual([plain, plain]);
});
