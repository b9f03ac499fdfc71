// What the code of lib/ asks of node:fs in this process, until the test ends.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";
import type { BeforeCall } from "./in-process.ts";

/** `before` is called with each call; what it throws is what the call throws. */
export function onFileCalls(before: BeforeCall): void {
  const calls = Object.entries(fs) as [string, (...args: unknown[]) => unknown][];
  const real = Object.fromEntries(
    calls.filter(([name, call]) => typeof call === "function" && name.endsWith("Sync")),
  );
  let isInside = false; // what node's own functions call, or `before` itself, was asked for by nobody
  const wrapped = Object.entries(real).map(([name, call]) => [
    name,
    Object.assign((...args: unknown[]) => {
      if (isInside) return call(...args);
      isInside = true;
      try {
        before(name, args);
        return call(...args);
      } finally {
        isInside = false;
      }
    }, call),
  ]);
  const put = (calls: object) => {
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  };
  put(Object.fromEntries(wrapped));
  onTestFinished(() => put(real));
}

export const anError = (code: string): Error => Object.assign(new Error(code), { code });

/** The next `times` calls of this name fail. */
export function failing(name: string, code: string, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  onFileCalls((called) => {
    if (called === name && left-- > 0) throw anError(code);
  });
}
