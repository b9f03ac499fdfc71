// One name for one place, whatever links lead to it.
import { realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { hasCode } from "./read-file.ts";

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
