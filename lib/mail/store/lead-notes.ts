import type { Paths } from "../../core/paths.ts";
import { leadOf, readTeam } from "../../teams/store/config.ts";
import { appendMessage } from "./inbox.ts";
import { newMessage } from "./message.ts";

export interface Note {
  from: string;
  text: string;
  summary: string;
  at: Date;
}

/** Mail from Swarm to a team's lead. False where there is no such team, for example one that only `.atm.toml` names. */
export function notifyLead(paths: Paths, team: string, note: Note): boolean {
  const config = readTeam(paths, team);
  if (!config) return false;
  appendMessage(paths, team, leadOf(config), newMessage({ ...note, kind: "system" }));
  return true;
}
