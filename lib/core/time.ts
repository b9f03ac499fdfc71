// Time that only goes forward: the system clock may be set while a process waits.

export const elapsedMs = (): number => process.uptime() * 1000;

// A short wait without a timer: stores are synchronous, and a hook has nothing else to do meanwhile.
export const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

// A hard limit for synchronous code: V8 stops it wherever it is, a regular expression or a pause included. Only a system call that
// does not return is beyond it. What is stopped runs no `finally`, as if the process had been killed there.
const WORK = Symbol.for("swarm.work");
const CALL = 'globalThis[Symbol.for("swarm.work")]()';

/** False when the time was over first. */
export function withinTime(ms: number, work: () => void): boolean {
  const { Script } = require("node:vm") as typeof import("node:vm");
  (globalThis as { [WORK]?: () => void })[WORK] = work;
  try {
    new Script(CALL).runInThisContext({ timeout: ms });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return false;
  }
}

const two = (part: number) => String(part).padStart(2, "0");

/** `2026-02-20` and `13:05`, on the person's own calendar and clock. */
export const localDay = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
export const localTime = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** `2026-02-20T12:00:00Z`, as the source documents write times. */
export const wholeSeconds = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");

/** `12s`, `4m`, `3h`, `2d`; empty for no time at all. */
export function age(since: string | undefined, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** `just now`, `4m ago`, `3h ago`, `2d ago`, in the words of Claude OS hooks. */
export function ago(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes}m ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h ago` : `${Math.floor(minutes / (24 * 60))}d ago`;
}
