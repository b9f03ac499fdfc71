// Values from outside, by hand-written shapes and by schemas: what passes, and what is said about what does not.
import { describe, expect, test } from "vitest";
import { isTable } from "../../lib/core/json.ts";
import * as schema from "../../lib/core/schema.ts";
import {
  anything,
  listOf,
  maybe,
  maybeFlag,
  maybeNumber,
  maybeText,
  object,
  orNull,
  type Shape,
  someNumber,
  someText,
  table,
  tableOf,
} from "../../lib/core/shape.ts";

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ["a", false],
  [undefined, false],
])("%j is a table: %s", (value, expected) => expect(isTable(value)).toBe(expected));

describe("a shape lets through", () => {
  test.each<[string, Shape<unknown>, unknown, unknown]>([
    ["text", someText, "a", "a"],
    ["a number", someNumber, 0, 0],
    ["text that may be missing", maybeText, "a", "a"],
    ["no text", maybeText, undefined, undefined],
    ["null for no text", maybeText, null, undefined],
    ["a flag", maybeFlag, false, false],
    ["a number that may be missing", maybeNumber, 5, 5],
    ["an object", table, { a: 1 }, { a: 1 }],
    ["no object", table, undefined, {}],
    ["null for no object", table, null, {}],
    ["an object of texts", tableOf(someText), { a: "b" }, { a: "b" }],
    ["a list", listOf(someNumber), [1, 2], [1, 2]],
    ["no list", listOf(someNumber), undefined, []],
    ["null for no list", listOf(someNumber), null, []],
    ["what may be missing", maybe(someText), null, undefined],
    ["what may be missing and is there", maybe(someText), "a", "a"],
    ["a link that leads nowhere", orNull(someText), undefined, null],
    ["a link to null", orNull(someText), null, null],
    ["a link", orNull(someText), "a", "a"],
    ["keys that it does not name", object({ a: someText }), { a: "x", b: 1 }, { a: "x", b: 1 }],
    ["null for a missing field", object({ a: maybeText, b: anything }), { a: null, b: 1 }, { b: 1 }],
  ])("%s", (_, shape, value, expected) => expect(shape(value, "here")).toStrictEqual(expected));
});

describe("a shape refuses", () => {
  test.each<[string, Shape<unknown>, unknown, string]>([
    ["a number for text", someText, 1, "here must be text"],
    ["nothing for text", someText, undefined, "here must be text"],
    ["text for a number", someNumber, "1", "here must be a number"],
    ["a number for text that may be missing", maybeText, 1, "here must be text"],
    ["text for a flag", maybeFlag, "true", "here must be true or false"],
    ["text for a number that may be missing", maybeNumber, "1", "here must be a number"],
    ["a list for an object", table, [], "here must be an object"],
    ["a wrong value in an object", tableOf(someText), { a: 1 }, "here.a must be text"],
    ["an object for a list", listOf(someText), {}, "here must be a list"],
    ["a wrong item", listOf(someText), ["a", 1], "here.1 must be text"],
    ["a wrong value of what may be missing", maybe(someText), 1, "here must be text"],
    ["a wrong link", orNull(someText), 1, "here must be text"],
    ["no object at all", object({}), null, "here must be an object"],
    ["a missing field", object({ a: someText }), {}, "here.a must be text"],
    ["a wrong field that may be missing", object({ a: maybeText }), { a: 1 }, "here.a must be text"],
  ])("%s", (_, shape, value, why) => expect(() => shape(value, "here")).toThrow(why));

  test("and names the whole where there is no place", () => {
    expect(() => object({})(1, "")).toThrow(/^it must be an object$/);
    expect(() => object({ a: someText })({}, "")).toThrow(/^a must be text$/);
  });
});

const parse = schema.parserOf(() =>
  schema.lenient({
    text: schema.text,
    on: schema.flag,
    names: schema.listOf(schema.someText),
    any: schema.table,
    colour: schema.ignoreInvalid(schema.someText),
    count: schema.ignoreInvalid(schema.someNumber),
    more: schema.maybeListOf(schema.someText),
  }),
);
const EMPTY = { text: "", on: false, names: [], any: {} };

describe("a schema", () => {
  test.each<[string, unknown, unknown]>([
    ["gives defaults", {}, EMPTY],
    ["takes null for missing", { text: null, names: null, more: null }, EMPTY],
    ["lets other keys pass", { other: [1] }, { ...EMPTY, other: [1] }],
    ["ignores what it may", { colour: 1, count: "x" }, EMPTY],
    [
      "keeps what fits",
      { colour: "red", count: 1, on: true },
      { ...EMPTY, colour: "red", count: 1, on: true },
    ],
  ])("%s", (_, value, expected) => expect(parse(value)).toEqual(expected));

  test.each([
    [{ text: 1 }, "text must be text"],
    [{ on: "yes" }, "on must be true or false"],
    [{ names: "a" }, "names must be a list"],
    [{ names: ["a", 1] }, "names.1 must be text"],
    [{ any: 1 }, "any must be an object"],
    [[], "it must be an object"],
    [null, "it must be an object"],
    ["text", "it must be an object"],
  ])("refuses %j: %s", (value, why) => expect(() => parse(value)).toThrow(why));

  test("of a whole value takes null for missing as well", () => {
    const whole = schema.lenientParserOf(() => ({ text: schema.text }));
    expect(whole({ text: null, a: 1 })).toEqual({ text: "", a: 1 });
    expect(() => whole(null)).toThrow("it must be an object");
  });
});

test("a parser makes its schema when it is first used, and once", () => {
  let made = 0;
  const parse = schema.parserOf(() => {
    made++;
    return schema.someText;
  });
  expect(made).toBe(0);
  expect([parse("a"), parse("b")]).toEqual(["a", "b"]);
  expect(made).toBe(1);
});
