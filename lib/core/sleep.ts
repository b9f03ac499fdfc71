// A short wait without a timer: stores are synchronous, and a hook has nothing else to do meanwhile.

export const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};
