// Files an effort wants in front of its agent. Read only inside the project or the home, and only so far as they fit.
import { relative, resolve, sep } from "node:path";
import { readHead } from "../../core/files.ts";
import { realPath } from "../../core/real-path.ts";

export interface Preload {
  path: string;
  /** Absent when it cannot be shown; `why` then says so. */
  text?: string;
  why?: string;
}

export function readPreload(roots: readonly string[], project: string, path: string, bytes: number): Preload {
  const file = realPath(resolve(project, path));
  if (!roots.some((root) => isInside(realPath(root), file)))
    return { path, why: "it lies outside the project and the home" };
  const head = readHead(file, bytes);
  if (!head) return { path, why: "there is no such file" };
  if (head.text.includes("\0")) return { path, why: "it is not text" };
  const rest = head.size > bytes ? `\n[the first ${bytes} of ${head.size} bytes]` : "";
  return { path, text: `${head.text.trimEnd()}${rest}` };
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !/^([a-z]:|[\\/])/i.test(way);
}
