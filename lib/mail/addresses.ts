// Whom an address of `swarm send` means: `bob`, `bob@team`, or `bob@laptop` for a member on another machine.

import { type Paths, whyNotSegment } from "../core/paths.ts";
import { machineIn } from "../machines/store/paths.ts";
import {
  isRemote,
  LEAD,
  leadOf,
  listTeams,
  memberNames,
  memberOf,
  readTeam,
  type Team,
} from "../teams/store/config.ts";

/** A name, and the team behind its last `@`. */
export function parsed(address: string): { name: string; ofTeam: string | undefined } {
  const [, name = "", ofTeam] = address.match(/^(.*?)(?:@([^@]*))?$/) ?? [];
  return { name, ofTeam };
}

/** Skills and prompts call every lead `team-lead`. */
export const nameIn = (roster: Team, name: string): string =>
  name === LEAD && !memberNames(roster).includes(name) ? leadOf(roster) : name;

/** `bob@laptop`: a member of this team on that machine, by the name it has here. */
export function nameOnMachine(paths: Paths, team: string, roster: Team, address: string): string | undefined {
  if (!address.includes("@")) return undefined;
  const isTeam = (name: string) => listTeams(paths).includes(name);
  const writer = writerOf(address, isTeam);
  const remote = roster.members.find((one) => isRemote(one) && `${one.agent}@${one.machine}` === writer);
  if (remote) return remote.name;
  const [name = "", machine = ""] = writer.split("@");
  const member = memberOf(roster, name);
  const isHere = machine === machineIn(paths, team) && !isTeam(machine);
  return isHere && member && !isRemote(member) ? name : undefined;
}

/** Mail that followed the lead to another machine also names the one that passed it on and vouches for it: `bob@laptop@cloud`. */
function writerOf(address: string, isTeam: (name: string) => boolean): string {
  const [, writer, by = ""] = address.match(/^([^@]+@[^@]+)@([^@]+)$/) ?? [];
  return writer && !isTeam(by) ? writer : address;
}

/** For a member of this team, by more than a plain name of it. A person and a session outside every team write too, but have no inbox. */
export function isReachable(paths: Paths, team: string, roster: Team, address: string): boolean {
  if (nameOnMachine(paths, team, roster, address)) return true;
  const { name, ofTeam } = parsed(address);
  if (ofTeam !== undefined && whyNotSegment(ofTeam)) return false;
  const reader = ofTeam === undefined ? roster : readTeam(paths, ofTeam);
  return reader !== undefined && memberNames(reader).includes(nameIn(reader, name));
}
