// Teams and members that do not exist: refused by every verb, with the nearest names.
import { nearestOf } from "../core/nearest.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/text.ts";
import { isNative, listTeams, readTeam, type Team } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { badCall, type Call, refused } from "./command.ts";

export function requireTeamName(paths: Paths, name: string): Team {
  const bad = whyNotSegment(name);
  if (bad) throw badCall(`the team's name ${bad}`);
  const team = readTeam(paths, name);
  if (!team) throw noTeam(paths, name);
  return team;
}

export function noTeam(paths: Paths, name: string): Error {
  const archive = readArchives(paths).find((one) => one.team === name);
  if (archive)
    return refused(
      `the team ${name} was archived at ${archive.stamp}: its files are in ${archive.path}`,
      `swarm create ${name} creates a new one`,
    );
  const teams = listTeams(paths);
  const hint = teams.length > 0 ? "swarm list-teams lists all teams" : createHint(name);
  return refused(`there is no team ${plainLine(name)}${nearestOf(name, teams)}`, hint);
}

const createHint = (name: string): string =>
  /^[\w-]+$/.test(name) ? `\`swarm create ${name}\` makes it` : `${CREATE} makes one`;

/** For a stray word of a verb that takes `--team`. */
export const asTeamFlag = (paths: Paths, word: string): string =>
  listTeams(paths).includes(word) ? `; a team is named by --team ${plainLine(word)}` : "";

/** For a verb that was given no team, by a caller that belongs to none. */
export function whichTeam({ paths, session }: Pick<Call, "paths" | "session">): Error {
  const teams = listTeams(paths).filter((name) => !isNative(name));
  if (teams.length === 0) return badCall(`which team? there is none yet: ${CREATE} makes one`);
  const own = session ? `this session belongs to none: ${CREATE} makes one, or ` : "";
  return badCall(`which team? ${own}name one of: ${teams.map(plainLine).join(", ")}`);
}

const CREATE = "`swarm create TEAM`";

export function requireMemberName(name: string, team: string, names: readonly string[]): void {
  if (!names.includes(name)) throw noMember(name, team, names);
}

export const noMember = (name: string, team: string, names: readonly string[]): Error =>
  refused(
    `there is no ${plainLine(name)} in team ${team}${nearestOf(name, names)}`,
    `members of ${team}: ${names.map(plainLine).join(", ") || "none"}`,
  );
