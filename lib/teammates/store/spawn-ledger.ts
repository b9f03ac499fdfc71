// What a session has spawned: one line when the gate allowed a spawn, one when the client reported its result. Our own count, so that
// no change in the client's files can turn off a limit unnoticed.

import { type FileKind, MB } from "../../core/file-kind.ts";
import { readRotatedTail, removeFile } from "../../core/files.ts";
import { appendLine, parsedLines } from "../../core/json.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, segment, swarmPath } from "../../core/paths.ts";

export const SPAWN_LEDGER = {
  name: "spawn ledgers",
  path: "swarm/spawns/<session>.jsonl",
  ends: "session",
  maxBytes: 2 * MB,
} as const satisfies FileKind;

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

export type Fate = "teammate" | "background" | "done" | "failed";

export interface Answered {
  what: "answered";
  call: string;
  fate: Fate;
  agentId?: string;
  /** As the client named it: a second alice becomes alice-2. */
  name?: string;
  model?: string;
  pane?: string;
}

export type Spawned = Omit<Asked, "what"> & Partial<Omit<Answered, "what" | "call">>;

const readSpawned = (paths: Paths, session: string): Spawned[] =>
  joined(readRotatedTail(spawnLedgerPath(paths, session), TAIL_BYTES));

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
  return withLock(
    spawnLedgerPath(paths, session),
    () => {
      const decided = decide(readSpawned(paths, session));
      if (decided.line) appendSpawn(paths, session, decided.line);
      return decided;
    },
    waitMs,
  );
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
