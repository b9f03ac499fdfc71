// Time that only goes forward: the clock on the wall may be set while somebody waits.

export const elapsedMs = (): number => process.uptime() * 1000;

// A short wait without a timer: stores are synchronous, and a hook has nothing else to do meanwhile.
export const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
