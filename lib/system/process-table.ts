// What the system knows about a process, on each system in its own way. Windows would need a second's work for it: there a
// number is all we have, and nothing is ever ended by number alone.
import { hasCode, isAbsence, readText } from "../core/read-file.ts";

export interface ProcessFacts {
  /** It has ended and waits to be collected. */
  isZombie: boolean;
  parent: number;
  /** Ticks since boot on Linux, a date on macOS: only ever compared with itself. */
  startedAt: string;
}

export function factsOf(pid: number, platform = process.platform): ProcessFacts | undefined {
  if (platform === "linux") return fromStat(statOf(pid));
  if (platform === "darwin") return fromPs(psOf(pid));
  return undefined;
}

/** `/proc/<pid>/stat`; the program's name may itself hold spaces and brackets. */
export function fromStat(stat: string | undefined): ProcessFacts | undefined {
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startedAt = fields?.[19];
  return startedAt ? { isZombie: fields[0] === "Z", parent: Number(fields[1]), startedAt } : undefined;
}

/** `ps -o state=,ppid=,lstart=`: `Ss     1 Mon Nov 16 05:43:10 2026`. */
export function fromPs(line: string | undefined): ProcessFacts | undefined {
  const found = line?.trim().match(/^(\S+)\s+(\d+)\s+(\S.*)$/);
  if (!found) return undefined;
  const [, state = "", parent, startedAt = ""] = found;
  return {
    isZombie: state.startsWith("Z"),
    parent: Number(parent),
    startedAt: startedAt.replace(/\s+/g, " "),
  };
}

function statOf(pid: number): string | undefined {
  try {
    return readText(`/proc/${pid}/stat`);
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "ESRCH")) return undefined;
    throw error;
  }
}

function psOf(pid: number): string | undefined {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const options = { encoding: "utf8", timeout: 1_000, env: { LC_ALL: "C", TZ: "UTC" } } as const;
  const { status, stdout } = spawnSync("/bin/ps", ["-o", "state=,ppid=,lstart=", "-p", String(pid)], options);
  return status === 0 ? stdout : undefined;
}
