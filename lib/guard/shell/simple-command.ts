// One simple command: expand its words, set its variables, open its streams, and hand the resolved arguments on.
import type { Assignment, Command, Redirection, Word } from "unbash";
import { emptyFiles } from "../packs/sources.ts";
import { wordSet } from "../word-set.ts";
import { locate, readFile, writeFile } from "./file-effects.ts";
import { report, type Shell, type Value } from "./state.ts";
import { DECODED, FETCHED, hasUnknown, UNKNOWN } from "./unknowns.ts";
import { assign, assignArray, lookUp, mergeBranch } from "./variables.ts";
import { expandOne, expandParts, expandWord, type Substitute } from "./words.ts";

type Redirect = (redirects: readonly Redirection[], inside: (shell: Shell) => string) => string;

const MAX_PASSES = 16;

/** Programs run the value of these variables as a command. */
const RUN_AS_COMMANDS = wordSet(
  "PAGER MANPAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS PROMPT_COMMAND LESSOPEN BROWSER RSYNC_RSH KUBE_EDITOR SUDO_ASKPASS",
);
/** What is substituted in these is run: a shell shows or reads them. */
const EXPANDED_BY_SHELLS = wordSet("PS0 PS1 PS2 PS4 BASH_ENV ENV");

/** A variable that other programs take for code, or that hides the history. */
export function checkVariable(name: string, value: string, shell: Shell): void {
  if (RUN_AS_COMMANDS.has(name)) shell.run.code(value.replace(/^\|/, ""), shell); // LESSOPEN="|cmd"
  if (EXPANDED_BY_SHELLS.has(name)) shell.run.code(`: "${value}"`, shell);
  if (name.endsWith("_RUNNER") && name.startsWith("CARGO_")) shell.run.code(value, shell);
  if (name.startsWith("GIT_CONFIG_VALUE_"))
    shell.run.code(value.startsWith("!") ? value.slice(1) : `git ${value}`, shell);
  const hides =
    name === "HISTFILE"
      ? value === "" || value === "/dev/null"
      : ["HISTSIZE", "HISTFILESIZE"].includes(name) && value === "0";
  if (hides) report(shell, "hide-traces");
}

/** bash has two tables whose elements are commands. */
function setElement(name: string, key: string, text: string, shell: Shell): void {
  if (name === "BASH_ALIASES" || name === "BASH_CMDS") shell.aliases.set(key, text);
  shell.vars.set(name, [[...(lookUp(name, shell) ?? []), text]]);
  shell.vars.set(`${name}[${key}]`, [[text]]);
}

function set(assignment: Assignment, shell: Shell, run: Substitute): void {
  const { name, value, append, index } = assignment;
  if (value.type === "ArrayValue") {
    const list = value.elements.flatMap((word) => expandWord(word, shell, run));
    assignArray(name, list, shell, append);
    return;
  }
  const text = expandOne(value, shell, run);
  if (index) setElement(name, expandOne(index, shell, run), text, shell);
  else assign(name, [text], shell, append);
  checkVariable(name, text, shell);
}

function argvOf(node: Command, shell: Shell, run: Substitute): string[] {
  const argv = node.name ? expandWord(node.name, shell, run) : [];
  for (const arg of node.args) {
    if (arg.type === "Word") argv.push(...expandWord(arg, shell, run));
    else if (arg.value.type === "ArrayValue") set(arg, shell, run);
    else argv.push(`${arg.name}${arg.append ? "+" : ""}=${expandOne(arg.value, shell, run)}`);
  }
  return argv;
}

function expandAll(node: Command, shell: Shell, run: Substitute): string[] {
  const { run: state } = shell;
  const before = state.expanding;
  state.expanding = true;
  const argv = argvOf(node, shell, run);
  state.expanding = before;
  return argv;
}

function execute(argv: readonly string[], node: Command, shell: Shell, run: Substitute): string {
  const assignments = node.prefix.filter((one) => one.type === "Assignment");
  const before = new Map<string, Value | undefined>(
    assignments.map(({ name }) => [name, shell.vars.get(name)]),
  );
  for (const one of assignments) set(one, shell, run);
  if (argv.length === 0)
    return node.redirects.some((one) => one.type === "Redirect" && one.operator === "<") ? shell.stdin : "";
  const output = shell.run.argv(argv, shell);
  for (const [name, value] of before) {
    if (value) shell.vars.set(name, value);
    else shell.vars.delete(name);
  }
  return output;
}

function pass(node: Command, shell: Shell, run: Substitute, redirect: Redirect): string {
  const argv = expandAll(node, shell, run);
  const { subject } = shell.run;
  const isNamed = argv[0] !== undefined && !hasUnknown(argv[0].charAt(0));
  if (isNamed || subject.length === 0) shell.run.subject = argv;
  const output = redirect(node.redirects, (inner) => execute(argv, node, inner, run));
  shell.run.subject = subject;
  return output;
}

/** A variable with alternatives makes the command run once for each of them. */
export function runSimple(node: Command, shell: Shell, run: Substitute, redirect: Redirect): string {
  const { run: state } = shell;
  if (state.expanding) return pass(node, shell, run, redirect);
  const { pick, alternatives } = state;
  state.pick = 0;
  state.alternatives = 1;
  const output = pass(node, shell, run, redirect);
  const passes = Math.min(state.alternatives, MAX_PASSES);
  for (state.pick = 1; state.pick < passes; state.pick++) {
    const before = new Map(shell.vars);
    pass(node, shell, run, redirect);
    mergeBranch(before, shell);
  }
  state.pick = pick;
  state.alternatives = alternatives;
  return output;
}

// Redirections: what a command reads from, and which files its output lands in.

type Sink = { path: string; append: boolean; stdout: boolean };
export type Streams = { stdin: string; sinks: readonly Sink[]; silent: boolean };

const isSocket = (path: string) => path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/");

function read(path: string, shell: Shell): string {
  return isSocket(path) ? FETCHED : (readFile(path, shell) ?? (path === "/dev/null" ? "" : UNKNOWN));
}

function bodyOf(redirect: Exclude<Redirection, { type: "Redirect" }>, shell: Shell, run: Substitute): string {
  if (redirect.type === "HereString")
    return redirect.target ? `${expandOne(redirect.target, shell, run)}\n` : "";
  const { body, delimiter } = redirect;
  if (delimiter?.quoted) return body.text;
  return body.parts ? expandParts(body.parts, shell, run) : body.text.replace(/\\([\\$`])|\\\n/g, "$1");
}

/** The descriptor a redirection is about, when it is written out. */
const numberOf = (redirect: Redirection) =>
  redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;

/** `>(…)` as a target: the output becomes that command's input, so it is run with it later. */
const isPipe = (word: Word) => word.parts?.[0]?.type === "ProcessSubstitution";

export function openStreams(redirects: readonly Redirection[], shell: Shell, run: Substitute): Streams {
  let { stdin } = shell;
  let silent = false;
  const sinks: Sink[] = [];
  const setInput = (fd: number, text: string) => {
    if (fd === 0) stdin = text;
    else shell.run.files.set(`/dev/fd/${fd}`, text);
  };
  for (const redirect of redirects) {
    const fd = numberOf(redirect);
    if (redirect.type !== "Redirect") {
      setInput(fd ?? 0, bodyOf(redirect, shell, run));
      continue;
    }
    if (!redirect.target || isPipe(redirect.target)) {
      if (redirect.operator === "<" && redirect.target)
        setInput(fd ?? 0, read(expandOne(redirect.target, shell, run), shell));
      continue;
    }
    const path = expandOne(redirect.target, shell, run);
    const { operator } = redirect;
    if (operator === "<") setInput(fd ?? 0, read(path, shell));
    else if (operator === "<&") setInput(fd ?? 0, shell.run.files.get(`/dev/fd/${path}`) ?? UNKNOWN);
    else if (operator === ">&" && (path === "-" || /^\d+$/.test(path))) {
      if (fd === 0 && sinks.some((sink) => isSocket(sink.path))) stdin = FETCHED;
      if ((fd ?? 1) === 1 && path !== "1") silent = true;
    } else {
      const stdout = (fd ?? 1) === 1 || operator.startsWith("&");
      if (isSocket(path) && fd !== undefined) shell.run.files.set(`/dev/fd/${fd}`, FETCHED);
      sinks.push({ path, append: operator.endsWith(">>"), stdout });
    }
  }
  return { stdin, sinks, silent };
}

/** Lets the output run into its files; gives back what still flows on. */
export function closeStreams(
  streams: Streams,
  redirects: readonly Redirection[],
  output: string,
  shell: Shell,
  run: Substitute,
  isExec: boolean,
): string {
  for (const { path, append, stdout } of streams.sinks) {
    if (stdout && !append && output.trim() === "") emptyFiles([path], shell);
    writeFile(
      path,
      shell,
      stdout ? output : (shell.run.files.get(locate(path, shell).path) ?? ""),
      stdout && append,
    );
  }
  const piped = redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator !== "<" && one.target && isPipe(one.target) ? [one.target] : [],
  );
  // After `exec > >(cmd)` the command reads what the rest of the line prints there, which is not followed.
  for (const target of piped) expandOne(target, { ...shell, stdin: isExec ? DECODED : output }, run);
  const caught =
    streams.silent ||
    piped.length > 0 ||
    streams.sinks.some((sink) => sink.stdout && !["/dev/stdout", "/dev/fd/1"].includes(sink.path));
  return caught ? "" : output;
}
