// How long a process beside the sessions lives: while a session of a relayed team lives here. It holds a lock that it renews, stops when it
// loses it, and leaves when the last session is over, however that ended.
import { statSync } from "node:fs";
import type { Paths } from "../core/paths.ts";
import {
  isOpenSession,
  isProbablyAlive,
  readSessions,
  type SessionRecord,
} from "../sessions/store/sessions.ts";
import { takeLongLock } from "../system/long-lock.ts";
import { relayedTeams } from "./store/paths.ts";

const LOOK_EVERY_MS = 5_000;
/** So many looks in a row without a session end it: between `/clear` and the next start there is none. */
const EMPTY_LOOKS = 3;

interface Work {
  look: (teams: ReadonlySet<string>, isAnyAlive: boolean) => void;
  /** Before the lock is given back. */
  end?: () => Promise<void>;
}

/** False where another process has the lock, or no team has a relay. */
export async function whileSessionsLive(paths: Paths, path: string, { look, end }: Work): Promise<boolean> {
  const stop = { isStopped: false, wake: () => {} };
  const onEnd = () => {
    stop.isStopped = true;
    stop.wake();
  };
  const release = relayedTeams(paths).length > 0 ? await takeLongLock(path, onEnd) : undefined;
  if (!release) return false;
  process.on("SIGTERM", onEnd).on("SIGINT", onEnd);
  try {
    const script = stampOf(__filename);
    for (let empty = 0; !stop.isStopped && empty < EMPTY_LOOKS && stampOf(__filename) === script; ) {
      const teams = new Set(relayedTeams(paths));
      if (teams.size === 0) break;
      empty = readSessions(paths).some((record) => isLiving(record, teams, Date.now())) ? 0 : empty + 1;
      look(teams, empty === 0);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOK_EVERY_MS);
        stop.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    await end?.();
    if (!stop.isStopped) process.off("SIGTERM", onEnd).off("SIGINT", onEnd);
    await release().catch(() => {}); // it was taken from us
  }
  return true;
}

function isLiving(record: SessionRecord, teams: ReadonlySet<string>, now: number): boolean {
  const isOfTeam = record.team !== undefined && teams.has(record.team);
  return isOfTeam && isOpenSession(record) && isProbablyAlive(record, now);
}

/** A plugin that was replaced or removed under us: the next hook starts the processes it came with. */
const stampOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
