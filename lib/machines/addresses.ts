// Who is where. In a relayed team the local config also lists the members of other machines.

import type { Paths } from "../core/paths.ts";
import { isRemote, type Member, type RemoteMember, readTeam, type Team } from "../teams/store/config.ts";
import type { Address } from "./names.ts";

type Members = Pick<Team, "members"> | undefined;

export const remoteMembers = (team: Members): RemoteMember[] => (team?.members ?? []).filter(isRemote);
export const localMembers = (team: Members): Member[] =>
  (team?.members ?? []).filter((member) => !isRemote(member));

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

/** For the sender of a message: also of one that is no member there, such as a person at a terminal. */
export function displayOf(paths: Paths, team: string, address: Address): string {
  const config = readTeam(paths, team);
  const locals = new Set(localMembers(config).map(({ name }) => name));
  return displayName(address, locals, remoteMembers(config));
}
