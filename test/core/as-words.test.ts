// Text of whatever somebody wrote.
import { expect, test } from "vitest";
import { toText } from "../../lib/core/text.ts";

test.each([
  ["text", "text"],
  [5, "5"],
  [undefined, ""],
  [null, "null"],
  [{ toString: 1, valueOf: 2 }, '{"toString":1,"valueOf":2}'],
  [["a", {}], '["a",{}]'],
])("%j is %j", (value, words) => expect(toText(value)).toBe(words));
