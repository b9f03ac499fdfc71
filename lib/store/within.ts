// Where a path really leads: what is shown to a model must not come from outside the places we were pointed at.
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { hasCode, isAbsence } from "./read-text.ts";

/** The path with every symlink resolved, or `undefined` if nothing is there or it lies outside all `roots`. */
export function realPathWithin(path: string, roots: readonly string[]): string | undefined {
  const real = realPath(path);
  if (real === undefined) return undefined;
  return roots.some((root) => isBelow(real, realPath(root))) ? real : undefined;
}

/** Most of what is asked for is not there: looking first is cheaper than an error. */
function realPath(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "ELOOP") || hasCode(error, "EACCES")) return undefined;
    throw error;
  }
}

function isBelow(path: string, root: string | undefined): boolean {
  if (root === undefined) return false;
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
