// Questions to the machine that change nothing: what a path really is, and how much work was done so far.
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The path with every link of its existing part followed; what does not exist stays as it is written. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = asked(() => realpathSync(at));
    if (real !== undefined) return join(real, ...missing);
    if (at === dirname(at)) return path;
    missing.unshift(basename(at));
  }
}

const NOTHING_THERE = new Set(["ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG"]);

/** Absent, unreadable or going in circles is an answer too. */
function asked<T>(question: () => T): T | undefined {
  try {
    return question();
  } catch (error) {
    if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

export const isDirectory = (path: string): boolean => asked(() => statSync(path))?.isDirectory() === true;

export const exists = (path: string): boolean => existsSync(path);

/** Processor time, not the clock: a busy machine must not make work look slow. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
