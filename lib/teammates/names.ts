// The team a command is about, and which names are allowed for teams and members.
import { badCall, type Call, refused } from "../cli/command.ts";
import { requireTeamName, whichTeam } from "../cli/unknown-names.ts";
import { whyNotSegment } from "../core/paths.ts";
import { plainLine, shortened } from "../core/text.ts";
import { PERSON } from "../hook/context.ts";
import { isNative, type Team } from "../teams/store/config.ts";

export function teamNameOf(call: Call, word?: string): string {
  const { team: flag } = call.flags as { team?: string };
  if (word !== undefined && flag !== undefined && word !== flag)
    throw badCall(`which team? ${plainLine(word)} or --team ${plainLine(flag)}`);
  const name = word ?? flag ?? call.identity.team;
  if (!name) throw whichTeam(call);
  refuseIf(whyBadName(name), badCall);
  if (isNative(name)) throw new Error(`${name} is a team of the client, which manages such teams by itself`);
  return name;
}

export function requireTeam({ paths }: Call, name: string): Team {
  const team = requireTeamName(paths, name);
  if (team.status === "archived")
    throw refused(`the team ${name} is archived`, `\`swarm cleanup ${name} --yes\` finishes its clean-up`);
  return team;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_NAME = 100;

/** The rule of Claude Swarm hooks, for teams and members. A name becomes part of a path, a variable, a command line and a title. */
export function whyBadName(name: string): string | undefined {
  if (!name) return "a name is needed";
  if (name.length > LONGEST_NAME) return `the name is longer than ${LONGEST_NAME} characters`;
  if (!NAME.test(name))
    return `the name ${quoted(name)} may have letters, digits, - and _ only, and must begin with a letter or a digit`;
  const why = whyNotSegment(name);
  return why && `the name ${quoted(name)} ${why}`;
}

/** Messages show senders outside the team by these names, so no member may have them. */
const OUTSIDERS = new RegExp(`^(${PERSON}|solo(-.*)?)$`, "i");

export function requireUsableName(name: string): void {
  refuseIf(whyBadName(name), badCall);
  if (OUTSIDERS.test(name)) throw badCall(`${quoted(name)} is how senders outside a team are shown`);
}

/** Models, agent types and permission modes: an argument of the client that cannot be taken for an option. */
export function requireWord(what: string, word: string | undefined): void {
  if (word !== undefined && !/^[A-Za-z0-9][\w.:@/[\]-]{0,99}$/.test(word))
    throw badCall(`${quoted(word)} is no ${what}`);
}

export function refuseIf(why: string | undefined, asError = (message: string) => new Error(message)): void {
  if (why) throw asError(why);
}

const quoted = (text: string) => JSON.stringify(shortened(text, 60));
