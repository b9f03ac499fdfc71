// Changes of a team's roster, and which of its members run.

import { type Paths, whyNotSegment } from "../core/paths.ts";
import { notify } from "../mail/store/inbox.ts";
import { newMessage } from "../mail/store/message.ts";
import {
  isLead,
  isRemote,
  leadOf,
  type Member,
  memberOf,
  processLifeOf,
  type Team,
  teammatesOf,
  updateTeam,
} from "../teams/store/config.ts";
import { isBackend } from "./backends.ts";

const COLORS = ["blue", "green", "yellow", "purple", "orange", "pink", "cyan", "red"];

export function nextColor(team: Team): string {
  const used = new Set(team.members.map((member) => member.color));
  const free = COLORS.find((color) => !used.has(color));
  return free ?? (COLORS[team.members.length % COLORS.length] as string);
}

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

/** Throws where the team was archived in the meantime. */
export function changeTeam(paths: Paths, name: string, change: (stored: Team) => Team): Team {
  const team = updateTeam(paths, name, change);
  if (!team) throw new Error(`the team ${name} is gone`);
  return team;
}

/** Changes only the given fields: others may have been written meanwhile. A member that was removed is not added again. */
export const updateMember = (paths: Paths, team: string, name: string, news: Partial<Member>) =>
  updateTeam(paths, team, (stored) =>
    memberOf(stored, name) ? withMember(stored, { ...news, name }) : undefined,
  );

export const suspended = (team: Team, at: string, except?: string): Team => ({
  ...team,
  status: "suspended",
  suspendedAt: at,
  members: team.members.map((member) =>
    member.name === except || isRemote(member)
      ? member
      : { ...member, status: "offline", lastSeen: member.lastSeen ?? at },
  ),
});

/** From the lead, in swarm's own words. */
export function notifyTeammates(paths: Paths, name: string, team: Team | undefined, text: string, at: Date) {
  const message = { from: leadOf(team), text, at, kind: "system" } as const;
  for (const { name: to } of teammatesOf(team))
    if (!whyNotSegment(to)) notify(paths, name, to, newMessage(message));
}

/** Started by swarm, which may end it and start it again; other members joined by themselves. */
export const isSpawned = (member: Member): boolean => isBackend(member.backend);

/** After this time, a spawn that was interrupted before its client ran no longer reserves the name. */
const STARTS_WITHIN_MS = 60_000;

export function isRunning(member: Member, now: Date): boolean {
  if (member.status === "offline") return false;
  if (member.status === "starting" && !member.pid)
    return now.getTime() - Date.parse(member.lastSeen ?? "") < STARTS_WITHIN_MS;
  return processLifeOf(member) !== "gone";
}

/** Where a disk does not tell upper from lower case, both would share one inbox. */
export function whyTooAlike(team: Team, name: string): string | undefined {
  if (memberOf(team, name)) return undefined;
  const other = team.members.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return other && `${other.name} is in the team already; choose a name that differs in more than its case`;
}

export function whyNoRoom(team: Team, name: string, max: number, now: Date): string | undefined {
  if (team.status === "suspended")
    return `the team is suspended since ${team.suspendedAt}; \`swarm resume ${team.name}\` brings it back`;
  if (isLead(team, { name })) return `${name} is the lead's name; choose another name`;
  const known = memberOf(team, name);
  if (known && isRemote(known)) return `${name} is a member on ${known.machine}; choose another name`;
  if (known && isRunning(known, now))
    return `${name} is already running in the team; \`swarm send ${name} "…"\` writes to it, \`swarm kill ${name}\` ends it`;
  const alike = whyTooAlike(team, name);
  if (alike) return alike;
  const others = team.members.filter(
    (one) => one.name !== name && !isLead(team, one) && !isRemote(one) && isRunning(one, now),
  );
  if (others.length < max) return undefined;
  return `${others.length} teammates are running, and gate.max_teammates is ${max} (\`swarm config gate.max_teammates\`)`;
}
