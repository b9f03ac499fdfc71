// Where somebody works on tasks: which list, as whom, under which rules.
import { notesOf } from "../../parse/task.ts";
import { badCall } from "../../run/command.ts";
import { type Identity, LEAD } from "../../run/identity.ts";
import type { Surroundings } from "../../run/surroundings.ts";
import { isNative } from "../../store/native-teams.ts";
import type { Places } from "../../store/paths.ts";
import type { Settings } from "../../store/settings-keys.ts";
import { readTasks } from "../../store/tasks.ts";
import { readTeam, type Team } from "../../store/team.ts";
import { signReader, whyLost } from "./owners.ts";
import type { Actor, Board } from "./rules.ts";

export interface Desk {
  places: Places;
  now: Date;
  list: string;
  team: string | undefined;
  actor: Actor;
  session: string | undefined;
  cwd: string;
  settings: Settings;
}

/** A subagent acts for its parent. A session without a team is its own lead, and so is a person at a terminal. */
export function actorOf({ kind, agent, parent, isLead, team }: Identity): Actor {
  if (kind === "subagent") return { name: parent, isLead: parent === undefined || parent === LEAD };
  return { name: agent, isLead: isLead || !team || !agent };
}

type Listed = Pick<Surroundings, "taskList">;

/** The list that the client's own Task tools use in this session; a named team is nothing to the client. */
export const clientList = ({ taskList }: Listed, team: string | undefined, session: string) =>
  taskList ?? (team && isNative(team) ? team : session);

/** Ours: what the environment names, then the team's, then the session's own. */
export function listOf({ taskList }: Listed, team: string | undefined, session: string | undefined): string {
  const list = taskList ?? team ?? session;
  if (!list) throw badCall("which list? there is neither a team nor a session here; --team NAME says it");
  return list;
}

export function boardOf({ places, list, team, actor, now, settings }: Desk): Board {
  const config = team ? readTeam(places, team) : undefined;
  const signsOf = signReader(places, team, config);
  const staleMs = settings["heartbeat.stale_s"] * 1_000;
  return {
    tasks: readTasks(places, list),
    team,
    roster: config?.members.map((member) => member.name),
    actor,
    whyLost: (task) => whyLost(signsOf(task), notesOf(task).lease?.at, now, staleMs),
  };
}

export function leadOf(config: Team): string {
  const lead = config.members.find(
    (member) =>
      (member.agentId !== undefined && member.agentId === config.leadAgentId) || member.agentType === LEAD,
  );
  return lead?.name ?? LEAD;
}
