// How long this process itself computed, in milliseconds: what else the machine does costs nothing.
export function ownMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1000;
}

/** What a piece of synchronous work gives back, and how long it meant to wait in all. */
export function withWaits<T>(work: () => T): { done: T; waitedMs: number } {
  const { wait } = Atomics;
  let waitedMs = 0;
  Atomics.wait = ((array: Int32Array, index: number, value: number, ms = 0) => {
    waitedMs += ms;
    return wait(array, index, value, ms);
  }) as typeof Atomics.wait;
  try {
    const done = work();
    return { done, waitedMs };
  } finally {
    Atomics.wait = wait;
  }
}
