import fc from "fast-check";
import { expect, test } from "vitest";
import { propertyOf, withProperty } from "../../lib/core/json-edit.ts";

const LINE = { type: "command", command: "x" };

test.each([
  ["an empty object", "{}", '{\n  "statusLine": "x"\n}'],
  ["an empty object with a line end", "{}\n", '{\n  "statusLine": "x"\n}\n'],
  ["two spaces", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "statusLine": "x"\n}\n'],
  ["tabs", '{\n\t"a": [1, 2]\n}\n', '{\n\t"a": [1, 2],\n\t"statusLine": "x"\n}\n'],
  ["on one line", '{"a":1}', '{"a":1,"statusLine": "x"}'],
])("a member is added at the end: %s", (_, before, after) => {
  expect(withProperty(before, "statusLine", "x")).toBe(after);
});

test("a value is replaced in its place, and the rest keeps its look", () => {
  const before = '{\n  "a": [1,2],\n  "statusLine": {"type":"command"} ,\n\n  "z": "}, {"\n}';
  const after = withProperty(before, "statusLine", "x");
  expect(after).toBe('{\n  "a": [1,2],\n  "statusLine": "x" ,\n\n  "z": "}, {"\n}');
});

test.each([
  ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"s": {\n\t\t"b": 2\n\t}\n}'],
  ["four spaces", '{\n    "a": 1\n}', '{\n    "a": 1,\n    "s": {\n        "b": 2\n    }\n}'],
  ["none", '{\n"a": 1\n}', '{\n"a": 1,\n"s": {\n  "b": 2\n}\n}'],
  [
    "its own, not its neighbour's",
    '{\n  "s": 1,\n      "a": 1\n}',
    '{\n  "s": {\n    "b": 2\n  },\n      "a": 1\n}',
  ],
])("a value of several lines has the indentation of its file: %s", (_, before, after) => {
  expect(withProperty(before, "s", { b: 2 })).toBe(after);
});

test.each([
  ["the only one", '{ "s": 1 }', "{}"],
  ["the first", '{\n  "s": {"a": "}"},\n  "b": 2\n}', '{\n  "b": 2\n}'],
  ["the last", '{\n  "a": 1,\n  "s": [1, "]"]\n}', '{\n  "a": 1\n}'],
  ["in the middle", '{"a":1, "s":true, "b":2}', '{"a":1, "b":2}'],
  ["none", '{"a":{"s":1}}', '{"a":{"s":1}}'],
])("a member is removed: %s", (_, before, after) => {
  expect(withProperty(before, "s", undefined)).toBe(after);
});

test.each([
  ["comments", '// mine\n{\n  "a": 1, // one\n  /* two */ "b": [1, 2] // three\n}\n'],
  ["a comment after the last member", '{\n  "a": 1 // one\n  // the end\n}\n'],
  ["a trailing comma", '{\n  "a": 1,\n}\n'],
  ["Windows line ends", '{\r\n  "a": 1\r\n}\r\n'],
])("a file with %s gets the member and comes back as it was", (_, text) => {
  const added = withProperty(text, "statusLine", LINE);
  expect(propertyOf(added, "statusLine")).toEqual(LINE);
  expect(withProperty(added, "statusLine", undefined)).toBe(text);
  const commentsIn = (one: string) => one.match(/\/\/.*|\/\*.*?\*\//g);
  expect(commentsIn(added)).toEqual(commentsIn(text));
  if (text.includes("\r")) expect(added).not.toMatch(/[^\r]\n/);
});

test("a comment about the next member stays when the first is removed", () => {
  expect(withProperty('{\n  "s": 1,\n  // about b\n  "b": 2\n}', "s", undefined)).toBe(
    '{\n  // about b\n  "b": 2\n}',
  );
});

test.each(["", "{ broken", "[]", "1", '{"a": 1} x'])("%j is refused", (text) => {
  expect(() => propertyOf(text, "a")).toThrow();
  expect(() => withProperty(text, "a", 1)).toThrow();
});

const settings = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
const layout = fc.constantFrom(undefined, 2, 4, "\t");

test("whatever the file holds: only that member changes, and taking it out again restores every byte", () => {
  fc.assert(
    fc.property(settings, layout, (values, space) => {
      const text = JSON.stringify({ ...values, statusLine: undefined }, null, space);
      const rest = JSON.parse(text);
      const added = withProperty(text, "statusLine", LINE);
      expect(JSON.parse(added)).toEqual({ ...rest, statusLine: LINE });
      if (Object.keys(rest).length > 0) expect(withProperty(added, "statusLine", undefined)).toBe(text);
      expect(JSON.parse(withProperty(added, "statusLine", undefined))).toEqual(rest);
    }),
    { seed: 20_260_220, numRuns: 150 },
  );
});
