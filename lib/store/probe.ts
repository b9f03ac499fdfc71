// Questions to the machine that change nothing: what a path is, and how much work was done so far.
import { existsSync, statSync } from "node:fs";

/** Absent, unreadable or going in circles is no directory. */
export const isDirectory = (path: string): boolean =>
  existsSync(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export const exists = (path: string): boolean => existsSync(path);

/** Processor time, not the clock: a busy machine must not make work look slow. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
