// Waits of synchronous code pass at once: the clock that our locks and deadlines look at goes on by as much. Only where no other
// process is waited for.
export function inNoTime<T>(work: () => T): T {
  const { wait } = Atomics;
  const { uptime } = process;
  let passedMs = 0;
  Atomics.wait = ((_array: Int32Array, _index: number, _value: number, ms = 0) => {
    passedMs += ms;
    return "timed-out";
  }) as typeof Atomics.wait;
  process.uptime = () => uptime() + passedMs / 1000;
  try {
    return work();
  } finally {
    Atomics.wait = wait;
    process.uptime = uptime;
  }
}
