// Which files may be removed: by their kind, their age and whether their session or process is still needed.

import { type FileKind, HALF_WRITTEN } from "../core/file-kind.ts";
import { appendJournal } from "../core/journal.ts";
import type { Paths } from "../core/paths.ts";
import { oncePer } from "../core/process.ts";
import { DAY_MS } from "../core/time.ts";
import type { Context } from "../hook/context.ts";
import { findSession, lifeOfRecord } from "../sessions/store/sessions.ts";
import { lifeOf, readProcess } from "../system/processes.ts";
import { listTeams, readTeam } from "../teams/store/config.ts";
import { kindOf, ownerOf } from "./file-kinds.ts";
import {
  HALF_WRITTEN_MS,
  markUpkeep,
  prune,
  readHeartbeatMarks,
  readOwnFiles,
  type StateFile,
} from "./store/state-files.ts";

export interface Facts {
  now: Date;
  keepDays: number;
  /** A person asked: kinds that somebody may want back are included. */
  isAsked: boolean;
  owners: ReturnType<typeof ownersIn>;
}

export type Leftover = ReturnType<typeof leftovers>[number];

export const leftovers = (files: readonly StateFile[], facts: Facts) =>
  files.flatMap((file) => leftover(file, facts) ?? []);

function leftover(file: StateFile, facts: Facts) {
  const kind = kindOf(file.name);
  return kind && mayGo(file, kind, facts)
    ? { kind: kind.name, path: file.path, bytes: file.size }
    : undefined;
}

function mayGo(file: StateFile, kind: FileKind, facts: Facts): boolean {
  const oldAfterMs = kind === HALF_WRITTEN ? HALF_WRITTEN_MS : facts.keepDays * DAY_MS;
  const isOld = facts.now.getTime() - file.changed.getTime() > oldAfterMs;
  if (kind.ends === "person") return facts.isAsked && isOld;
  if (file.isDirectory || kind.kept !== undefined) return false;
  const owner = ownerOf(kind, file.name);
  if (kind.ends === "process") return !facts.owners.isAlive(Number(owner));
  return isOld && (kind.ends === "age" || !facts.owners.isNeeded(owner));
}

export function ownersIn(paths: Paths) {
  const waking = new Set(
    listTeams(paths).flatMap((team) => {
      const roster = readTeam(paths, team);
      return [roster?.leadSessionId, ...(roster?.members ?? []).map(({ sessionId }) => sessionId)];
    }),
  );
  /** An unknown state counts as running. */
  const isRunning = (session: string) => {
    const record = findSession(paths, session);
    return record?.pid !== undefined && lifeOfRecord(record) !== "gone";
  };
  return {
    /** The session runs, or a team may resume it. */
    isNeeded: oncePer((session: string) => waking.has(session) || isRunning(session)),
    isRunning,
    isAlive: (pid: number) => lifeOf({ pid, startedAt: readProcess(paths, pid)?.startedAt }) !== "gone",
  };
}

// The daily upkeep: our own directory only, for a limited time after it is listed, with one journal line.
const LONGEST_MS = 300;

/** Marked first, so that of several sessions starting together one does it. What does not fit in the time waits until tomorrow. */
export function dailyUpkeep({ paths, now, settings, input }: Context): void {
  markUpkeep(paths);
  const files = [...readOwnFiles(paths), ...readHeartbeatMarks(paths)];
  const facts = { now, keepDays: settings["gc.keep_days"], isAsked: false, owners: ownersIn(paths) };
  const until = Date.now() + LONGEST_MS;
  const pruned = files.filter(
    (file) => Date.now() <= until && leftover(file, facts) && prune(file.path, paths.base),
  );
  if (pruned.length === 0) return;
  const note = { event: "SessionStart", session: input.session_id, agent: "main", feature: "upkeep" };
  appendJournal(paths, now, { ...note, what: "pruned", files: pruned.length });
}
