// How long this process itself computed, in milliseconds: what else the machine does costs nothing.
export function ownMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  return process.cpuUsage(begun).user / 1000;
}
