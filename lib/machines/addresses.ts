// Who is where. In a relayed team the local config also lists the members of other machines, with their machine; their local
// inbox is the outbox of everybody here, and the courier is its reader.

import type { Places } from "../store/paths.ts";
import { type Member, readTeam, type Team } from "../store/team.ts";
import type { Address } from "./names.ts";

export interface RemoteMember extends Member {
  machine: string;
  /** Its name on its own machine. */
  agent: string;
}

export const isRemote = (member: Member): member is RemoteMember =>
  typeof member["machine"] === "string" && typeof member["agent"] === "string";

export const remoteMembers = (team: Team): RemoteMember[] => team.members.filter(isRemote);
export const localMembers = (team: Team): Member[] => team.members.filter((member) => !isRemote(member));

/** `bob` where that means one member of the whole team, else `bob@machine`. */
export function displayName(
  address: Address,
  locals: ReadonlySet<string>,
  remotes: readonly Address[],
): string {
  const { machine, agent } = address;
  const isKnown = remotes.some((one) => one.machine === machine && one.agent === agent);
  const others = remotes.filter((one) => one.agent === agent && one.machine !== machine);
  return isKnown && others.length === 0 && !locals.has(agent) ? agent : `${agent}@${machine}`;
}

/** For the sender of a message: also of somebody who is no member there, such as a terminal. */
export function displayOf(places: Places, team: string, address: Address): string {
  const config = readTeam(places, team);
  const locals = new Set(config ? localMembers(config).map(({ name }) => name) : []);
  return displayName(address, locals, config ? remoteMembers(config) : []);
}

/** What `bob@machine` means in a team, whatever name its config has for that member. */
export function nameFor(team: Pick<Team, "members">, address: string): string | undefined {
  const [, agent, machine] = address.match(/^(.+)@([^@]+)$/) ?? [];
  return team.members.find(
    (member) => isRemote(member as Member) && member["agent"] === agent && member["machine"] === machine,
  )?.name;
}
