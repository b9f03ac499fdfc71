// Reads what trace.cjs noted: which locks were held, for how long, and what was done meanwhile.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../../lib/ops/file-kinds.ts";
import { percentile } from "../crowd/figures.ts";

const PRELOAD = join(import.meta.dirname, "trace.cjs");

interface Hold {
  path: string;
  ms: number;
  waitedMs: number;
  /** Read and written meanwhile. */
  bytes: number;
}

interface Trace {
  argv: string[];
  holds: Hold[];
  /** Programs started, and processes looked at, while a lock was held. */
  slow: { what: string; path: string }[];
}

/** Makes every node process that is started with it note its locks in `file`. */
export const traced = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--require ${PRELOAD}`,
  SWARM_LOCK_TRACE: file,
});

export const readTrace = (file: string): Trace[] =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** `base` is the client's directory. */
export function holdsTable(traces: readonly Trace[], base: string): string {
  const groups = new Map<string, Hold[]>();
  for (const hold of traces.flatMap(({ holds }) => holds)) {
    const name = nameOf(hold.path, base);
    groups.set(name, [...(groups.get(name) ?? []), hold]);
  }
  const most = (values: number[]) => Math.max(0, ...values);
  const rows = [...groups]
    .map(([name, holds]) => ({
      name,
      times: holds.length,
      p95: percentile(
        holds.map(({ ms }) => ms),
        0.95,
      ),
      longest: most(holds.map(({ ms }) => ms)),
      waited: most(holds.map(({ waitedMs }) => waitedMs)),
      bytes: most(holds.map(({ bytes }) => bytes)),
    }))
    .sort((a, b) => b.longest - a.longest);
  return [
    "| lock on | times | held p95 ms | held longest ms | waited longest ms | most KB read and written |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows.map(
      ({ name, times, p95, longest, waited, bytes }) =>
        `| ${name} | ${times} | ${p95.toFixed(1)} | ${longest.toFixed(0)} | ${waited.toFixed(0)} | ${(bytes / 1024).toFixed(0)} |`,
    ),
  ].join("\n");
}

/** By the kind of the locked file; a task list's own lock is on a file `.lock`. */
function nameOf(lock: string, base: string): string {
  const path = lock.slice(base.length + 1, -".lock".length);
  return path.endsWith("/.lock") ? "task list" : (kindOf(path)?.name ?? path);
}
