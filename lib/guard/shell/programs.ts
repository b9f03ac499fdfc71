// What a program's handler looks like: resolved arguments in, its printed text out (undefined: unknown).
import type { Finding } from "../situation.ts";
import type { Shell } from "./state.ts";

export type Handler = (args: readonly string[], shell: Shell, name: string) => string | undefined;

export type Programs = { get(name: string): Handler | undefined; names(): string[] };

/** A table of programs: names with blanks between them, and the handler they share. It is searched row by row, since a command names
 * few programs and a map of all of them would be made by every call. */
export const programs = (rows: readonly (readonly [names: string, handler: Handler])[]): Programs => ({
  get: (name) => rows.find(([names]) => hasName(names, name))?.[1],
  names: () => rows.flatMap(([names]) => names.split(" ")),
});

/** The first look spares most rows the rest. */
const hasName = (names: string, name: string) => names.includes(name) && names.split(" ").includes(name);

export function joined(tables: readonly Programs[]): Programs {
  const asked = new Map<string, Handler | undefined>();
  return {
    get(name) {
      if (!asked.has(name)) {
        const table = tables.find((one) => one.get(name) !== undefined);
        asked.set(name, table?.get(name));
      }
      return asked.get(name);
    },
    names: () => tables.flatMap((table) => table.names()),
  };
}

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
