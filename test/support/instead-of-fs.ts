// node:fs with some calls replaced, for what a test cannot make a real file do: a full pipe, a closed one, a terminal.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

type Calls = Partial<Record<keyof typeof fs, (...args: never[]) => unknown>>;

export function insteadOfFs<T>(calls: Calls, work: () => T): T {
  const real = Object.fromEntries(Object.keys(calls).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, calls);
  syncBuiltinESMExports();
  try {
    return work();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
}

export const failure = (code: string): Error => Object.assign(new Error(code), { code });
