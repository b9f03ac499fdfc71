// What a command's page looks like: resolved arguments in, its printed text out (or nothing said about it).

import type { Shell } from "./shell.ts";
import type { Finding } from "./situation.ts";

export type Handler = (args: readonly string[], shell: Shell, name: string) => string | undefined;
/** A key names one program, or several with blanks between them. Large pages have no prototype: so they are made faster. */
export type Handlers = Readonly<Record<string, Handler>>;

export const byName = (pages: readonly Handlers[]): ReadonlyMap<string, Handler> => {
  const found = new Map<string, Handler>();
  for (const page of pages)
    for (const names in page) for (const name of names.split(" ")) found.set(name, page[names] as Handler);
  return found;
};

/** What running this would be blamed for, without blaming anyone yet. */
export function wouldFind(argv: readonly string[], shell: Shell): Finding[] {
  const { run } = shell;
  const { findings } = run;
  run.findings = [];
  run.argv(argv, shell);
  const found = run.findings;
  run.findings = findings;
  return found;
}

/** Text as one shell word. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
