// Teams and members that do not exist: refused by every verb, with the nearest names.
import { nearestOf } from "../core/nearest.ts";
import { type Paths, whyNotSegment } from "../core/paths.ts";
import { plainLine } from "../core/text.ts";
import { listTeams, readTeam, type Team } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { badCall, refused } from "./command.ts";

/** The team of that name, or an error that says what was probably meant. */
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
  return refused(
    `there is no team ${plainLine(name)}${nearestOf(name, listTeams(paths))}`,
    "swarm list-teams lists all teams",
  );
}

export function requireMemberName(name: string, team: string, names: readonly string[]): void {
  if (!names.includes(name)) throw noMember(name, team, names);
}

export const noMember = (name: string, team: string, names: readonly string[]): Error =>
  refused(
    `there is no ${plainLine(name)} in team ${team}${nearestOf(name, names)}`,
    `members of ${team}: ${names.map(plainLine).join(", ") || "none"}`,
  );
