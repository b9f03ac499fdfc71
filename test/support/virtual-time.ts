/** Pauses take no time: each moves the stopwatch on at once. For `beforeEach`, or with `onTestFinished`; returns what ends it. */
export function virtualTime(): () => void {
  const { uptime } = process;
  const { wait } = Atomics;
  let slept = 0;
  process.uptime = () => uptime() + slept / 1000;
  Atomics.wait = ((_array: Int32Array, _index: number, _value: number, ms: number) => {
    slept += ms;
    return "timed-out";
  }) as typeof Atomics.wait;
  return () => {
    process.uptime = uptime;
    Atomics.wait = wait;
  };
}
