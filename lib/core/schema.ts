// zod/mini as events and files use it. Lenient: `null` counts as missing, a missing field takes its default, keys that are not
// named pass as they are; only a wrong type is an error. The field schemas are shared, since making one costs more than using it.
import * as z from "zod/mini";

z.config({ jitless: true }); // a schema is used once or twice in a process: compiling it would not pay

export type Fields = z.core.$ZodLooseShape;
type Loose<F extends Fields> = z.ZodMiniObject<F, z.core.$loose>;
/** What `lenient(fields)` gives. */
export type Parsed<F extends Fields> = z.output<Loose<F>>;

export const someText = /* @__PURE__ */ z.string();
const someNumber = /* @__PURE__ */ z.number();
const someFlag = /* @__PURE__ */ z.boolean();
/** Optional: zod wants a key for a plain `unknown`. */
export const anything = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.unknown());
export const maybeText = /* @__PURE__ */ z.optional(someText);
export const maybeNumber = /* @__PURE__ */ z.optional(someNumber);
/** Missing counts as empty. */
export const text = /* @__PURE__ */ z._default(someText, "");
export const flag = /* @__PURE__ */ z._default(someFlag, false);
export const table = /* @__PURE__ */ z._default(/* @__PURE__ */ z.looseObject({}), {});

export const maybe = <S extends z.core.SomeType>(schema: S) => z.optional(schema);
/** Counts as missing where it is not valid. Not by `z.catch`, which brings all helpers of zod into a bundle. */
export const ignoreInvalid = <S extends z.core.$ZodType>(schema: S) =>
  z.optional(z.transform((value): z.output<S> | undefined => z.safeParse(schema, value).data));
/** The same for a plain type, without a schema for each value. */
export const ignoreUnless = <T>(isRight: (value: unknown) => value is T) =>
  z.optional(z.transform((value): T | undefined => (isRight(value) ? value : undefined)));
export const isText = (value: unknown): value is string => typeof value === "string";
export const tableOf = <S extends z.core.SomeType>(schema: S) =>
  z._default(z.record(z.string(), schema), {} as never);
export const listOf = <S extends z.core.SomeType>(schema: S) => z._default(z.array(schema), [] as never);
/** Missing stays missing. */
export const maybeListOf = <S extends z.core.SomeType>(schema: S) => z.optional(z.array(schema));
export const lenient = <F extends Fields>(fields: F) =>
  z.pipe(z.transform(withoutNulls), z.looseObject(fields)) as unknown as z.ZodMiniType<Parsed<F>>;

function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== undefined));
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

/** Throws with the place and what it should be. */
function parse<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const expected = issue?.code === "invalid_type" ? EXPECTED[issue.expected] : undefined;
  throw new Error(`${issue?.path.join(".") || "it"} must be ${expected ?? "something else"}`);
}

/** A parser whose schema is made when it is first used. */
export function parserOf<S extends z.core.$ZodType>(make: () => S): (value: unknown) => z.output<S> {
  let schema: S | undefined;
  return (value) => {
    schema ??= make();
    return parse(schema, value);
  };
}

/** `lenient` for a whole value: without the two schemas that only drop `null`, which every hook would make. */
export function lenientParserOf<F extends Fields>(fields: () => F): (value: unknown) => Parsed<F> {
  const parseObject = parserOf(() => z.looseObject(fields()));
  return (value) => parseObject(withoutNulls(value)) as Parsed<F>;
}
