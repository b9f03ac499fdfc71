// Walks a parsed command the way bash would run it, every branch of it, and hands each simple command on.
import {
  type ArithmeticExpression,
  type ArithmeticFor,
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
} from "unbash";
import { closeStreams, openStreams, runSimple } from "./simple-command.ts";
import { clip, deeper, isWithinBudget, report, type Shell, subshell } from "./state.ts";
import { UNKNOWN } from "./unknowns.ts";
import { assign, mergeBranch } from "./variables.ts";
import { expandOne, expandWord, type Substitute } from "./words.ts";

type Node = Statement["command"] | Coproc["body"] | ParsedScript;

const MAX_ITEMS = 64;

/** `$(cat)`: what the command around it is given. */
function readsAll(script: ParsedScript | undefined): boolean {
  const [only, more] = script?.commands ?? [];
  if (more !== undefined || only?.command.type !== "Command") return false;
  return only.command.name?.value === "cat" && only.command.suffix.length === 0;
}

const substitute: Substitute = {
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
  if (!node || !isWithinBudget(shell)) return;
  if (node.type === "Word") {
    const text = expandOne(node, shell, substitute);
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

function walkList(list: { commands: readonly Statement[] } | undefined, shell: Shell): string {
  return list ? statements(list.commands, shell) : "";
}

function redirected(
  redirects: readonly Redirection[],
  shell: Shell,
  inside: (inner: Shell) => string,
  isExec = false,
): string {
  const streams = openStreams(redirects, shell, substitute);
  const before = shell.stdin;
  shell.stdin = streams.stdin;
  const output = inside(shell);
  if (!isExec) shell.stdin = before;
  return closeStreams(streams, redirects, output, shell, substitute, isExec);
}

/** The text a node or list prints, as far as it can be known. */
export function walk(node: Node | undefined, shell: Shell): string {
  if (!node || !isWithinBudget(shell)) return "";
  switch (node.type) {
    case "Script":
    case "CompoundList":
      return walkList(node, shell);
    case "Command":
      return command(node, shell);
    case "Pipeline":
      return pipeline(node, shell);
    case "AndOr":
      return node.commands.map((one, at) => (at === 0 ? walk(one, shell) : branch(one, shell))).join("");
    case "Redirected":
      return redirected(node.redirects, shell, (inner) => walk(node.command, inner));
    case "Subshell":
      return walkList(node.body, subshell(shell));
    case "BraceGroup":
      return walkList(node.body, shell);
    case "If": {
      const parts = [
        node.clause,
        node.then,
        ...node.elif.flatMap((one) => [one.clause, one.then]),
        node.else,
      ];
      return parts.map((part, at) => (at === 0 ? walk(part, shell) : branch(part, shell))).join("");
    }
    case "For":
    case "Select": {
      const items = node.wordlist?.flatMap((word) => expandWord(word, shell, substitute)) ?? shell.args ?? [];
      return loop(node.name.value, items, node.body, shell);
    }
    case "While":
      if (isRunaway(node)) report(shell, "fork-bomb");
      return walk(node.clause, shell) + branch(node.body, shell);
    case "ArithmeticFor":
      if (isRunaway(node)) report(shell, "fork-bomb");
      for (const part of [node.initialize, node.test, node.update]) runInside(part, shell);
      return branch(node.body, shell);
    case "Case":
      expandOne(node.word, shell, substitute);
      return node.items
        .map(({ pattern, body }) => {
          for (const word of pattern) expandOne(word, shell, substitute);
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

function command(node: Command, shell: Shell): string {
  const isExec = node.name?.value === "exec" && node.args.length === 0; // `exec < file`
  return runSimple(node, shell, substitute, (redirects, inside) =>
    redirected(redirects, shell, inside, isExec),
  );
}

/** Parses and walks a piece of shell code. zsh takes `&;`, which is an error in bash. */
export function walkCode(text: string, shell: Shell): string {
  return deeper(shell, undefined, () => {
    const script = parse(text);
    return walk(script.errors?.length ? parse(text.replace(/&\s*;/g, "&\n")) : script, shell);
  });
}

// An endless loop that starts jobs and never waits for them is a fork bomb without a function.
const PAUSES = new Set(["sleep", "wait", "read", "break", "exit", "return", "jobs", "inotifywait"]);

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
