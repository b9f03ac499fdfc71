// `swarm list-teams`: named teams, the client's teams and archived ones.

import type { Call } from "../cli/command.ts";
import { counted, plainLines } from "../core/text.ts";
import { isNative, listTeams, type Member, readTeam, statusOf, type Team } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { lifeOfMember, lifeOfSession } from "../teams/store/liveness.ts";
import type { LIST_FLAGS } from "./commands.ts";
import { isMemberRunning } from "./end.ts";
import { isSpawned } from "./roster.ts";

type ListCall = Call<typeof LIST_FLAGS>;

export function listTeamsVerb(call: ListCall) {
  const rows = listTeams(call.paths).flatMap((name) => rowOf(call, name) ?? []);
  const archives = readArchives(call.paths);
  const lines = rows.map(
    ({ team, status, lead, members, running, description }) =>
      `${team}  ${status}  lead ${lead}  ${counted(members, "member")}, ${running} running${description ? `  ${description}` : ""}`,
  );
  if (call.flags.all)
    lines.push(...archives.map(({ team, stamp, path }) => `${team}  archived ${stamp}  ${path}`));
  else if (archives.length > 0) lines.push(`(${archives.length} archived; --all lists them)`);
  const text = plainLines(lines) || "No teams yet; `swarm create <name>` creates one.";
  return { text, data: { teams: rows, archives } };
}

function rowOf(call: ListCall, name: string) {
  const team = readTeam(call.paths, name);
  if (!team) return undefined;
  const native = isNative(name);
  const runs = (one: Member) =>
    isSpawned(one)
      ? isMemberRunning(name, one)
      : one.status !== "offline" && lifeOfMember(call.paths, one).life !== "gone";
  return {
    team: name,
    status: native ? "native" : statusOf(team),
    lead: leadText(call, team),
    members: team.members.length,
    running: native ? team.members.length : team.members.filter(runs).length,
    description: team.description,
  };
}

function leadText({ paths }: ListCall, team: Team): string {
  const { leadSessionId } = team;
  if (!leadSessionId) return "none";
  const isGone = lifeOfSession(paths, leadSessionId, team).life === "gone";
  return `${leadSessionId.slice(0, 8)}${isGone ? " (gone)" : ""}`;
}
