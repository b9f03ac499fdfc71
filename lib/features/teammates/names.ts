// What may be a name: it becomes a path, a variable's value, a word of a command line and a title on a screen.

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const LONGEST_NAME = 100;

/** Seed 001's rule, for teams and for members. */
export function whyBadName(name: string | undefined): string | undefined {
  if (!name) return "a name is needed";
  if (name.length > LONGEST_NAME) return `the name is longer than ${LONGEST_NAME} characters`;
  if (!NAME.test(name))
    return `the name ${quoted(name)} may have letters, digits, - and _ only, and must begin with a letter or a digit`;
  return undefined;
}

/** Models, agent types and permission modes: one word of the client's command line that cannot pass for an option. */
export function whyBadWord(what: string, word: string | undefined): string | undefined {
  if (word === undefined || /^[A-Za-z0-9][\w.:@/[\]-]{0,99}$/.test(word)) return undefined;
  return `${quoted(word)} is no ${what}`;
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
