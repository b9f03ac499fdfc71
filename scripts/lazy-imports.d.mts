import type { Plugin } from "esbuild";

export function lazyEntries(lib: string): { in: string; out: string }[];
export function lazyImports(lib: string, eager?: readonly string[]): Plugin;
export function eagerImports(): Plugin;
