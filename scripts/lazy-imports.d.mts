import type { Plugin } from "esbuild";

export function lazyEntries(lib: string): { in: string; out: string }[];
export function lazyImports(lib: string): Plugin;
export function eagerImports(): Plugin;
