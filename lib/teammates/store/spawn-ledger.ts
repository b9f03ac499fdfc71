// What a session has spawned: one line when the gate let a spawn pass, one when the client reported what became of
// it. Our own count, so that no change in the client's files can turn a cap off unnoticed.

import { readRotatedTail } from "../../core/files.ts";
import { appendLine, LIMITS } from "../../core/jsonl.ts";
import { withLock } from "../../core/lock.ts";
import { type Paths, spawnLedgerPath } from "../../core/paths.ts";

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
  /** The client process that asked: who lives inside it ends with it. */
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
  /** As the client really named it: a second alice becomes alice-2. */
  name?: string;
  model?: string;
  pane?: string;
}

export type Spawned = Omit<Asked, "what"> & Partial<Omit<Answered, "what" | "call">>;

export const readSpawned = (paths: Paths, session: string): Spawned[] =>
  folded(readRotatedTail(spawnLedgerPath(paths, session), TAIL_BYTES));

export const appendSpawn = (paths: Paths, session: string, line: Asked | Answered): void =>
  appendLine(spawnLedgerPath(paths, session), line, LIMITS.spawns);

/** Under the lock: parallel calls of one message are weighed one after the other, each knowing those before it. */
export function weighSpawn<T extends { line?: Asked }>(
  paths: Paths,
  session: string,
  waitMs: number,
  weigh: (known: Spawned[]) => T,
): T {
  return withLock(
    spawnLedgerPath(paths, session),
    () => {
      const weighed = weigh(readSpawned(paths, session));
      if (weighed.line) appendSpawn(paths, session, weighed.line);
      return weighed;
    },
    waitMs,
  );
}

function folded(text: string): Spawned[] {
  const known = new Map<string, Spawned>();
  for (const { what, ...line } of text.split("\n").flatMap(asLine)) {
    const before = known.get(line.call);
    if (what === "asked") known.set(line.call, line as Spawned);
    else if (before) known.set(line.call, { ...before, ...line });
  }
  return [...known.values()];
}

function asLine(text: string): (Asked | Answered)[] {
  try {
    const line = JSON.parse(text) as Asked | Answered;
    return typeof line?.call === "string" ? [line] : [];
  } catch {
    return []; // torn, or cut by the tail
  }
}
