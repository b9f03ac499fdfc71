// Paths with their links resolved.

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { hasCode } from "./files.ts";

const NOTHING_THERE = ["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG"];

/** The path with every link of its existing part followed; what does not exist stays as it is written. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = followed(at);
    if (real !== undefined) return resolve(real, ...missing);
    if (at === dirname(at)) return path;
    missing.unshift(basename(at));
  }
}

function followed(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (NOTHING_THERE.some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}

/** The path with every symlink resolved, or `undefined` if nothing is there or it lies outside all `roots`. */
export function realPathWithin(path: string, roots: readonly string[]): string | undefined {
  if (!existsSync(path)) return undefined;
  const real = realPath(path);
  return roots.some((root) => isBelow(real, realPath(root))) ? real : undefined;
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
