// A team's roster, changed by pure functions: who is on it, in which colour, and who is thought to be there.

import { type Life, lifeOf } from "../system/processes.ts";
import { isLead, type Member, memberOf, type Team } from "../teams/store/config.ts";

const COLOURS = ["blue", "green", "yellow", "purple", "orange", "pink", "cyan", "red"];

/** The first colour nobody wears, or the next in turn. */
export function nextColour(team: Team): string {
  const worn = new Set(team.members.map((member) => member.color));
  const free = COLOURS.find((colour) => !worn.has(colour));
  return free ?? (COLOURS[team.members.length % COLOURS.length] as string);
}

/** In its old place, or at the end. What was known of it and is not said anew stays. */
export function withMember(team: Team, member: Partial<Member> & { name: string }): Team {
  const known = team.members.some((one) => one.name === member.name);
  const members = known
    ? team.members.map((one) => (one.name === member.name ? { ...one, ...member } : one))
    : [...team.members, member as Member];
  return { ...team, members };
}

export const withoutMember = (team: Team, name: string): Team => ({
  ...team,
  members: team.members.filter((member) => member.name !== name),
});

/** Everyone offline, `except` for who goes on. */
export const suspended = (team: Team, at: string, except?: string): Team => ({
  ...team,
  status: "suspended",
  suspendedAt: at,
  members: team.members.map((member) =>
    member.name === except ? member : { ...member, status: "offline", lastSeen: member.lastSeen ?? at },
  ),
});

/** Started by us, so that it is ours to end and to bring back; who joined came by itself. */
export const isSpawned = (member: Member): boolean =>
  member.backend === "tmux" || member.backend === "kitty" || member.backend === "headless";

/** A spawn that was cut off before its client ran must not keep the name for ever. */
const STARTS_WITHIN_MS = 60_000;

export const lifeOfMember = ({ pid, pidStartedAt }: Member): Life => lifeOf({ pid, startedAt: pidStartedAt });

export function isRunning(member: Member, now: Date): boolean {
  if (member.status === "offline") return false;
  if (member.status === "starting" && !member.pid)
    return now.getTime() - Date.parse(member.lastSeen ?? "") < STARTS_WITHIN_MS;
  return lifeOfMember(member) !== "gone";
}

export function whyNoRoom(team: Team, name: string, max: number, now: Date): string | undefined {
  if (team.status === "suspended")
    return `the team is suspended since ${team.suspendedAt}; \`swarm resume ${team.name}\` wakes it`;
  const known = memberOf(team, name);
  if (known && isRunning(known, now))
    return `${name} is in the team already and runs; \`swarm send ${name} "…"\` gives it work, \`swarm kill ${name}\` ends it`;
  const others = team.members.filter((one) => one.name !== name && !isLead(team, one) && isRunning(one, now));
  if (others.length < max) return undefined;
  return `${others.length} teammates run already, and gate.max_teammates is ${max} (\`swarm config gate.max_teammates\`)`;
}
