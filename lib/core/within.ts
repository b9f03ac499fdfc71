// Where a path really leads: what is shown to a model must not come from outside the paths we were pointed at.
import { existsSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import { realPath } from "./real-path.ts";

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
