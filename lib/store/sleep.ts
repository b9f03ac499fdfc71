// A short wait without a timer: stores are synchronous, and a hook has nothing else to do meanwhile.
const cell = new Int32Array(new SharedArrayBuffer(4));

export const sleepSync = (ms: number): void => {
  Atomics.wait(cell, 0, 0, ms);
};
