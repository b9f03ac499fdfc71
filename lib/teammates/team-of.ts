// Which team a verb is about, and that it is one we may touch.

import { badCall, type Call } from "../cli/command.ts";
import { isNative, readTeam, type Team } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";
import { whyBadName } from "./names.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever flags the verb has
type AnyCall = Call<any>;

export function teamNameOf(call: AnyCall, word?: string): string {
  const name = word ?? (call.flags as { team?: string }).team ?? call.identity.team;
  if (!name) throw badCall("which team? name it, or call this from a session that belongs to one");
  const why = whyBadName(name);
  if (why) throw badCall(why);
  if (isNative(name))
    throw new Error(`${name} is the client's own team: it makes, shows and ends such teams by itself`);
  return name;
}

export function teamOf(call: AnyCall, name: string): Team {
  const team = readTeam(call.paths, name);
  if (!team) throw new Error(whyNoTeam(call, name));
  if (team.status === "archived") throw new Error(`the team ${name} is archived`);
  return team;
}

function whyNoTeam(call: AnyCall, name: string): string {
  const archive = readArchives(call.paths).find((one) => one.team === name);
  if (!archive) return `there is no team ${name}; \`swarm list-teams\` shows those there are`;
  return `the team ${name} is archived since ${archive.stamp}: its files are in ${archive.path}, and \`swarm create ${name}\` begins a new one`;
}
