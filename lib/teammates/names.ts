// Which team a verb is about, and that it is one we may touch.
import { badCall, type Call } from "../cli/command.ts";
import { whyNotSegment } from "../core/paths.ts";
import { PERSON } from "../hook/identity.ts";
import { isNative, readTeam, type Team } from "../teams/store/config.ts";
import { readArchives } from "../teams/store/directory.ts";

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

// What may be a name: it becomes a path, a variable's value, a word of a command line and a title on a screen.
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_NAME = 100;

/** Seed 001's rule, for teams and for members. */
export function whyBadName(name: string | undefined): string | undefined {
  if (!name) return "a name is needed";
  if (name.length > LONGEST_NAME) return `the name is longer than ${LONGEST_NAME} characters`;
  if (!NAME.test(name))
    return `the name ${quoted(name)} may have letters, digits, - and _ only, and must begin with a letter or a digit`;
  const why = whyNotSegment(name);
  return why && `the name ${quoted(name)} ${why}`;
}

/** How a message names a sender outside the team: no member may look like one. */
const OUTSIDERS = new RegExp(`^(${PERSON}|solo(-.*)?)$`, "i");

export function whyBadMember(name: string | undefined): string | undefined {
  const isOutsider = name !== undefined && OUTSIDERS.test(name);
  return (
    whyBadName(name) ?? (isOutsider ? `${quoted(name)} is how senders outside a team are shown` : undefined)
  );
}

/** Models, agent types and permission modes: one word of the client's command line that cannot pass for an option. */
export function whyBadWord(what: string, word: string | undefined): string | undefined {
  if (word === undefined || /^[A-Za-z0-9][\w.:@/[\]-]{0,99}$/.test(word)) return undefined;
  return `${quoted(word)} is no ${what}`;
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
