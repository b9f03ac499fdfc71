// Shapes of files that programs write, checked by hand: building a zod schema costs a tenth of a hook's start, and these are read by
// nearly every call. Payloads and what a person writes are checked by zod (schema.ts).
import { isTable } from "./json.ts";

/** Returns the value as `T`, or throws with the place and what it should be. */
export type Shape<T> = (value: unknown, at: string) => T;
export type Fields = Record<string, Shape<unknown>>;
// A field that may be missing is an optional property.
export type Shaped<F extends Fields> = {
  [K in keyof F as undefined extends ReturnType<F[K]> ? never : K]: ReturnType<F[K]>;
} & { [K in keyof F as undefined extends ReturnType<F[K]> ? K : never]?: ReturnType<F[K]> } & Record<
    string,
    unknown
  >;

const wrong = (at: string, expected: string): Error => new Error(`${at || "it"} must be ${expected}`);

const plain =
  <T>(type: "string" | "boolean" | "number", expected: string): Shape<T> =>
  (value, at) => {
    if (typeof value !== type) throw wrong(at, expected);
    return value as T;
  };

export const someText = /* @__PURE__ */ plain<string>("string", "text");
export const someNumber = /* @__PURE__ */ plain<number>("number", "a number");
const someFlag = /* @__PURE__ */ plain<boolean>("boolean", "true or false");
export const anything: Shape<unknown> = (value) => value;

/** For these a missing value stays missing. */
const optional = new Set<unknown>([anything]);

export const maybe = <T>(shape: Shape<T>): Shape<T | undefined> => {
  const made: Shape<T | undefined> = (value, at) => (value == null ? undefined : shape(value, at));
  optional.add(made);
  return made;
};
export const maybeText = /* @__PURE__ */ maybe(someText);
export const maybeNumber = /* @__PURE__ */ maybe(someNumber);
export const maybeFlag = /* @__PURE__ */ maybe(someFlag);

export const table: Shape<Record<string, unknown>> = (value, at) => {
  if (value == null) return {};
  if (!isTable(value)) throw wrong(at, "an object");
  return value;
};

/** A table whose values all have one shape. */
export const tableOf =
  <T>(item: Shape<T>): Shape<Record<string, T>> =>
  (value, at) => {
    const entries = Object.entries(table(value, at)).map(([name, one]) => [name, item(one, `${at}.${name}`)]);
    return Object.fromEntries(entries);
  };

export const listOf =
  <T>(item: Shape<T>): Shape<T[]> =>
  (value, at) => {
    if (value == null) return [];
    if (!Array.isArray(value)) throw wrong(at, "a list");
    return value.map((one, n) => item(one, `${at}.${n}`));
  };

/** For a link that may lead nowhere: `null`, and visible as such. */
export const orNull =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value, at) =>
    value == null ? null : shape(value, at);

/** Keys that are not named pass as they are. A field that may be missing is looked at only where it is there: records have many. */
export const object = <F extends Fields>(fields: F): Shape<Shaped<F>> => {
  let needed: string[] | undefined;
  return (value, at) => {
    if (!isTable(value)) throw wrong(at, "an object");
    needed ??= Object.keys(fields).filter((name) => !optional.has(fields[name]));
    const result: Record<string, unknown> = { ...value };
    for (const name of new Set([...needed, ...Object.keys(value)])) {
      if (!Object.hasOwn(fields, name)) continue;
      const checked = fields[name]?.(value[name], at ? `${at}.${name}` : name);
      if (checked !== undefined) result[name] = checked;
      else delete result[name];
    }
    return result as Shaped<F>;
  };
};
