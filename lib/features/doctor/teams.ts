// Teams that lost their lead, members that ended without a word, and records of processes that are no more.
import { lifeOfSession } from "../../store/lead.ts";
import { lifeOfMember } from "../../store/liveness.ts";
import { isNative, readNativeTeams } from "../../store/native-teams.ts";
import { type Places, teamDir } from "../../store/paths.ts";
import { lifeOf, readProcesses } from "../../store/processes.ts";
import { listTeams, readTeam, type Team } from "../../store/team.ts";
import { counted, type Finding, ok, some, warn } from "./finding.ts";

export function teamFindings(places: Places): Finding[] {
  const named = listTeams(places).filter((name) => !isNative(name));
  const found = [
    ...named.flatMap((name) => namedFindings(places, name)),
    ...nativeFindings(places),
    ...processFindings(places),
  ];
  return found.length > 0 ? found : [ok(`${counted(named.length, "named team")}, nothing left behind`)];
}

function namedFindings(places: Places, name: string): Finding[] {
  const team = readTeam(places, name);
  if (!team)
    return [
      warn(
        `the team ${name} has no config`,
        [teamDir(places, name)],
        "if nobody uses it, move the directory away",
      ),
    ];
  if (team.status === "suspended" || team.status === "archived") return [];
  return [...leadFinding(places, name, team), ...memberFinding(places, name, team)];
}

function leadFinding(places: Places, name: string, team: Team): Finding[] {
  if (!team.leadSessionId) return [];
  const { is, evidence } = lifeOfSession(places, team.leadSessionId, team);
  if (is !== "gone") return [];
  return [
    warn(
      `the lead of ${name} is gone`,
      [evidence],
      `\`swarm resume ${name}\` takes the lead over; \`swarm cleanup ${name}\` ends the team`,
    ),
  ];
}

function memberFinding(places: Places, name: string, team: Team): Finding[] {
  const lost = team.members.flatMap((member) => {
    if (member.status === "offline" || member.sessionId === team.leadSessionId) return [];
    const { life, proof } = lifeOfMember(places, member);
    return life === "gone" ? `${member.name}: ${proof}` : [];
  });
  if (lost.length === 0) return [];
  return [
    warn(
      `${counted(lost.length, "member")} of ${name} ended without a word`,
      some(lost),
      `\`swarm resume ${name}\` brings back whom Swarm started; \`swarm cleanup ${name} --members\` shows whom it would take off`,
    ),
  ];
}

function nativeFindings(places: Places): Finding[] {
  const left = readNativeTeams(places).flatMap(({ name, leadSessionId, leadProcess }) => {
    const life = lifeOf({ pid: leadProcess?.pid, startedAt: leadProcess?.procStart });
    if (life === "gone") return `${name}: process ${leadProcess?.pid} of its lead has ended`;
    if (life === "alive" || !leadSessionId) return [];
    const { is, evidence } = lifeOfSession(places, leadSessionId);
    return is === "gone" ? `${name}: ${evidence}` : [];
  });
  if (left.length === 0) return [];
  return [
    warn(
      `${counted(left.length, "team")} of the client left behind`,
      some(left),
      "they belong to the client, which starts a new one each time; delete them from the teams directory if you like",
    ),
  ];
}

function processFindings(places: Places): Finding[] {
  const gone = readProcesses(places).filter((known) => lifeOf(known) === "gone");
  if (gone.length === 0) return [];
  return [
    warn(
      `${counted(gone.length, "client")} ended without a word`,
      some(gone.map(({ pid, session }) => `process ${pid}, session ${session}`)),
      "nothing has to be done: the next session that starts closes their records",
    ),
  ];
}
