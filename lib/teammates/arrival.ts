// Waits until a new client is known to be up, and asks for its last words when it is not.

import { readTail } from "../core/files.ts";
import { elapsedMs, sleepSync } from "../core/time.ts";
import type { Environment } from "../hook/environment.ts";
import { readSession } from "../sessions/store/sessions.ts";
import { lifeOf } from "../system/processes.ts";
import { closePane, letPaneClose, readScreen } from "../system/tmux.ts";
import type { Opened } from "./opening.ts";

export type Arrival = { is: "up" } | { is: "silent" } | { is: "ended"; lastWords: string };

const LOOK_EVERY_MS = 100;
const LAST_WORDS_BYTES = 2_000;

/** Up when the new session has said so itself, by its SessionStart. */
export function awaitArrival(environment: Environment, opened: Opened, waitMs: number): Arrival {
  const giveUp = elapsedMs() + waitMs;
  for (;;) {
    if (hasArrived(environment, opened)) return settled(opened);
    if (opened.pid && lifeOf({ pid: opened.pid, startedAt: opened.pidStartedAt }) === "gone")
      return { is: "ended", lastWords: lastWordsOf(opened) };
    if (elapsedMs() >= giveUp) return { is: "silent" };
    sleepSync(LOOK_EVERY_MS);
  }
}

function hasArrived(environment: Environment, opened: Opened): boolean {
  const record = readSession(environment.paths, { session: opened.session });
  if (!record) return false;
  return opened.pid ? record.pid === opened.pid : record.lastSeen >= environment.now.toISOString();
}

function settled({ backend, socket, paneId }: Opened): Arrival {
  if (backend === "tmux" && paneId) letPaneClose({ socket }, paneId);
  return { is: "up" };
}

function lastWordsOf({ backend, socket, paneId, log = "" }: Opened): string {
  if (backend === "headless") return readTail(log, LAST_WORDS_BYTES)?.text.trim() ?? "";
  if (backend !== "tmux" || !paneId) return "";
  const screen = readScreen({ socket }, paneId);
  closePane({ socket }, paneId);
  return screen;
}
