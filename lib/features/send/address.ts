// Who writes to whom, in which team: from the call, the caller's identity, or the only team there is.
import { nearest } from "../../parse/nearest.ts";
import { badCall, type Call } from "../../run/command.ts";
import { leadOf } from "../../run/seat.ts";
import { isNative } from "../../store/native-teams.ts";
import { type Roster, readRoster } from "../../store/roster.ts";
import { listTeams } from "../../store/team.ts";

type Flags = Record<"file" | "summary" | "team" | "session-id", { type: "string" }>;
export type MailCall = Pick<
  Call<Flags>,
  "places" | "cwd" | "flags" | "identity" | "session" | "stdin" | "now"
>;

export function teamFor(call: MailCall, asked: string | undefined): { name: string; team: Roster } {
  const name = asked ?? call.identity.team ?? onlyTeam(call);
  const team = readRoster(call.places, name);
  if (!team) throw new Error(`there is no team ${name}${orElse(nearest(name, listTeams(call.places)))}`);
  return { name, team };
}

/** `bob@laptop`: a member of the caller's team on another machine, by whatever name the config has for it. */
export function onMachine(
  call: MailCall,
  address: string,
): { name: string; team: Roster; to: string } | undefined {
  const name = call.flags.team ?? call.identity.team;
  const team = name ? readRoster(call.places, name) : undefined;
  const to = team?.members.find(
    ({ agent, machine }) => agent && machine && `${agent}@${machine}` === address,
  )?.name;
  return name && team && to ? { name, team, to } : undefined;
}

function onlyTeam(call: MailCall): string {
  const teams = listTeams(call.places).filter((name) => !isNative(name));
  if (teams.length === 1 && teams[0]) return teams[0];
  throw badCall(`which team? --team ${teams.join(" | ") || "NAME (there is none yet)"}`);
}

export const namesIn = (team: Roster): string[] => [
  ...new Set([...team.members.map((member) => member.name), ...(team.leadSessionId ? [leadOf(team)] : [])]),
];

export function whyUnknown(to: string, team: string, names: readonly string[]): string {
  const known = names.length > 0 ? `; members: ${names.join(", ")}` : "";
  return `there is no ${to} in team ${team}${orElse(nearest(to, names))}${known}`;
}

const orElse = (near: string[]) => (near.length > 0 ? `; nearest: ${near.join(", ")}` : "");

/** Nobody outside the team can take a member's name, and no agent passes as the person. */
export function senderIn(call: MailCall, team: string): string {
  const { agent, team: own } = call.identity;
  if (agent && own === team) return agent;
  if (agent && own) return `${agent}@${own}`;
  return call.session ? `solo-${call.session.slice(0, 8)}` : "terminal";
}
