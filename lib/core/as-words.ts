// What others wrote, as text, whatever it is: `String` fails on an object that brings a `toString` of its own.

export const toText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
