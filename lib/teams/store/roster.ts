// A team's config as most calls need it: who is in it and who holds which mailbox. Lenient and quick, since it is read for every
// message; changing a team goes through team.ts.

import { readForeignJson, readJson } from "../../core/json.ts";
import { type Paths, teamConfigPath } from "../../core/paths.ts";
import { type Shape, table } from "../../core/shape.ts";
import { readEndMarks, withEndMarks } from "./end-marks.ts";
import { isNative } from "./native-teams.ts";

export interface RosterMember {
  name: string;
  agentId?: string;
  agentType?: string;
  sessionId?: string;
  pid?: number;
  pidStartedAt?: string;
  status?: string;
  lastSeen?: string;
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

export function readRoster(paths: Paths, team: string): Roster | undefined {
  const path = teamConfigPath(paths, team);
  if (isNative(team)) return readForeignJson(path, shape);
  const marks = readEndMarks(paths, team);
  const roster = readJson(path, shape);
  return roster && marks.length > 0 ? { ...roster, members: withEndMarks(roster.members, marks) } : roster;
}

export const findMember = (roster: Roster | undefined, name: string): RosterMember | undefined =>
  roster?.members.find((member) => member.name === name);
