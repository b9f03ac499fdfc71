// A team's config as most calls need it: who is in it and who holds which seat. Lenient and quick, since it is read for every
// message; changing a team goes through team.ts.
import { type Shape, table } from "../parse/shape.ts";
import { isNative } from "./native-teams.ts";
import { type Places, teamConfigPath } from "./paths.ts";
import { readForeignJson, readJson } from "./read-json.ts";

export interface RosterMember {
  name: string;
  agentId?: string;
  agentType?: string;
  sessionId?: string;
  pid?: number;
  pidStartedAt?: string;
  status?: string;
  lastSeen?: string;
  /** For a member on another machine: which, and its name there. */
  machine?: string;
  agent?: string;
  /** What that machine last said of it, and when that machine last gave a sign. */
  state?: string;
  task?: string;
  machineSeen?: string;
}

export interface Roster {
  leadAgentId?: string;
  leadSessionId?: string;
  status?: string;
  members: RosterMember[];
}

/** A field of another type counts as missing: one odd value must not cost the team its mail. */
const shape: Shape<Roster> = (value, at) => {
  const { members, ...team } = table(value, at);
  return { ...texts(team), members: Array.isArray(members) ? members.flatMap(asMember) : [] };
};

function asMember(value: unknown): RosterMember[] {
  if (typeof value !== "object" || value === null) return [];
  const { pid, ...given } = value as Record<string, unknown>;
  const member = { ...texts(given), ...(typeof pid === "number" ? { pid } : {}) } as Partial<RosterMember>;
  return member.name ? [member as RosterMember] : [];
}

const texts = (given: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );

export function readRoster(places: Places, team: string): Roster | undefined {
  const path = teamConfigPath(places, team);
  return isNative(team) ? readForeignJson(path, shape) : readJson(path, shape);
}

export const inRoster = (roster: Roster | undefined, name: string): RosterMember | undefined =>
  roster?.members.find((member) => member.name === name);
