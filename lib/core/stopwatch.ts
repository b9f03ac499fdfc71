// Time that only goes forward: the clock on the wall may be set while somebody waits.

export const elapsedMs = (): number => process.uptime() * 1000;
