// `swarm list-teams`: named teams, the client's teams and archived ones.

import { counted, plainLines } from "../core/text.ts";
import { isNative, listTeams, type Member, readTeam, statusOf } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { lifeOfMember, lifeOfSession } from "../teams/store/liveness.ts";
import type { CallOf } from "./commands.ts";
import { isMemberRunning } from "./end.ts";
import { isSpawned } from "./roster.ts";

export function listTeamsVerb(call: CallOf<"list">) {
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

function rowOf(call: CallOf<"list">, name: string) {
  const team = readTeam(call.paths, name);
  if (!team) return undefined;
  const { leadSessionId } = team;
  const isLeadGone = leadSessionId && lifeOfSession(call.paths, leadSessionId, team).life === "gone";
  const native = isNative(name);
  const runs = (one: Member) =>
    isSpawned(one)
      ? isMemberRunning(name, one)
      : one.status !== "offline" && lifeOfMember(call.paths, one).life !== "gone";
  return {
    team: name,
    status: native ? "native" : statusOf(team),
    lead: leadSessionId ? `${leadSessionId.slice(0, 8)}${isLeadGone ? " (gone)" : ""}` : "none",
    members: team.members.length,
    running: native ? team.members.length : team.members.filter(runs).length,
    description: team.description,
  };
}
