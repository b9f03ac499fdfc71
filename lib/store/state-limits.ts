// At which size a log becomes `.1` and a new one begins, in bytes: no log is larger than twice that.

const KB = 1024;
const MB = 1024 * KB;

export const LIMITS = {
  journal: 8 * MB,
  errors: MB,
  fired: 16 * KB,
  lifecycle: 16 * MB,
  mailArchive: 8 * MB,
  spawns: 2 * MB,
  spawnDebug: 4 * MB,
  effortMessages: 4 * MB,
  loaded: 256 * KB,
  receipts: MB,
} as const;
