// Ends one process, and only with proof that it is the one we mean.
import { startOf } from "./processes.ts";

/** `false`: the start time is unknown or another one, so the number may belong to somebody else by now. */
export function endProcess({ pid, startedAt }: { pid?: number; startedAt?: string }): boolean {
  if (!pid || pid <= 1 || pid === process.pid || !startedAt || startOf(pid) !== startedAt) return false;
  process.kill(pid, "SIGTERM");
  return true;
}
