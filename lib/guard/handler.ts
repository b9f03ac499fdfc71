// What a command's page looks like: resolved arguments in, its printed text out (or nothing said about it).

import type { Shell } from "./shell.ts";
import type { Finding } from "./situation.ts";

export type Handler = (args: readonly string[], shell: Shell, name: string) => string | undefined;
/** Asks for each of its programs in turn, one name or several with blanks between them, and gives the handler of the one meant. */
export type Page = (is: (names: string) => boolean) => Handler | undefined;

/** What running this would be blamed for, without blaming anyone yet. */
export function wouldFind(argv: readonly string[], shell: Shell): Finding[] {
  const { run } = shell;
  const { findings } = run;
  const found: Finding[] = [];
  run.findings = found;
  run.argv(argv, shell);
  run.findings = findings;
  return found;
}

/** Text as one shell word. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
