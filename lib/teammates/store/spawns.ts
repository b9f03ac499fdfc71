// What a session has spawned: one line when the gate allowed a spawn, one when the client reported its result. Our own count, so that
// no change in the client's files can turn off a limit unnoticed.

import { fstatSync, ftruncateSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type FileKind, type LogKind, MB } from "../../core/file-kind.ts";
import { readRotatedTail, removeFile, withFile } from "../../core/files.ts";
import { appendLine, parsedLines } from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";

export const SPAWN_LEDGER: LogKind = {
  name: "spawn ledgers",
  path: "swarm/spawns/<session>.jsonl",
  ends: "session",
  maxBytes: 2 * MB,
};

/** `session` is the first of those that `/clear` strung together. */
export const spawnLedgerPath = (paths: Paths, session: string) =>
  swarmPath(paths, "spawns", `${segment(session)}.jsonl`);

const TAIL_BYTES = 512 * 1024;

export interface Asked {
  what: "asked";
  /** The tool call, which joins the two lines. */
  call: string;
  at: string;
  /** The agent that asked: `main`, or its id inside the session. */
  by: string;
  type: string;
  name?: string;
  model?: string;
  depth: number;
  /** The client process that asked: agents inside it end with it. */
  pid: number;
  pidStartedAt?: string;
  /** It went ahead only if the person said yes. */
  ifGranted?: true;
}

export interface SpawnResult {
  fate: "teammate" | "background" | "done" | "failed";
  agentId?: string;
  /** As the client named it: a second alice becomes alice-2. */
  name?: string;
  model?: string;
  pane?: string;
}

type Answered = SpawnResult & { what: "answered"; call: string };

export type Spawned = Omit<Asked, "what"> & Partial<SpawnResult>;

export const appendSpawn = (paths: Paths, session: string, line: Asked | Answered): void =>
  appendLine(spawnLedgerPath(paths, session), line, SPAWN_LEDGER.maxBytes);

export const removeSpawnLedger = (paths: Paths, session: string): void =>
  removeFile(spawnLedgerPath(paths, session));

/** Under the lock: parallel calls of one message are decided one after the other, each with those before it on record. */
export function decideSpawn<T extends { line?: Asked }>(
  paths: Paths,
  session: string,
  waitMs: number,
  decide: (known: Spawned[]) => T,
): T {
  const path = spawnLedgerPath(paths, session);
  const work = () => {
    const decided = decide(joined(readRotatedTail(path, TAIL_BYTES)));
    if (decided.line) appendSpawn(paths, session, decided.line);
    return decided;
  };
  return withLock(path, work, waitMs);
}

function joined(text: string): Spawned[] {
  const known = new Map<string, Spawned>();
  const lines = parsedLines<Asked | Answered>(text).filter(({ call }) => typeof call === "string");
  for (const { what, ...line } of lines) {
    const before = known.get(line.call);
    if (what === "asked") known.set(line.call, line as Spawned);
    else if (before) known.set(line.call, { ...before, ...line });
  }
  return [...known.values()];
}

// The debug log and breadcrumb of ATM hooks. Other users may share their temp directory, so they are written only into a plain file
// of our own: a symlink, a pipe or another user's file in that place is refused.

const TRACE: LogKind = {
  name: "traces of the spawn gate",
  path: "tmp/gate-agent-spawns-debug.jsonl",
  kept: "two of a size",
  maxBytes: 4 * MB,
};

export const SPAWN_TRACES: readonly FileKind[] = [
  TRACE,
  { name: "session id for shells", path: "tmp/atm-session-id", kept: "one" },
];

export const spawnDebugPath = (paths: Paths) => join(paths.tmp, "gate-agent-spawns-debug.jsonl");
export const breadcrumbPath = (paths: Paths) => join(paths.tmp, "atm-session-id");

export function appendSpawnDebug(paths: Paths, line: Record<string, unknown>): void {
  const path = spawnDebugPath(paths);
  const isFull = withOwnFile(path, "append", (fd) => {
    writeSync(fd, `${JSON.stringify(line)}\n`);
    return fstatSync(fd).size > TRACE.maxBytes;
  });
  if (isFull) renameSync(path, `${path}.1`);
}

export function writeBreadcrumb(paths: Paths, session: string): void {
  withOwnFile(breadcrumbPath(paths), "write", (fd) => {
    ftruncateSync(fd);
    writeSync(fd, session, 0);
  });
}

/** Checked after opening, so that nobody can swap the file in between. */
function withOwnFile<T>(path: string, purpose: "append" | "write", work: (fd: number) => T): T {
  return withFile(path, purpose, (fd, { uid, nlink }) => {
    const isOurs = process.getuid === undefined || uid === process.getuid();
    if (nlink !== 1 || !isOurs)
      throw new Error(`${path} is not a plain file of our own; nothing was written`);
    return work(fd);
  });
}
