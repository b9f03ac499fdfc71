// Everything that stands in Swarm's and the teams' directories, for whoever looks after them. Only looked at, links not followed.
import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { archivesDir, heartbeatPath, type Paths, swarmDir, teamsDir } from "../../core/paths.ts";
import { hasCode, isAbsence } from "../../core/read-file.ts";

export interface StateFile {
  path: string;
  /** Ours alone: the teams' directory is shared with the client. */
  isOurs: boolean;
  isDirectory: boolean;
  size: number;
  mode: number;
  changed: Date;
}

const MOST_FILES = 50_000;

export function readStateFiles(paths: Paths): StateFile[] {
  const found: StateFile[] = [];
  walk(swarmDir(paths), true, found);
  walk(teamsDir(paths), false, found);
  return found;
}

/** Ours alone: quick enough to be looked through at a session's start. */
export function readOwnFiles(paths: Paths): StateFile[] {
  const found: StateFile[] = [];
  walk(swarmDir(paths), true, found);
  return found;
}

/** Archived teams, each as one entry with the size of all that is in it. */
export function readArchives(paths: Paths): StateFile[] {
  return namesIn(archivesDir(paths)).flatMap((name) => {
    const within: StateFile[] = [];
    walk(join(archivesDir(paths), name), true, within);
    const [top] = within;
    return top
      ? { ...top, size: within.reduce((sum, one) => sum + (one.isDirectory ? 0 : one.size), 0) }
      : [];
  });
}

/** The throttle marks of heartbeats, in a directory that strangers may share. */
export function readHeartbeatMarks(paths: Paths): StateFile[] {
  const mark = basename(heartbeatPath(paths, "x", "x")).slice(0, -"x-x".length);
  const found: StateFile[] = [];
  for (const name of namesIn(paths.tmp)) if (name.startsWith(mark)) walk(join(paths.tmp, name), true, found);
  return found.filter(({ isDirectory }) => !isDirectory);
}

function walk(path: string, isOurs: boolean, found: StateFile[]): void {
  if (found.length >= MOST_FILES) return;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink()) return;
  const isDirectory = stat.isDirectory();
  found.push({ path, isOurs, isDirectory, size: stat.size, mode: stat.mode & 0o777, changed: stat.mtime });
  if (isDirectory) for (const name of namesIn(path)) walk(join(path, name), isOurs, found);
}

/** What may not be read is named by its permissions, one step above. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch (error) {
    if (isAbsence(error) || hasCode(error, "EACCES")) return [];
    throw error;
  }
}
