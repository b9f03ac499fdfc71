// Walks a parsed command the way bash would run it, every branch of it, and hands the resolved arguments of each simple command on.
import {
  type ArithmeticExpression,
  type ArithmeticFor,
  type Assignment,
  type Command,
  type Coproc,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type While,
  type Word,
} from "unbash";
import { emptyFiles } from "../packs/sources.ts";
import { locate, readFile, writeFile } from "./file-effects.ts";
import {
  clip,
  countStep,
  DECODED,
  deeper,
  FETCHED,
  hasUnknown,
  report,
  restore,
  type Shell,
  type Substitute,
  subshell,
  UNKNOWN,
  type Value,
} from "./state.ts";
import { assign, assignArray, checkVariable, lookUp, mergeBranch } from "./variables.ts";
import { expandOne, expandParts, expandWord } from "./words.ts";

type Node = Statement["command"] | Coproc["body"] | ParsedScript;

const MAX_ITEMS = 64;
const MAX_PASSES = 16;

/** `$(cat)`: what the command around it is given. */
function readsAll(script: ParsedScript | undefined): boolean {
  const [only, more] = script?.commands ?? [];
  if (more !== undefined || only?.command.type !== "Command") return false;
  return only.command.name?.value === "cat" && only.command.suffix.length === 0;
}

export const substitute: Substitute = {
  output: (part, shell) =>
    part.script
      ? deeper(shell, undefined, () =>
          walk(part.script, subshell(shell, { stdin: readsAll(part.script) ? shell.stdin : "" })),
        )
      : UNKNOWN,
  pipe(part, shell) {
    const { files } = shell.run;
    const stdin = part.operator === ">" ? shell.stdin : "";
    const output = deeper(shell, undefined, () => walk(part.script, subshell(shell, { stdin, forks: true })));
    const path = `/dev/fd/pipe${files.size}`;
    if (part.operator === "<") files.set(path, output);
    return path;
  },
  arithmetic(part, shell) {
    runInside(part.expression, shell);
    return arithmetic(part.text);
  },
};

function arithmetic(text: string): string {
  const [, a, operator, b] =
    /^(?:\$(?:\(\(|\[))?\s*(-?\d+)\s*(?:([-+*])\s*(-?\d+))?\s*(?:\)\)|\])?$/.exec(text) ?? [];
  if (a === undefined) return UNKNOWN;
  const [left, right] = [Number(a), Number(b ?? 0)];
  return String(operator === "*" ? left * right : operator === "-" ? left - right : left + right);
}

/** `((n = 0 - 1))`, `let n=0-1`. */
export function assignNumber(text: string, shell: Shell): void {
  const [, name, value = ""] = /^\s*([A-Za-z_]\w*)\s*=(?!=)(.*)$/s.exec(text) ?? [];
  if (name) assign(name, [arithmetic(value)], shell);
}

/** Runs the substitutions inside an expression that is otherwise not a command. */
function runInside(node: SyntaxNode | ArithmeticExpression | undefined, shell: Shell): void {
  if (!node) return;
  countStep(shell);
  if (node.type === "Word") {
    const text = expandOne(node, shell);
    if (text.includes("[$(")) shell.run.code(`: "${text}"`, shell);
    return;
  }
  if (node.type === "CommandExpansion") return void substitute.output(node, shell);
  if (node.type === "ArithmeticCommandExpansion") {
    if (node.script) deeper(shell, undefined, () => walk(node.script, subshell(shell)));
    return;
  }
  forEachChild(node, (child) => runInside(child, shell));
}

function statements(list: readonly Statement[], shell: Shell): string {
  let output = "";
  for (const { command, background } of list) {
    output += walk(command, background ? subshell(shell, { forks: true }) : shell);
  }
  return clip(output);
}

function pipeline(node: Pipeline, shell: Shell): string {
  if (node.commands.length === 1) return walk(node.commands[0], shell);
  let { stdin } = shell;
  for (const command of node.commands) stdin = walk(command, subshell(shell, { stdin, forks: true }));
  return stdin;
}

/** A part that may or may not run. */
function branch(node: Node | undefined, shell: Shell): string {
  const before = new Map(shell.vars);
  const output = walk(node, shell);
  mergeBranch(before, shell);
  return output;
}

/** The first part runs, the others may or may not. */
const inTurn = (parts: readonly (Node | undefined)[], shell: Shell): string =>
  parts.map((part, at) => (at === 0 ? walk(part, shell) : branch(part, shell))).join("");

/** Plain numbers are alike: a long count is sampled, anything that can be a path is not. */
function sample(items: readonly string[]): readonly string[] {
  const unique = [...new Set(items)];
  return unique.length <= MAX_ITEMS
    ? unique
    : [...unique.slice(0, 8), ...unique.filter((one) => /[^\w]/.test(one))];
}

function loop(name: string, items: readonly string[], body: Node, shell: Shell): string {
  let output = "";
  for (const item of items.length ? sample(items) : [UNKNOWN]) {
    assign(name, [item], shell);
    output += walk(body, shell);
  }
  return clip(output);
}

/** Once, and again for each argument that `shift` brings to the front. */
function repeat(node: While, shell: Shell): string {
  let output = "";
  let before: number;
  do {
    before = shell.args?.length ?? 0;
    output += walk(node.clause, shell) + branch(node.body, shell);
  } while (shell.args?.length && shell.args.length < before);
  return clip(output);
}

/** The text a node or list prints, as far as it can be known. */
export function walk(node: Node | undefined, shell: Shell): string {
  if (!node) return "";
  countStep(shell);
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return statements(node.commands, shell);
    case "Command":
      return runSimple(node, shell);
    case "Pipeline":
      return pipeline(node, shell);
    case "AndOr":
      return inTurn(node.commands, shell);
    case "Redirected":
      return redirected(node.redirects, shell, (inner) => walk(node.command, inner));
    case "Subshell":
      return statements(node.body.commands, subshell(shell));
    case "BraceGroup":
      return statements(node.body.commands, shell);
    case "If": {
      const elif = node.elif.flatMap((one) => [one.clause, one.then]);
      return inTurn([node.clause, node.then, ...elif, node.else], shell);
    }
    case "For":
    case "Select": {
      const items = node.wordlist?.flatMap((word) => expandWord(word, shell)) ?? shell.args ?? [];
      return loop(node.name.value, items, node.body, shell);
    }
    case "While":
      if (isRunaway(node)) report(shell, "fork-bomb");
      return repeat(node, shell);
    case "ArithmeticFor":
      if (isRunaway(node)) report(shell, "fork-bomb");
      for (const part of [node.initialize, node.test, node.update]) runInside(part, shell);
      return branch(node.body, shell);
    case "Case":
      expandOne(node.word, shell);
      return node.items
        .map(({ pattern, body }) => {
          for (const word of pattern) expandOne(word, shell);
          return branch(body, shell);
        })
        .join("");
    case "Function":
      shell.functions.set(node.name.value, node.body);
      shell.run.uncalled.set(node.body, shell);
      return "";
    case "Coproc": {
      const output = walk(node.body, subshell(shell, { forks: true }));
      shell.run.files.set("/dev/fd/coproc", output);
      assign(node.name?.value ?? "COPROC", ["coproc", "coproc"], shell);
      return "";
    }
    case "ArithmeticCommand":
      runInside(node, shell);
      assignNumber(node.body, shell);
      return "";
    default:
      runInside(node, shell);
      return "";
  }
}

/** Parses and walks a piece of shell code. zsh takes `&;`, which is an error in bash. */
export function walkCode(text: string, shell: Shell): string {
  return deeper(shell, undefined, () => {
    const script = parse(text);
    return walk(script.errors?.length ? parse(text.replace(/&\s*;/g, "&\n")) : script, shell);
  });
}

// One simple command: expand its words, set its variables, open its streams, and hand the resolved arguments on.

/** bash has two tables whose elements are commands. */
function setElement(name: string, key: string, text: string, shell: Shell): void {
  if (name === "BASH_ALIASES" || name === "BASH_CMDS") shell.aliases.set(key, text);
  const list = [...(lookUp(name, shell) ?? [])];
  list.splice(/^\d+$/.test(key) ? Number(key) : list.length, 1, text);
  shell.vars.set(name, [list]);
  shell.vars.set(`${name}[${key}]`, [[text]]);
}

function set(assignment: Assignment, shell: Shell): void {
  const { name, value, append, index } = assignment;
  if (value.type === "ArrayValue") {
    const list = value.elements.flatMap((word) => expandWord(word, shell));
    assignArray(name, list, shell, append);
    return;
  }
  const text = expandOne(value, shell);
  if (index) setElement(name, expandOne(index, shell), text, shell);
  else assign(name, [text], shell, append);
  checkVariable(name, text, shell);
}

function argvOf(node: Command, shell: Shell): string[] {
  const argv = node.name ? expandWord(node.name, shell) : [];
  for (const arg of node.args) {
    if (arg.type === "Word") argv.push(...expandWord(arg, shell));
    else if (arg.value.type === "ArrayValue") set(arg, shell);
    else argv.push(`${arg.name}${arg.append ? "+" : ""}=${expandOne(arg.value, shell)}`);
  }
  return argv;
}

function expandAll(node: Command, shell: Shell): string[] {
  const { run: state } = shell;
  const before = state.expanding;
  state.expanding = true;
  const argv = argvOf(node, shell);
  state.expanding = before;
  return argv;
}

function execute(argv: readonly string[], node: Command, shell: Shell): string {
  const assignments = node.prefix.filter((one) => one.type === "Assignment");
  const before = new Map<string, Value | undefined>(
    assignments.map(({ name }) => [name, shell.vars.get(name)]),
  );
  for (const one of assignments) set(one, shell);
  if (argv.length === 0)
    return node.redirects.some((one) => one.type === "Redirect" && one.operator === "<") ? shell.stdin : "";
  const output = shell.run.argv(argv, shell);
  restore(before, shell);
  return output;
}

function pass(node: Command, shell: Shell): string {
  const argv = expandAll(node, shell);
  const { subject } = shell.run;
  const isNamed = argv[0] !== undefined && !hasUnknown(argv[0].charAt(0));
  if (isNamed || subject.length === 0) shell.run.subject = argv;
  const isExec = node.name?.value === "exec" && node.args.length === 0; // `exec < file`
  const output = redirected(node.redirects, shell, (inner) => execute(argv, node, inner), isExec);
  shell.run.subject = subject;
  return output;
}

/** A variable with alternatives makes the command run once for each of them. */
function runSimple(node: Command, shell: Shell): string {
  const { run: state } = shell;
  if (state.expanding) return pass(node, shell);
  const { pick, alternatives } = state;
  state.pick = 0;
  state.alternatives = 1;
  const output = pass(node, shell);
  const passes = Math.min(state.alternatives, MAX_PASSES);
  for (state.pick = 1; state.pick < passes; state.pick++) {
    const before = new Map(shell.vars);
    pass(node, shell);
    mergeBranch(before, shell);
  }
  state.pick = pick;
  state.alternatives = alternatives;
  return output;
}

// Redirections: what a command reads from, and which files its output lands in.

function redirected(
  redirects: readonly Redirection[],
  shell: Shell,
  inside: (inner: Shell) => string,
  isExec = false,
): string {
  const streams = openStreams(redirects, shell);
  const before = shell.stdin;
  shell.stdin = streams.stdin;
  const output = inside(shell);
  if (!isExec) shell.stdin = before;
  return closeStreams(streams, redirects, output, shell, isExec);
}

type Sink = { path: string; append: boolean; stdout: boolean };
type Streams = { stdin: string; sinks: readonly Sink[]; silent: boolean };

const isSocket = (path: string) => path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/");

function read(path: string, shell: Shell): string {
  return isSocket(path) ? FETCHED : (readFile(path, shell) ?? (path === "/dev/null" ? "" : UNKNOWN));
}

function bodyOf(redirect: Exclude<Redirection, { type: "Redirect" }>, shell: Shell): string {
  if (redirect.type === "HereString") return redirect.target ? `${expandOne(redirect.target, shell)}\n` : "";
  const { body, delimiter } = redirect;
  if (delimiter?.quoted) return body.text;
  return body.parts ? expandParts(body.parts, shell) : body.text.replace(/\\([\\$`])|\\\n/g, "$1");
}

/** The descriptor a redirection is about, when it is written out. */
const numberOf = (redirect: Redirection) =>
  redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;

/** `>(…)` as a target: the output becomes that command's input, so it is run with it later. */
const isPipe = (word: Word) => word.parts?.[0]?.type === "ProcessSubstitution";

function openStreams(redirects: readonly Redirection[], shell: Shell): Streams {
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
      setInput(fd ?? 0, bodyOf(redirect, shell));
      continue;
    }
    const { operator, target } = redirect;
    if (!target || (operator !== "<" && isPipe(target))) continue;
    const path = expandOne(target, shell);
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
function closeStreams(
  streams: Streams,
  redirects: readonly Redirection[],
  output: string,
  shell: Shell,
  isExec: boolean,
): string {
  for (const { path, append, stdout } of streams.sinks) {
    if (stdout && !append && output.trim() === "") emptyFiles([path], shell);
    const text = stdout ? output : shell.run.files.get(locate(path, shell).path);
    writeFile(path, shell, text ?? "", stdout && append);
  }
  const piped = redirects.flatMap((one) =>
    one.type === "Redirect" && one.operator !== "<" && one.target && isPipe(one.target) ? [one.target] : [],
  );
  // After `exec > >(cmd)` the command reads what the rest of the line prints there, which is not followed.
  for (const target of piped) expandOne(target, { ...shell, stdin: isExec ? DECODED : output });
  const caught =
    streams.silent ||
    piped.length > 0 ||
    streams.sinks.some((sink) => sink.stdout && !["/dev/stdout", "/dev/fd/1"].includes(sink.path));
  return caught ? "" : output;
}

// An endless loop that starts jobs and neither waits for them nor ends them is a fork bomb without a function.
const PAUSES = new Set(["sleep", "wait", "read", "break", "exit", "return", "jobs", "inotifywait", "kill"]);

function survey(node: SyntaxNode, seen: { jobs: boolean; pauses: boolean }): void {
  if (node.type === "Statement" && node.background) {
    seen.jobs = true;
    return;
  }
  if (node.type === "Command" && PAUSES.has(node.name?.value ?? "")) seen.pauses = true;
  forEachChild(node, (child) => survey(child, seen));
}

function isEndless(loop: While | ArithmeticFor): boolean {
  if (loop.type === "ArithmeticFor") return loop.test === undefined;
  const [only, more] = loop.clause.commands;
  if (more || only?.command.type !== "Command") return false;
  const name = only.command.name?.value;
  return loop.kind === "until" ? name === "false" : name === "true" || name === ":";
}

function isRunaway(loop: While | ArithmeticFor): boolean {
  if (!isEndless(loop)) return false;
  const seen = { jobs: false, pauses: false };
  survey(loop.body, seen);
  return seen.jobs && !seen.pauses;
}
