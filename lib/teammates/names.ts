// What may be a name: it becomes a path, a variable's value, a word of a command line and a title on a screen.

import { whyNotSegment } from "../core/paths.ts";
import { PERSON } from "../hook/identity.ts";

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
