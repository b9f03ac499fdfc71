// Whose tokens they are: a session or somebody inside it, by the name and team others know it by.
import type { Paths } from "../../core/paths.ts";
import { inProcessName, readSessions } from "../../sessions/store/sessions.ts";
import { leadOf, listTeams, readTeam } from "../../teams/store/config.ts";
import { type CostIndex, rememberNames, speakerKey } from "./cost-index.ts";
import { type LeftOut, orLeftOut } from "./left-out.ts";
import type { Named } from "./transcripts.ts";

export interface Speaker {
  team: string;
  /** In a table: `alice`, or `alice/Explore` for her subagent. */
  label: string;
  /** Whose tasks and budget it works on: a subagent works on its parent's. */
  owner: string;
}

export type Speakers = (session: string, agentId: string) => Speaker;

/** What session records and teams know is written down in the index: it is removed there when it is old. */
export function speakersOf(paths: Paths, index: CostIndex, leftOut: LeftOut): Speakers {
  rememberNames(paths, index, namesNow(paths, index, leftOut));
  const ofSession = (session: string): Speaker => {
    const { team = "", name = "" } = index.named.get(session) ?? {};
    const label = name || shortSession(session);
    return { team, label, owner: label };
  };
  return (session, agentId) => {
    const parent = ofSession(session);
    if (!agentId) return parent;
    const known = index.named.get(speakerKey(session, agentId));
    const name = known?.name || (known?.type ? "" : (inProcessName(agentId) ?? ""));
    if (name) return { team: known?.team || parent.team, label: name, owner: name };
    return { team: parent.team, label: `${parent.label}/${known?.type || "subagent"}`, owner: parent.label };
  };
}

function namesNow(paths: Paths, index: CostIndex, leftOut: LeftOut): Named[] {
  const spoken = new Set([...index.answers.values()].map(({ session }) => session));
  if (spoken.size === 0) return [];
  const one = (session: string | undefined, team: string, name: string): Named[] =>
    session && spoken.has(session) ? [{ session, agentId: "", team, name, type: "" }] : [];
  const fromTeams = listTeams(paths).flatMap((team) => {
    const roster = orLeftOut(leftOut, `team ${team} was`, () => readTeam(paths, team));
    return [
      ...one(roster?.leadSessionId, team, leadOf(roster)),
      ...(roster?.members ?? []).flatMap(({ sessionId, name }) => one(sessionId, team, name)),
    ];
  });
  const fromRecords = readSessions(paths).flatMap(({ session, team, agent }) =>
    team && agent ? one(session, team, agent) : [],
  );
  return [...new Map([...fromTeams, ...fromRecords].map((named) => [named.session, named])).values()];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
/** As on the board. */
const shortSession = (session: string) => (UUID.test(session) ? session.slice(0, 8) : session);
