// Who writes to whom, in which team: from the call, the caller's identity, or the only team there is.

import { badCall, type Call } from "../cli/command.ts";
import { nearest } from "../core/nearest.ts";
import { plainLine } from "../core/plain.ts";
import { PERSON, shownAs } from "../hook/identity.ts";
import { leadOf } from "../hook/mailbox.ts";
import { isNative } from "../teams/store/native-teams.ts";
import { type Roster, readRoster } from "../teams/store/roster.ts";
import { listTeams } from "../teams/store/team.ts";

type Flags = Record<"file" | "summary" | "team" | "session-id", { type: "string" }>;
export type MailCall = Pick<
  Call<Flags>,
  "paths" | "cwd" | "flags" | "identity" | "session" | "stdin" | "now"
>;

export function teamFor(call: MailCall, asked: string | undefined): { name: string; team: Roster } {
  const name = asked ?? call.identity.team ?? onlyTeam(call);
  const team = readRoster(call.paths, name);
  if (!team) throw new Error(`there is no team ${name}${withFallback(nearest(name, listTeams(call.paths)))}`);
  return { name, team };
}

function onlyTeam(call: MailCall): string {
  const teams = listTeams(call.paths).filter((name) => !isNative(name));
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
  return `there is no ${to} in team ${team}${withFallback(nearest(to, names))}${known}`;
}

const withFallback = (near: string[]) =>
  near.length > 0 ? `; nearest: ${near.map(plainLine).join(", ")}` : "";

/** Nobody outside the team can take a member's name, and no agent passes as the person. */
export const senderIn = ({ identity, session }: MailCall, team: string): string =>
  shownAs(identity, session, team);
