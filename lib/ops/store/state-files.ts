// The files in Swarm's and the teams' directories, for gc and the doctor: listing and removing. Links are not followed.
import { lstatSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileKind } from "../../core/file-kind.ts";
import { attempt, hasCode, ifThere, ignoring, isBelow, writeWhole } from "../../core/files.ts";
import { WATCHED_MS, withLock } from "../../core/lock.ts";
import { type Paths, segment, swarmDir, swarmPath, upkeepPath } from "../../core/paths.ts";
import { DAY_MS } from "../../core/time.ts";
import { teamsDir } from "../../teams/store/config.ts";
import { archivesDir } from "../../teams/store/directory.ts";
import { HEARTBEAT_MARK } from "../../teams/store/liveness.ts";

export interface StateFile {
  path: string;
  /** Below the client's directory, below `tmp/` for one in the temporary directory, with `/` between the parts. */
  name: string;
  isDirectory: boolean;
  size: number;
  mode: number;
  changed: Date;
}

const MOST_FILES = 50_000;
/** A half-written file of this age was left by a killed process. */
export const HALF_WRITTEN_MS = 3_600_000;

export const readStateFiles = (paths: Paths): StateFile[] => [
  ...readOwnFiles(paths),
  ...filesAt(teamsDir(paths), "teams"),
];

/** The teams' directory is shared with the client. */
export const isOurs = ({ name }: StateFile): boolean => name.startsWith("swarm");

/** Our own directory only: quick enough for a session start. */
export const readOwnFiles = (paths: Paths): StateFile[] => filesAt(swarmDir(paths), "swarm");

/** Archived teams, each as one file with the size of all that is in it. */
export function readArchives(paths: Paths): StateFile[] {
  return namesIn(archivesDir(paths)).flatMap((name) => {
    const all = filesAt(join(archivesDir(paths), name), `archives/${name}`);
    return all[0] ? { ...all[0], isDirectory: false, size: bytesOf(all) } : [];
  });
}

export const bytesOf = (files: readonly StateFile[]): number =>
  files.reduce((sum, { isDirectory, size }) => sum + (isDirectory ? 0 : size), 0);

/** The throttle marks of heartbeats, in a directory that other users may share. */
export function readHeartbeatMarks(paths: Paths): StateFile[] {
  return namesIn(paths.tmp)
    .filter((name) => name.startsWith(HEARTBEAT_MARK))
    .flatMap((name) => filesAt(join(paths.tmp, name), `tmp/${name}`))
    .filter(({ isDirectory }) => !isDirectory);
}

/** The file or directory itself, then what is below it. */
function filesAt(path: string, name: string, found: StateFile[] = []): StateFile[] {
  const stat = found.length < MOST_FILES ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (!stat || stat.isSymbolicLink()) return found;
  const { size, mode, mtime: changed } = stat;
  const isDirectory = stat.isDirectory();
  found.push({ path, name, isDirectory, size, mode: mode & 0o777, changed });
  if (isDirectory) for (const entry of namesIn(path)) filesAt(join(path, entry), `${name}/${entry}`, found);
  return found;
}

/** What may not be read is named by its permissions, one step above. */
const namesIn = (directory: string): string[] => ifThere(() => readdirSync(directory).sort(), "EACCES") ?? [];

/** Takes and releases the lock by its own rules, so that a holder that came back keeps it. False when it is held. */
export function releaseLock(lock: string): boolean {
  const release = () => withLock(lock.slice(0, -".lock".length), () => true, 2 * WATCHED_MS);
  return ignoring((error) => hasCode(error, "ELOCKED"), release) ?? false;
}

/** Removes a file or a whole archived team, and the directories that are empty without it, up to `top`. False where it may not. */
export function prune(path: string, top: string, failures: string[] = []): boolean {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    failures.push(`not removed: ${(error as Error).message}`);
    return false;
  }
  attempt(() => {
    for (let at = dirname(path); at !== top && isBelow(at, top); at = dirname(at)) rmdirSync(at);
  });
  return true;
}

/** The directories that nothing is in, the inner ones first. */
export function removeEmpty(files: readonly StateFile[]): void {
  for (const { path, isDirectory } of files.toReversed())
    if (isDirectory) ifThere(() => rmdirSync(path), "ENOTEMPTY", "EEXIST", "EACCES", "EPERM", "EBUSY");
}

// The domain's own files: reports and bug reports, where no other place is named, in a directory of the person's own, never in a
// project; and the mark of the daily upkeep, an empty file whose age says when it last ran.

export const OPS_FILES: readonly FileKind[] = [
  { name: "mark of the daily upkeep", path: "swarm/upkeep", kept: "one" },
  { name: "reports", path: "swarm/reports/<file>", ends: "person" },
];

/** Also where the clock was set back since: until it has caught up nothing would be removed. */
export const isUpkeepDue = (paths: Paths, now: Date): boolean =>
  Math.abs(now.getTime() - (statSync(upkeepPath(paths), { throwIfNoEntry: false })?.mtimeMs ?? 0)) > DAY_MS;

export const markUpkeep = (paths: Paths): void => writeWhole(upkeepPath(paths), "");

export const reportPath = (paths: Paths, name: string): string => swarmPath(paths, "reports", segment(name));
