// Named teams: ours, persistent, one directory each. Native teams (`session-…`) share the place and are only read.
import { readdirSync } from "node:fs";
import * as z from "zod/mini";
import { isNative } from "./native-teams.ts";
import { type Places, teamConfigPath, teamsDir, whyNotSegment } from "./paths.ts";
import { readForeignJson, readJson } from "./read-json.ts";
import { isAbsence } from "./read-text.ts";
import { type UpdateOptions, updateJson } from "./update-json.ts";

const maybe = () => z.optional(z.string());
// The client writes times as numbers, seed 001 as text: both are read, text is written.
const time = () => z.optional(z.union([z.string(), z.number()]));

const memberSchema = () =>
  z.looseObject({
    name: z.string(),
    agentId: maybe(),
    agentType: maybe(),
    model: maybe(),
    color: maybe(),
    joinedAt: time(),
    cwd: maybe(),
    sessionId: maybe(),
    pid: z.optional(z.number()),
    pidStartedAt: maybe(),
    paneId: maybe(),
    /** `tmux`, `kitty`, `headless`: started by us; `joined`: a session that came by itself and is not ours to end. */
    backend: maybe(),
    /** Where tmux or kitty answers. */
    socket: maybe(),
    /** What a headless one prints. */
    log: maybe(),
    permissionMode: maybe(),
    /** `starting`, `active`, `idle`, `offline`. */
    status: maybe(),
    lastSeen: maybe(),
    prompt: maybe(),
  });

const teamSchema = () =>
  z.looseObject({
    name: maybe(),
    description: maybe(),
    createdAt: time(),
    leadAgentId: maybe(),
    leadSessionId: maybe(),
    /** `active`, `suspended`, `archived`. */
    status: maybe(),
    suspendedAt: maybe(),
    resumedAt: maybe(),
    members: z._default(z.array(memberSchema()), []),
  });

export type Member = z.output<ReturnType<typeof memberSchema>>;
export type Team = z.output<ReturnType<typeof teamSchema>>;

/** Native configs are rewritten in place by the client, so a broken read there is no damage. */
export function readTeam(places: Places, team: string): Team | undefined {
  const path = teamConfigPath(places, team);
  return isNative(team) ? readForeignJson(path, teamSchema()) : readJson(path, teamSchema());
}

export function updateTeam(
  places: Places,
  team: string,
  change: (stored: Team | undefined) => Team | undefined,
  options: UpdateOptions = {},
): Team | undefined {
  if (isNative(team)) throw new Error(`${team} belongs to the client; its config is not ours to write`);
  return updateJson(teamConfigPath(places, team), teamSchema(), change, { durable: true, ...options });
}

export function listTeams(places: Places): string[] {
  try {
    const names = readdirSync(teamsDir(places), { withFileTypes: true });
    return names.flatMap((one) => (one.isDirectory() && !whyNotSegment(one.name) ? one.name : []));
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

export const memberOf = (team: Team, name: string): Member | undefined =>
  team.members.find((member) => member.name === name);

/** The member that leads, whichever session it has at the moment. */
export const isLeadMember = (team: Team, member: Member): boolean =>
  member.name === "team-lead" || (team.leadAgentId !== undefined && member.agentId === team.leadAgentId);
