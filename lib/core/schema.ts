// zod as events and files use it. Lenient: `null` counts as missing, a missing field takes its default, keys that are not named
// pass as they are; only a wrong type is an error. The field schemas are shared, since making one costs more than using it.
// Made of the classes in zod's core: the methods that zod/mini adds to each schema cost every hook 0.05 of a node start.
import * as z from "zod/v4/core";
import { once } from "./process.ts";

z.config({ jitless: true }); // a schema is used once or twice in a process: compiling it would not pay

export type Fields = z.$ZodLooseShape;
type Loose<F extends Fields> = z.$ZodObject<F, z.$loose>;
/** What `lenient(fields)` gives. */
export type Parsed<F extends Fields> = z.output<Loose<F>>;
export type Output<S> = z.output<S>;

export const someText = /* @__PURE__ */ new z.$ZodString({ type: "string" }) as z.$ZodString<string>;
export const someNumber = /* @__PURE__ */ new z.$ZodNumber({ type: "number" }) as z.$ZodNumber<number>;
const someFlag = /* @__PURE__ */ new z.$ZodBoolean({ type: "boolean" }) as z.$ZodBoolean<boolean>;
const unknown = /* @__PURE__ */ new z.$ZodUnknown({ type: "unknown" });

export const maybe = <S extends z.SomeType>(schema: S) =>
  new z.$ZodOptional({ type: "optional", innerType: schema as never }) as unknown as z.$ZodOptional<S>;
const withDefault = <S extends z.SomeType>(schema: S, defaultValue: z.output<S>) =>
  new z.$ZodDefault({
    type: "default",
    innerType: schema as never,
    defaultValue,
  }) as unknown as z.$ZodDefault<S>;
const transformed = <T>(transform: (value: unknown) => T) =>
  new z.$ZodTransform({ type: "transform", transform }) as z.$ZodTransform<T, unknown>;
const list = <S extends z.SomeType>(schema: S) =>
  new z.$ZodArray({ type: "array", element: schema as never }) as unknown as z.$ZodArray<S>;
/** An object whose other keys pass as they are. */
const loose = <F extends Fields>(fields: F) =>
  new z.$ZodObject({ type: "object", shape: fields as never, catchall: unknown }) as unknown as Loose<F>;

/** Optional: zod wants a key for a plain `unknown`. */
export const anything = /* @__PURE__ */ maybe(unknown);
export const maybeText = /* @__PURE__ */ maybe(someText);
export const maybeNumber = /* @__PURE__ */ maybe(someNumber);
/** Missing counts as empty. */
export const text = /* @__PURE__ */ withDefault(someText, "");
export const flag = /* @__PURE__ */ withDefault(someFlag, false);
export const table = /* @__PURE__ */ withDefault(/* @__PURE__ */ loose({}), {});

/** Counts as missing where it is not valid. Not by `z.catch`, which brings all helpers of zod into a bundle. */
export const ignoreInvalid = <S extends z.$ZodType>(schema: S) =>
  maybe(transformed((value): z.output<S> | undefined => z.safeParse(schema, value).data));
export const listOf = <S extends z.SomeType>(schema: S) => withDefault(list(schema), [] as never);
/** Missing stays missing. */
export const maybeListOf = <S extends z.SomeType>(schema: S) => maybe(list(schema));
/** `null` counts as missing. */
export const lenient = <F extends Fields>(fields: F) =>
  new z.$ZodPipe({
    type: "pipe",
    in: transformed((value) => withoutNulls(value, fields)),
    out: loose(fields) as never,
  }) as unknown as Loose<F>;

/** Only of the named fields: what another program keeps under other keys is its own. */
function withoutNulls(value: unknown, fields: Fields): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([key, one]) => one != null || !Object.hasOwn(fields, key)),
  );
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

/** A parser whose schema is made when it is first used. It throws with the place and what it should be. */
export function parserOf<S extends z.$ZodType>(make: () => S): (value: unknown) => z.output<S> {
  let schema: S | undefined;
  return (value) => {
    schema ??= make();
    const parsed = z.safeParse(schema, value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const expected = issue?.code === "invalid_type" ? EXPECTED[issue.expected] : undefined;
    throw new Error(`${issue?.path.join(".") || "it"} must be ${expected ?? "something else"}`);
  };
}

/** `lenient` for a whole value: without the two schemas that only drop `null`, which every hook would make. */
export function lenientParserOf<F extends Fields>(fields: () => F): (value: unknown) => Parsed<F> {
  const named = once(fields);
  const parseObject = parserOf(() => loose(named()));
  return (value) => parseObject(withoutNulls(value, named())) as Parsed<F>;
}
