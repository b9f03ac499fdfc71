// This process: its clock, its waits and time limits, facts that are found out once, and the state that all its parts share.

/** Variables of an environment: this process's own, or those for a program that it starts. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Time that only goes forward: the system clock may be set while a process waits. */
export const elapsedMs = (): number => process.uptime() * 1000;

/** A short wait without a timer: stores are synchronous, and a hook has nothing else to do meanwhile. */
export const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** For a fact that several parts of one call need. */
export function once<T>(find: () => T): () => T {
  const found = oncePer(find);
  return () => found(undefined);
}

export function oncePer<K, T>(find: (key: K) => T): (key: K) => T {
  const found = new Map<K, T>();
  return (key) => {
    if (!found.has(key)) found.set(key, find(key));
    return found.get(key) as T;
  };
}

// A hard limit for synchronous code: V8 stops it wherever it is, a regular expression or a pause included. Only a system call that
// does not return is beyond it. What is stopped runs no `finally`, as if the process had been killed there.
const WORK = Symbol.for("swarm.work");
const CALL = 'globalThis[Symbol.for("swarm.work")]()';

/** False when the time was over first. Without a limit there is no watchdog, whose start costs more than most work. */
export function withinTime(ms: number, work: () => void): boolean {
  if (ms === Number.POSITIVE_INFINITY) {
    work();
    return true;
  }
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

// Every bundle (the hook's own and its lazy parts) carries its own copy of the modules it imports, so module-level variables are not
// shared between them; a global is.
interface Shared {
  problems: Set<string>;
  ids: number;
  /** On the stopwatch: no lock is waited for beyond it. */
  deadline: number;
  /** The guarded call that is not answered yet. */
  guarded?: string | undefined;
  /** The inbox that was last read or written, as text and as parsed. */
  inbox?: { text: string; slots: unknown };
}

const KEY = Symbol.for("swarm.shared");

export function shared(): Shared {
  const world = globalThis as { [KEY]?: Shared };
  world[KEY] ??= { problems: new Set(), ids: 0, deadline: Number.POSITIVE_INFINITY };
  return world[KEY];
}

/** Problems that a store could work around. At the end a hook writes them to the error log, and a verb prints them. */
export const noteProblem = (what: string): void => {
  shared().problems.add(what);
};

/** For one of several: what fails is noted and left out, so that it does not keep back the others. */
export function reported<T>(work: () => T, what?: string): T | undefined {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    noteProblem(what === undefined ? message : `${what}: ${message}`);
    return undefined;
  }
}

export function takeProblems(): string[] {
  const { problems } = shared();
  const taken = [...problems];
  problems.clear();
  return taken;
}
