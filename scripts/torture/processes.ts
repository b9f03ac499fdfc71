// The built scripts as real processes: started, timed, killed, and never waited for beyond a limit.
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Home } from "../../test/support/home-at.ts";
import { cleanEnv, ROOT } from "../../test/support/run-built.ts";

const PRELOAD = join(import.meta.dirname, "preload.cjs");
/** Longer than every limit in hooks.json that a turn waits for: a process that is still there hangs. */
const HANGS_AFTER_MS = 20_000;

export interface Ran {
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  ms: number;
  hung: boolean;
}

export interface Start {
  env?: Record<string, string>;
  input?: string;
  /** Kills it after so many milliseconds, if it is still there. */
  killAfterMs?: number;
  /** Longer for a verb beside many processes, which may wait for its lock. */
  hangsAfterMs?: number;
  /** For preload.cjs. */
  fault?: object;
  clock?: object;
  /** Where the scripts are, if not in this repository. */
  plugin?: string;
  options?: { uid?: number; gid?: number; cwd?: string };
  /** A program before node, such as a shell that sets a limit. */
  environment?: string[];
}

export const startHook = (home: Home, name: string, payload: object, start: Start = {}): Promise<Ran> =>
  started(home, join(start.plugin ?? join(ROOT, "plugin"), "dist", "hooks", `${name}.cjs`), [], {
    ...start,
    input: JSON.stringify({ cwd: home.project, ...payload }),
  });

export const startVerb = (home: Home, args: string[], start: Start = {}): Promise<Ran> =>
  started(home, join(start.plugin ?? join(ROOT, "plugin"), "bin", "swarm"), args, start);

function started(home: Home, script: string, args: string[], start: Start): Promise<Ran> {
  const { env = {}, input = "", killAfterMs, fault, clock, options, environment = [] } = start;
  const preload = fault || clock ? ["--require", PRELOAD] : [];
  const [program = "", ...words] = [...environment, process.execPath, ...preload, script, ...args];
  const began = performance.now();
  const child = spawn(program, words, {
    env: cleanEnv(home, {
      ...env,
      ...(fault ? { SWARM_FAULT: JSON.stringify(fault) } : {}),
      ...(clock ? { SWARM_CLOCK: JSON.stringify(clock) } : {}),
    }),
    cwd: home.project,
    stdio: "pipe",
    ...options,
  });
  const ran: Ran = { exitCode: null, signal: null, stdout: "", stderr: "", ms: 0, hung: false };
  child.stdout.on("data", (chunk) => (ran.stdout += chunk));
  child.stderr.on("data", (chunk) => (ran.stderr += chunk));
  child.stdin.on("error", () => {}); // it may die before it has read everything
  child.stdin.end(input);
  const timers = [
    setTimeout(() => {
      ran.hung = true;
      child.kill("SIGKILL");
    }, start.hangsAfterMs ?? HANGS_AFTER_MS),
    ...(killAfterMs === undefined ? [] : [setTimeout(() => child.kill("SIGKILL"), killAfterMs)]),
  ];
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      for (const timer of timers) clearTimeout(timer);
      resolve(Object.assign(ran, { exitCode, signal, ms: performance.now() - began }));
    });
  });
}

/** A scenario that was given no time still says something. */
const LEAST_ITEMS = 6;

/** So many at a time, until the work is through or `more` says no. */
export async function inLanes<T>(
  lanes: number,
  items: readonly T[],
  work: (item: T, lane: number) => Promise<void>,
  more = () => true,
): Promise<number> {
  const waiting = [...items];
  const lane = async (number: number) => {
    while (waiting.length > 0 && (more() || items.length - waiting.length < LEAST_ITEMS))
      await work(waiting.shift() as T, number);
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  return items.length - waiting.length;
}
