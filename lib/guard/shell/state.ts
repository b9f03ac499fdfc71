// The state of one shell as far as the guard follows it, and the run that all its shells share.
import type { Function as FunctionNode, WordPart } from "unbash";
import type { RuleId } from "../rules.ts";
import type { Finding, Situation, Words } from "../situation.ts";

// What cannot be computed is written into a value as one private-use character that names where it came from.
// It survives joining, splitting and path arithmetic, so the rules can ask a plain string what it may hold.

export const UNKNOWN = "\uE000";
/** `${VAR:?}`: unknown, but the shell stops when it is empty. */
export const NON_EMPTY = "\uE001";
/** A path made by mktemp. */
export const TEMP_PATH = "\uE002";
/** A relative name below the directory in front of it, as ls and find print them. */
export const SOME_NAME = "\uE003";
/** The working directory after `cd` into something unknown. */
export const UNKNOWN_DIRECTORY = "\uE004";
/** Process ids found by searching: pgrep, lsof, ps. */
export const FOUND_PIDS = "\uE005";
/** `$PPID`: the client that runs this shell. */
export const CLIENT_PID = "\uE006";
/** Text that came over the network. */
export const FETCHED = "\uE007";
/** Text that was decoded or rewritten on the way. */
export const DECODED = "\uE008";

export const hasUnknown = (text: string) => /[\uE000-\uE008]/.test(text);

export const fillUnknowns = (text: string, filler: string) => text.replace(/[\uE000-\uE008]/g, filler);
/** Private-use characters of the input itself must not pass for ours; a NUL never reaches a program. */
export const withoutForgedMarks = (text: string) => fillUnknowns(text, "\uFFFD").replaceAll("\0", "");

const TAINTS = [FOUND_PIDS, FETCHED, DECODED];
/** What is left of a text that went through a filter that is not followed. */
export const taintOf = (text: string) => TAINTS.filter((taint) => text.includes(taint)).join("") || UNKNOWN;

/** What a variable may hold: alternatives from branches, each a list (a plain variable is a list of one). */
export type Value = readonly (readonly string[])[];

/** Another machine or a container: its paths are not ours, save for what is mounted into it. */
export type Remote = {
  kind: "host" | "container" | "mirror";
  mounts: readonly { inside: string; outside: string }[];
};

/** How the substitutions in a word are run. */
export type Substitute = {
  output(part: Extract<WordPart, { type: "CommandExpansion" }>, shell: Shell): string;
  pipe(part: Extract<WordPart, { type: "ProcessSubstitution" }>, shell: Shell): string;
  arithmetic(part: Extract<WordPart, { type: "ArithmeticExpansion" }>, shell: Shell): string;
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
  substitute: Substitute;
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

/** Counts one step. When the budget is used up it ends the walk, as a full stack would. */
export function countStep({ run }: Shell): void {
  run.steps++;
  const isLate = run.steps % LOOKS_AT_CLOCK === 0 && workedFor(run) > run.situation.deadlineMs;
  if (run.steps > MAX_STEPS || run.depth > MAX_DEPTH || isLate) throw new RangeError("too much to walk");
}

/** When a function or a command is over, its own variables are what they were. */
export function restore(before: ReadonlyMap<string, Value | undefined>, { vars }: Shell): void {
  for (const [name, value] of before) {
    if (value) vars.set(name, value);
    else vars.delete(name);
  }
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
  countStep(shell);
  const output = inside();
  run.depth--;
  if (key !== undefined) run.active.delete(key);
  return output;
}
