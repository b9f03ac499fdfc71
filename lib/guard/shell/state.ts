// The state of one shell as far as the guard follows it, and the run that all its shells share.
import type { Function as FunctionNode } from "unbash";
import type { RuleId } from "../rules.ts";
import type { Finding, Situation, Words } from "../situation.ts";
import { fillUnknowns, UNKNOWN_DIRECTORY } from "./unknowns.ts";

/** What a variable may hold: alternatives from branches, each a list (a plain variable is a list of one). */
export type Value = readonly (readonly string[])[];

/** Another machine or a container: its paths are not ours, save for what is mounted into it. */
export type Remote = {
  kind: "host" | "container" | "mirror";
  mounts: readonly { inside: string; outside: string }[];
};

export type Run = {
  situation: Situation;
  findings: Finding[];
  /** Text of files written earlier in the same command, by resolved path. */
  files: Map<string, string>;
  links: Map<string, string>;
  /** Bodies and texts being run right now: running one again is recursion. */
  active: Set<unknown>;
  /** Functions that were defined but not called so far, with the shell that defined them. */
  uncalled: Map<FunctionNode["body"], Shell>;
  /** What traps will run. */
  later: (() => void)[];
  /** True while words are expanded: a command inside them follows the pass of the one outside. */
  expanding: boolean;
  /** Which alternative of a branching variable this pass looks at, and how many there are. */
  pick: number;
  alternatives: number;
  steps: number;
  /** By its clock; a short command is over before it is looked at. */
  startedAt: number | undefined;
  depth: number;
  /** The words of the command that is looked at. */
  subject: readonly string[];
  /** Whether the guard has a handler for that program. */
  isProgram(name: string): boolean;
  argv(argv: readonly string[], shell: Shell): string;
  code(text: string, shell: Shell): string;
  node(body: FunctionNode["body"], shell: Shell): string;
};

export type Shell = {
  run: Run;
  cwd: string;
  previous: string;
  vars: Map<string, Value>;
  functions: Map<string, FunctionNode["body"]>;
  aliases: Map<string, string>;
  /** Positional parameters; undefined where they are unknown. */
  args: readonly string[] | undefined;
  stdin: string;
  /** Inside a pipeline or a background job, where calling oneself multiplies. */
  forks: boolean;
  /** Inside a function: what its local variables were before it. */
  locals?: Map<string, Value | undefined>;
  /** The arguments are what xargs or parallel read from a pipe. */
  listed?: true;
  remote?: Remote;
};

export const MAX_DEPTH = 64;
const MAX_STEPS = 40_000;
const LOOKS_AT_CLOCK = 32;
const MAX_TEXT = 65_536;
const MAX_SUBJECT = 160;

export const subshell = (shell: Shell, changes: Partial<Shell> = {}): Shell => ({
  ...shell,
  vars: new Map(shell.vars),
  functions: new Map(shell.functions),
  aliases: new Map(shell.aliases),
  ...changes,
});

export const onRemote = (shell: Shell, remote: Remote): Shell =>
  subshell(shell, { remote, cwd: UNKNOWN_DIRECTORY, previous: UNKNOWN_DIRECTORY });

function describe(argv: readonly string[]): string {
  const start = argv
    .slice(0, MAX_SUBJECT)
    .join(" ")
    .slice(0, 2 * MAX_SUBJECT);
  const text = fillUnknowns(start, "…").replace(/\s+/g, " ");
  return text.length > MAX_SUBJECT ? `${text.slice(0, MAX_SUBJECT)}…` : text;
}

export function report(shell: Shell, rule: RuleId, path?: string, words?: Words): void {
  const { findings } = shell.run;
  const subject = describe(shell.run.subject);
  const known = findings.some((one) => one.rule === rule && one.subject === subject && one.path === path);
  if (!known) findings.push({ rule, subject, ...(path !== undefined && { path }), ...(words && { words }) });
}

function workedFor(run: Run): number {
  const now = run.situation.clock();
  run.startedAt ??= now;
  return now - run.startedAt;
}

/** Counts one step; false when the budget is used up and the walk must stop. */
export function isWithinBudget(shell: Shell): boolean {
  const { run } = shell;
  run.steps++;
  const isLate = run.steps % LOOKS_AT_CLOCK === 0 && workedFor(run) > run.situation.deadlineMs;
  if (run.steps <= MAX_STEPS && run.depth <= MAX_DEPTH && !isLate) return true;
  run.steps = MAX_STEPS + 1;
  report(shell, "unverifiable");
  return false;
}

export const clip = (text: string) => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

/** Runs `inside` one level deeper, unless `key`, a function's body or a script's text, is being run already. */
export function deeper(shell: Shell, key: unknown, inside: () => string): string {
  const { run } = shell;
  if (key !== undefined && run.active.has(key)) {
    if (shell.forks) report(shell, "fork-bomb");
    return "";
  }
  if (key !== undefined) run.active.add(key);
  run.depth++;
  const output = isWithinBudget(shell) ? inside() : "";
  run.depth--;
  if (key !== undefined) run.active.delete(key);
  return output;
}
