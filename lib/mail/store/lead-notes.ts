// A note from Swarm to a team's lead, as mail: kept until it is read, whoever is running.

import { newId } from "../../core/journal.ts";
import type { Paths } from "../../core/paths.ts";
import { leadOf, readTeam } from "../../teams/store/config.ts";
import { appendMessage } from "./inbox.ts";

export interface Note {
  from: string;
  text: string;
  summary: string;
  at: Date;
}

/** False where there is no such team, for example one that only `.atm.toml` names. */
export function notifyLead(paths: Paths, team: string, { from, text, summary, at }: Note): boolean {
  const config = readTeam(paths, team);
  if (!config) return false;
  appendMessage(paths, team, leadOf(config), {
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
