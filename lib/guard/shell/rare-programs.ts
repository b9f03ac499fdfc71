// Programs that few commands use, and the packs. A lazy part: loading their tables costs a plain command 0.1 of a node start.
import { BASH } from "../commands/bash.ts";
import { CHMOD } from "../commands/chmod.ts";
import { CONSOLES } from "../commands/consoles.ts";
import { DISK_AND_POWER } from "../commands/disk-and-power.ts";
import { EDITORS_AND_MAKE } from "../commands/editors-and-make.ts";
import { FIND } from "../commands/find.ts";
import { KILL } from "../commands/kill.ts";
import { RM } from "../commands/rm.ts";
import { RUN_OPTIONS } from "../commands/run-options.ts";
import { SSH_AND_DOCKER } from "../commands/ssh-and-docker.ts";
import { TMUX } from "../commands/tmux.ts";
import { WRAPPERS } from "../commands/wrappers.ts";
import { DATABASES } from "../packs/databases.ts";
import { INFRASTRUCTURE } from "../packs/infrastructure.ts";
import { GIT_GLOBAL, SCHEDULES, SERVICES } from "../packs/machine.ts";
import { type Handler, joined } from "./programs.ts";
import type { Shell } from "./state.ts";
import { lookUp } from "./variables.ts";

const RARE = joined([
  RM,
  FIND,
  BASH,
  WRAPPERS,
  CHMOD,
  KILL,
  TMUX,
  DISK_AND_POWER,
  SSH_AND_DOCKER,
  RUN_OPTIONS,
  EDITORS_AND_MAKE,
  CONSOLES,
]);

export const rareHandler = (program: string): Handler | undefined => RARE.get(program);
export const rareNames = (): string[] => RARE.names();
export const isRare = (program: string): boolean => RARE.get(program) !== undefined || isInPack(program);

// Packs: what agents break by accident in databases, clusters and services. One table each; a pack is a rule of its own
// (`guard.rules.<pack>`), and a row says which call of which program it is about.

export type Row = {
  /** Program names, with blanks between them. */
  programs: string;
  /** Matched against the arguments, joined by blanks. */
  verb: RegExp;
  /** A call that matches this too is harmless. */
  unless?: RegExp;
  /** An environment variable that counts like an argument `NAME=value` there. */
  variable?: string;
  /** Texts in these quotes are data. */
  quotes?: "'";
  /** The program reads commands from its standard input as well. */
  readsStdin?: true;
  /** In place of what the pack's rule says. */
  why?: string;
  instead?: string;
};

export const PACKS = {
  databases: DATABASES,
  infrastructure: INFRASTRUCTURE,
  "git-global": GIT_GLOBAL,
  schedules: SCHEDULES,
  services: SERVICES,
} as const satisfies Record<string, readonly Row[]>;

type PackId = keyof typeof PACKS;
type Entry = { pack: PackId; row: Row };

const entriesFor = (program: string): readonly Entry[] =>
  (Object.entries(PACKS) as [PackId, readonly Row[]][]).flatMap(([pack, rows]) =>
    rows
      .filter(({ programs }) => programs.includes(program) && programs.split(" ").includes(program))
      .map((row) => ({ pack, row })),
  );

const isInPack = (program: string) => entriesFor(program).length > 0;

/** The verb comes early; on a longer text the patterns of the rows could take too long. */
const LONGEST = 8_000;
const ONLY_LOOKS = /(^| )(--help|--dry-?run(=(client|server|true))?)( |$)|(^| )--version$/;
/** They run the programs of a project's packages by name: `pnpm prisma …`. */
const PACKAGE_RUNNERS = new Set(["pnpm", "yarn", "bun"]);

/** The first row of each pack that speaks about this call. */
export function packFindings(program: string, args: readonly string[], shell: Shell): Entry[] {
  const [first = "", ...rest] = args;
  if (PACKAGE_RUNNERS.has(program) && !PACKAGE_RUNNERS.has(first) && isInPack(first))
    return packFindings(first, rest, shell);
  // A message or a query is no verb; only programs that take commands as text read it.
  const text = args
    .map((arg) => (/\s/.test(arg) ? "…" : arg))
    .join(" ")
    .slice(0, LONGEST);
  if (ONLY_LOOKS.test(text)) return [];
  return entriesFor(program).filter(({ row }) => {
    const whole = row.readsStdin ? `${args.join(" ").slice(0, LONGEST)}\n${shell.stdin}` : text;
    const said = row.quotes ? whole.replace(/'[^']*'/g, "''") : whole;
    const setting = row.variable ? `${row.variable}=${lookUp(row.variable, shell)?.[0]} ` : "";
    return row.verb.test(said) && !row.unless?.test(setting + said);
  });
}
