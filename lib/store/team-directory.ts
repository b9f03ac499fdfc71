// The directories of a named team: made whole or not at all, moved aside at the end, never deleted.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { anything, listOf } from "../parse/shape.ts";
import { namesIn } from "./list-directory.ts";
import { archivedTeamPath, archivesDir, inboxPath, type Places, tasksDir, teamDir } from "./paths.ts";
import { hasCode, isAbsence } from "./read-text.ts";
import { type Team, updateTeam } from "./team.ts";
import { updateJson } from "./update-json.ts";
import { makeDirectory } from "./write-file.ts";

/** False when the name is taken. The directory itself is the claim: of two who ask at once, one gets it. */
export function createTeamDirectory(places: Places, team: string, content: Team): boolean {
  const directory = teamDir(places, team);
  makeDirectory(dirname(directory));
  if (!makeOnce(directory)) return false;
  try {
    for (const { name } of content.members) makeInbox(places, team, name);
    makeDirectory(tasksDir(places, team));
    updateTeam(places, team, () => content);
    return true;
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

function makeOnce(directory: string): boolean {
  try {
    mkdirSync(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** An empty inbox, where there is none yet. */
export function makeInbox(places: Places, team: string, agent: string): void {
  updateJson(inboxPath(places, team, agent), listOf(anything), (stored) => (stored ? undefined : []));
}

/** Returns where the team and its tasks are now. */
export function archiveTeamDirectory(places: Places, team: string, stamp: string): string {
  const aside = archivedTeamPath(places, `${team}-${stamp}`);
  makeDirectory(aside);
  renameSync(teamDir(places, team), join(aside, "team"));
  try {
    renameSync(tasksDir(places, team), join(aside, "tasks"));
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
  return aside;
}

export interface Archive {
  team: string;
  stamp: string;
  path: string;
}

/** Newest first. */
export function readArchives(places: Places): Archive[] {
  return namesIn(archivesDir(places))
    .flatMap((name) => {
      const [, team, stamp] = name.match(/^(.+)-(\d{8}T\d{6}Z)$/) ?? [];
      return team && stamp ? { team, stamp, path: join(archivesDir(places), name) } : [];
    })
    .sort((a, b) => b.stamp.localeCompare(a.stamp));
}
