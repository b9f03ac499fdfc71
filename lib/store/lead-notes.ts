// A note from Swarm to a team's lead, as mail: kept until it is read, whoever is running.
import { appendMessage } from "./inbox.ts";
import { newId } from "./journal.ts";
import type { Places } from "./paths.ts";
import { readTeam, type Team } from "./team.ts";

const USUAL_LEAD = "team-lead";

export interface Note {
  from: string;
  text: string;
  summary: string;
  at: Date;
}

/** False where there is no such team, for example one that only `.atm.toml` names. */
export function tellLead(places: Places, team: string, { from, text, summary, at }: Note): boolean {
  const config = readTeam(places, team);
  if (!config) return false;
  appendMessage(places, team, leadNameOf(config), {
    id: newId(at),
    from,
    text,
    timestamp: at.toISOString(),
    read: false,
    summary,
    kind: "system",
  });
  return true;
}

const leadNameOf = ({ leadAgentId, members }: Team): string =>
  members.find(({ agentId }) => agentId !== undefined && agentId === leadAgentId)?.name ?? USUAL_LEAD;
