// Client processes we know: who runs in them, and whether they still live. A pid alone proves nothing,
// since the system uses numbers again: only pid and start time together name one process.

import { readlinkSync } from "node:fs";
import type { FileKind } from "../core/file-kind.ts";
import { attempt, hasCode, ifThere, namesIn, readText, removeFile, writeJson } from "../core/files.ts";
import { readJson } from "../core/json.ts";
import { type Paths, processesDir, processPath } from "../core/paths.ts";
import { once, reported } from "../core/process.ts";
import { maybeText, object, someNumber, someText } from "../core/shape.ts";

export const PROCESS_FILES: FileKind = {
  name: "processes",
  path: "swarm/processes/<pid>.json",
  ends: "process",
};

const shape = object({
  pid: someNumber,
  startedAt: maybeText,
  session: someText,
  team: maybeText,
  agent: maybeText,
  pane: maybeText,
  tmux: maybeText,
});
export type KnownProcess = ReturnType<typeof shape>;

export const readProcess = (paths: Paths, pid: number): KnownProcess | undefined =>
  readJson(processPath(paths, pid), shape);

export const writeProcess = (paths: Paths, known: KnownProcess): void =>
  writeJson(processPath(paths, known.pid), known);

export const removeProcess = (paths: Paths, pid: number): void => removeFile(processPath(paths, pid));

/** What cannot be read is reported and left out: it must keep neither the guard nor a session's start from the others. */
export function readProcesses(paths: Paths): KnownProcess[] {
  const names = reported(() => namesIn(processesDir(paths))) ?? [];
  return names
    .filter((name) => /^\d+\.json$/.test(name))
    .flatMap((name) => reported(() => readProcess(paths, Number.parseInt(name, 10))) ?? []);
}

/** When it started, and where its pid counts. Unknown on Windows, where the pid must do. */
export function startOf(pid: number): string | undefined {
  const started = factsOf(pid)?.startedAt;
  return started && ownSpace() ? `${started}@${ownSpace()}` : started;
}

/** A process's command line; empty where the system has no /proc, or the process is gone or another user's. */
export const argvOf = (pid: number): string[] =>
  (attempt(() => readText(`/proc/${pid}/cmdline`)) ?? "").split("\0").slice(0, -1);

/** Is `pid` the process `ancestor`, or was it started from there? Unknown where the system does not tell. */
export function descendsFrom(pid: number, ancestor: number): boolean | undefined {
  if (!factsOf(pid)) return undefined;
  for (let at: number | undefined = pid; at && at > 1; at = factsOf(at)?.parent)
    if (at === ancestor) return true;
  return false;
}

export type Life = "alive" | "gone" | "unknown";

/** `gone` only with proof: no such process, one that has ended and waits to be collected, or another one by now. */
export function lifeOf({ pid, startedAt }: { pid?: number; startedAt?: string }): Life {
  if (!pid) return "unknown";
  const [started, ...space] = (startedAt ?? "").split("@");
  const elsewhere = space.length > 0 ? lifeIn(space.join("@")) : undefined;
  if (elsewhere) return elsewhere;
  const facts = factsOf(pid);
  if (facts ? facts.isZombie : !exists(pid)) return "gone";
  if (!started || !facts) return "unknown";
  return facts.startedAt === started ? "alive" : "gone";
}

/** False when the process is not proven to be the one that is meant: then nothing is sent. */
export function signal(known: { pid?: number; startedAt?: string }, name: "SIGTERM" | "SIGKILL"): boolean {
  const { pid } = known;
  if (!pid || pid <= 1 || pid === process.pid || lifeOf(known) !== "alive") return false;
  return ifThere(() => process.kill(pid, name), "ESRCH", "EPERM") === true;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

// What the system knows about a process, on each system in its own way. Windows would need a second's work for it: there a
// number is all we have, and nothing is ever ended by number alone.
export interface ProcessFacts {
  /** It has ended and waits to be collected. */
  isZombie: boolean;
  parent: number;
  /** Ticks since boot on Linux, a date on macOS: only ever compared with itself. */
  startedAt: string;
}

export function factsOf(pid: number, platform = process.platform): ProcessFacts | undefined {
  if (platform === "linux") return fromStat(ifThere(() => readText(`/proc/${pid}/stat`), "ESRCH"));
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
  const [state, parent, ...started] = line?.trim().split(/\s+/) ?? [];
  if (!state || !/^\d+$/.test(parent ?? "") || started.length === 0) return undefined;
  return { isZombie: state.startsWith("Z"), parent: Number(parent), startedAt: started.join(" ") };
}

function psOf(pid: number): string | undefined {
  const { spawnSync } = require("node:child_process") as typeof import("node:child_process");
  const options = { encoding: "utf8", timeout: 1_000, env: { LC_ALL: "C", TZ: "UTC" } } as const;
  const { status, stdout } = spawnSync("/bin/ps", ["-o", "state=,ppid=,lstart=", "-p", String(pid)], options);
  return status === 0 ? stdout : undefined;
}

// Where a pid counts: a container that shares our home has processes of its own under the same numbers.
/** This process's pid namespace, the kernel's boot and the host's name, in one word; empty where /proc is missing or hardened. */
export const ownSpace = /* @__PURE__ */ once((): string => attempt(readSpace) ?? "");

function readSpace(): string {
  const namespace = readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  const boot = (readText("/proc/sys/kernel/random/boot_id") ?? "").slice(0, 8);
  const host = (readText("/proc/sys/kernel/hostname") ?? "").trim();
  return `${namespace}.${boot}.${host}`;
}

/**
 * What a process's space alone proves: nothing against a process in another container or on another machine, everything
 * against one from before this machine's last start. `undefined` where it is our own and the pid can be asked.
 */
function lifeIn(space: string): "gone" | "unknown" | undefined {
  if (space === ownSpace()) return undefined;
  const [, boot, ...host] = space.split(".");
  const [, ownBoot, ...ownHost] = ownSpace().split(".");
  return boot !== ownBoot && host.join(".") === ownHost.join(".") ? "gone" : "unknown";
}

/** For a process that was started as the leader of its group and is dead by now: what it had started is still in the group. */
export function endGroup(pid: number): void {
  if (process.platform !== "win32" && pid > 1) attempt(() => process.kill(-pid, "SIGKILL"));
}
