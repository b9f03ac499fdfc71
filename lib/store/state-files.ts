// Everything that stands in Swarm's and the teams' directories, for whoever looks after them. Only looked at, links not followed.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Places, swarmDir, teamsDir } from "./paths.ts";
import { hasCode, isAbsence } from "./read-text.ts";

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

export function readStateFiles(places: Places): StateFile[] {
  const found: StateFile[] = [];
  walk(swarmDir(places), true, found);
  walk(teamsDir(places), false, found);
  return found;
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
