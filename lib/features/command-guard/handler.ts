// What a command's page looks like: resolved arguments in, its printed text out (or nothing said about it).

import type { Shell } from "./shell.ts";
import type { Finding } from "./situation.ts";

export type Handler = (args: readonly string[], shell: Shell, name: string) => string | undefined;
export type Handlers = Readonly<Record<string, Handler>>;

/** One page for several names. */
export const forEach = (names: string, handler: Handler): Handlers =>
  Object.fromEntries(names.split(" ").map((name) => [name, handler]));

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
