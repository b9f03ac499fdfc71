// `swarm list-teams`: named teams, the client's teams and archived ones.

import type { Paths } from "../core/paths.ts";
import { counted, plainLines } from "../core/text.ts";
import { isNative, listTeams, type Member, readTeam, statusOf } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { lifeOfSession, mayBeRunning } from "../teams/store/liveness.ts";
import type { CallOf } from "./commands.ts";
import { isMemberRunning } from "./end.ts";
import { isSpawned } from "./roster.ts";

export function listTeamsVerb({ paths, flags }: CallOf<"list">) {
  const rows = listTeams(paths).flatMap((name) => rowOf(paths, name) ?? []);
  const archives = readArchives(paths);
  const lines = rows.map(({ team, status, lead, members, running, description }) => {
    const about = description ? `  ${description}` : "";
    return `${team}  ${status}  lead ${lead}  ${counted(members, "member")}, ${running} running${about}`;
  });
  if (flags.all)
    lines.push(...archives.map(({ team, stamp, path }) => `${team}  archived ${stamp}  ${path}`));
  else if (archives.length > 0) lines.push(`(${archives.length} archived; --all lists them)`);
  const text = plainLines(lines) || "No teams yet; `swarm create <name>` creates one.";
  return { text, data: { teams: rows, archives } };
}

function rowOf(paths: Paths, name: string) {
  const team = readTeam(paths, name);
  if (!team) return undefined;
  const { leadSessionId, members, description } = team;
  const isLeadGone = leadSessionId && lifeOfSession(paths, leadSessionId, team).life === "gone";
  const runs = (one: Member) => (isSpawned(one) ? isMemberRunning(name, one) : mayBeRunning(paths, one));
  return {
    team: name,
    status: isNative(name) ? "native" : statusOf(team),
    lead: leadSessionId ? `${leadSessionId.slice(0, 8)}${isLeadGone ? " (gone)" : ""}` : "none",
    members: members.length,
    running: isNative(name) ? members.length : members.filter(runs).length,
    description,
  };
}
