// Questions to the machine that change nothing: what a path is, and how much work was done so far.
import { existsSync, statSync } from "node:fs";

/** Absent, unreadable or going in circles is no directory. Behind its slash there is something only where it is one, save on
 *  Windows, where the slash is not looked at; the rest of the answer costs ten times as much. */
export function isDirectory(path: string, platform = process.platform): boolean {
  if (!existsSync(`${path}/`)) return false;
  return platform !== "win32" || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export const exists = (path: string): boolean => existsSync(path);

/** Processor time, not the clock: a busy machine must not make work look slow. */
export function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
