// The directories of a named team: made whole or not at all, moved aside at the end, never deleted.

import { renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDirectory, makeDirectory, namesIn, writeJson } from "../../core/files.ts";
import { type Paths, segment } from "../../core/paths.ts";
import { type Team, teamConfigPath, teamDir } from "./config.ts";

export const archivesDir = (paths: Paths) => join(paths.base, "archives");

/** False when the name is taken. `fill` makes what else belongs to a team; if it fails, nothing of the team stays. Making the directory is the claim: of two simultaneous callers one gets it. */
export function createTeamDirectory(paths: Paths, team: string, content: Team, fill: () => void): boolean {
  const directory = teamDir(paths, team);
  makeDirectory(dirname(directory));
  if (!createDirectory(directory)) return false;
  try {
    fill();
    writeJson(teamConfigPath(paths, team), content, { durable: true });
    return true;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

export const archivedTeamDir = (archive: string) => join(archive, "team");
export const archivedTasksDir = (archive: string) => join(archive, "tasks");

export function archiveTeamDirectory(paths: Paths, team: string, stamp: string): string {
  const aside = join(archivesDir(paths), `${segment(team)}-${stamp}`);
  makeDirectory(aside);
  renameSync(teamDir(paths, team), archivedTeamDir(aside));
  return aside;
}

/** Newest first. */
export const readArchives = (paths: Paths) =>
  namesIn(archivesDir(paths))
    .flatMap((name) => {
      const [, team, stamp] = name.match(/^(.+)-(\d{8}T\d{6}Z)$/) ?? [];
      return team && stamp ? { team, stamp, path: join(archivesDir(paths), name) } : [];
    })
    .sort((a, b) => b.stamp.localeCompare(a.stamp));
