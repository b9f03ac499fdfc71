// Ends one process, and only with proof that it is the one we mean.
import { startOf } from "./processes.ts";

/** `false`: the start time is unknown or another one, so the number may belong to somebody else by now. */
export function endProcess({ pid, startedAt }: { pid?: number; startedAt?: string }): boolean {
  if (!pid || pid <= 1 || pid === process.pid || !startedAt || startOf(pid) !== startedAt) return false;
  process.kill(pid, "SIGTERM");
  return true;
}

/** For a process that was started as the leader of its group and is dead by now: what it had started is still in the group. */
export function endGroup(pid: number): void {
  if (process.platform === "win32" || pid <= 1) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // nothing was left of the group
  }
}
