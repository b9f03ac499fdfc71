// Who writes to whom, in which team: from the call, the caller's identity, or the only team there is.
import { nearest } from "../../parse/nearest.ts";
import { plainLine } from "../../parse/plain.ts";
import { badCall, type Call } from "../../run/command.ts";
import { PERSON, shownAs } from "../../run/identity.ts";
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

function onlyTeam(call: MailCall): string {
  const teams = listTeams(call.places).filter((name) => !isNative(name));
  if (teams.length === 1 && teams[0]) return teams[0];
  throw badCall(`which team? --team ${teams.join(" | ") || "NAME (there is none yet)"}`);
}

export const namesIn = (team: Roster): string[] => [
  ...new Set([...team.members.map((member) => member.name), ...(team.leadSessionId ? [leadOf(team)] : [])]),
];

export function whyUnknown(to: string, team: string, names: readonly string[]): string {
  if (to === PERSON)
    return `${PERSON} is whoever wrote from a terminal and has no inbox: answer in your own session, where the person reads it`;
  const known = names.length > 0 ? `; members: ${names.map(plainLine).join(", ")}` : "";
  return `there is no ${to} in team ${team}${orElse(nearest(to, names))}${known}`;
}

const orElse = (near: string[]) => (near.length > 0 ? `; nearest: ${near.map(plainLine).join(", ")}` : "");

/** Nobody outside the team can take a member's name, and no agent passes as the person. */
export const senderIn = ({ identity, session }: MailCall, team: string): string =>
  shownAs(identity, session, team);
