// What a program's handler looks like: resolved arguments in, its printed text out (undefined: unknown).
import type { Finding } from "../situation.ts";
import type { Shell } from "./state.ts";

export type Handler = (args: readonly string[], shell: Shell, name: string) => string | undefined;

/** A table of programs: names with blanks between them, and the handler they share. */
export const programs = (
  rows: readonly (readonly [names: string, handler: Handler])[],
): ReadonlyMap<string, Handler> =>
  new Map(rows.flatMap(([names, handler]) => names.split(" ").map((name) => [name, handler] as const)));

/** What running this would find, without reporting it yet. */
export function findingsIf(argv: readonly string[], shell: Shell): Finding[] {
  const { run } = shell;
  const { findings, situation } = run;
  const found: Finding[] = [];
  run.findings = found;
  run.situation = { ...situation, effects: undefined }; // it does not happen
  run.argv(argv, shell);
  run.findings = findings;
  run.situation = situation;
  return found;
}

/** Text as one shell word. */
export const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
