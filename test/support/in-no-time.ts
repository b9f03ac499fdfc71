// Waits of synchronous code pass at once: the clock that our locks and deadlines look at goes on by as much. Only where no other
// process is waited for.

/** For a whole test: with `beforeEach`, or with `onTestFinished`. Returns what ends it. */
export function virtualTime(): () => void {
  const { wait } = Atomics;
  const { uptime } = process;
  let passedMs = 0;
  Atomics.wait = ((_array: Int32Array, _index: number, _value: number, ms = 0) => {
    passedMs += ms;
    return "timed-out";
  }) as typeof Atomics.wait;
  process.uptime = () => uptime() + passedMs / 1000;
  return () => {
    Atomics.wait = wait;
    process.uptime = uptime;
  };
}

const SHORT_MS = 10;

/** Where another process is waited for: it is looked for more often, up to the same deadline. */
export function shortWaits(): () => void {
  const { wait } = Atomics;
  Atomics.wait = ((array: Int32Array, index: number, value: number, ms = 0) =>
    wait(array, index, value, Math.min(ms, SHORT_MS))) as typeof Atomics.wait;
  return () => {
    Atomics.wait = wait;
  };
}

export function inNoTime<T>(work: () => T): T {
  const end = virtualTime();
  try {
    return work();
  } finally {
    end();
  }
}
