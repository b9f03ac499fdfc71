// Client processes we know: who runs in them, and whether they still live. A pid alone proves nothing,
// since the system uses numbers again: only pid and start time together name one process.
import { rmSync } from "node:fs";
import { namesIn } from "../core/list-directory.ts";
import { type Paths, processesDir, processPath } from "../core/paths.ts";
import { hasCode, readText } from "../core/read-file.ts";
import { readJson } from "../core/read-json.ts";
import { later, maybeText, object, someNumber, someText } from "../core/shape.ts";
import { writeJson } from "../core/write-file.ts";
import { lifeIn, ownSpace } from "./pid-space.ts";
import { factsOf } from "./process-table.ts";

const shape = later(() =>
  object({
    pid: someNumber,
    startedAt: maybeText,
    session: someText,
    team: maybeText,
    agent: maybeText,
    pane: maybeText,
    tmux: maybeText,
  }),
);
export type KnownProcess = ReturnType<typeof shape>;

export const readProcess = (paths: Paths, pid: number): KnownProcess | undefined =>
  readJson(processPath(paths, pid), shape);

export const writeProcess = (paths: Paths, known: KnownProcess): void =>
  writeJson(processPath(paths, known.pid), known);

export const removeProcess = (paths: Paths, pid: number): void =>
  rmSync(processPath(paths, pid), { force: true });

export function readProcesses(paths: Paths): KnownProcess[] {
  return pidsIn(processesDir(paths)).flatMap((pid) => readJson(processPath(paths, pid), shape) ?? []);
}

function pidsIn(directory: string): number[] {
  return namesIn(directory).flatMap((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : []));
}

/** When it started, and where its pid counts. Unknown on Windows, where the pid must do. */
export function startOf(pid: number): string | undefined {
  const started = factsOf(pid)?.startedAt;
  return started && ownSpace() ? `${started}@${ownSpace()}` : started;
}

/** A process's command line; empty where the system has no /proc, or the process is gone or another user's. */
export function argvOf(pid: number): string[] {
  if (process.platform !== "linux") return [];
  try {
    return (readText(`/proc/${pid}/cmdline`) ?? "").split("\0").slice(0, -1);
  } catch {
    return [];
  }
}

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
  if (!known.pid || lifeOf(known) !== "alive") return false;
  try {
    process.kill(known.pid, name);
    return true;
  } catch (error) {
    if (hasCode(error, "ESRCH") || hasCode(error, "EPERM")) return false;
    throw error;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
