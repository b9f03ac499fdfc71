// The shell's own commands, as far as they change what later words mean or run text as code.
import { resolvePath } from "../paths.ts";
import { firstOperand, has, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import {
  hasUnknown,
  report,
  type Shell,
  SOME_NAME,
  TEMP_PATH,
  taintOf,
  UNKNOWN,
  UNKNOWN_DIRECTORY,
} from "../shell/state.ts";
import { assign, assignArray, assignEither, checkVariable, lookUp } from "../shell/variables.ts";
import { assignNumber } from "../shell/walk.ts";
import { splitUp } from "../shell/words.ts";
import { runCode, runScriptFile } from "./bash.ts";

function enter(path: string, shell: Shell): void {
  const { cwd } = shell;
  const next = path === "-" ? shell.previous : resolvePath(path, cwd);
  shell.previous = cwd;
  shell.cwd = hasUnknown(next.charAt(0)) && !next.startsWith(TEMP_PATH) ? UNKNOWN_DIRECTORY : next;
}

const cd: Handler = (args, shell) => {
  const [target = shell.run.situation.home] = args.filter(
    (arg) => arg === "-" || !arg.startsWith("-") || !/^-[LPe@-]+$/.test(arg),
  );
  const [path] = /^\w/.test(target) ? (lookUp("CDPATH", shell) ?? []) : [];
  enter(path ? `${path}/${target}` : target, shell);
  return "";
};

const declare: Handler = (args, shell, command) => {
  const isLocal = !["export", "readonly"].includes(command) && !args.includes("-g");
  const isReference = args.some((arg) => arg.startsWith("-") && arg.includes("n"));
  for (const arg of args) {
    const [, name = "", append, value = ""] = /^([A-Za-z_]\w*)(\+?)=(.*)$/s.exec(arg) ?? [];
    if (!name) continue;
    if (isLocal && !shell.locals?.has(name)) shell.locals?.set(name, shell.vars.get(name));
    if (isReference) shell.vars.set(`ref ${name}`, [[value]]);
    else assign(name, [value], shell, append === "+");
    checkVariable(name, value, shell);
  }
  return "";
};

const unset: Handler = (args, shell) => {
  if (args.includes("HISTFILE")) report(shell, "hide-traces");
  runIndexes(args, shell);
  for (const name of args) shell.vars.delete(name);
  return "";
};

/** Each line read may be the one in the variable. */
const read: Handler = (args, shell) => {
  const { operands, values } = readOptions(args, { short: "adinNptu" });
  const array = values.get("-a");
  if (array !== undefined) {
    assignArray(array, splitUp(shell.stdin.trim(), shell).filter(Boolean), shell);
    return "";
  }
  const isVague = hasUnknown(shell.stdin.replaceAll(SOME_NAME, ""));
  const lines = isVague ? [taintOf(shell.stdin)] : shell.stdin.split("\n").filter(Boolean);
  const [first = "REPLY", ...others] = operands;
  const words = lines.map((line) => line.trim().split(/\s+/));
  assignEither(first, others.length ? words.map(([word = ""]) => word) : lines, shell);
  others.forEach((name, at) => {
    const isLast = at === others.length - 1;
    const values = words.map((list) => (isLast ? list.slice(at + 1).join(" ") : (list[at + 1] ?? "")));
    assignEither(name, isVague ? lines : values, shell);
  });
  return "";
};

const mapfile: Handler = (args, shell) => {
  const { operands, values } = readOptions(args, { short: "dnOsucC" });
  const callback = values.get("-C");
  if (callback !== undefined) shell.run.code(callback, shell);
  assign(operands[0] ?? "MAPFILE", shell.stdin.split("\n").filter(Boolean), shell);
  return "";
};

const set: Handler = (args, shell) => {
  if (/\+o history/.test(args.join(" "))) report(shell, "hide-traces");
  const start = args.indexOf("--");
  if (start >= 0) shell.args = args.slice(start + 1);
  else if (args[0] && !/^[-+]/.test(args[0])) shell.args = args;
  return "";
};

const alias: Handler = (args, shell) => {
  for (const arg of args) {
    const [, name = "", text = ""] = /^([^=\s]+)=(.*)$/s.exec(arg) ?? [];
    if (name) shell.aliases.set(name, text);
  }
  return "";
};

/** `hash -p /bin/rm x` makes x another name of rm. */
const hash: Handler = (args, shell) => {
  const [flag, path, name] = args;
  if (flag === "-p" && path && name) shell.aliases.set(name, path);
  return "";
};

/** What is trapped runs at the end, with what the variables hold by then. */
const trap: Handler = (args, shell) => {
  const [action = ""] = args.filter((arg) => arg !== "--");
  if (!/^(-[lp]?|)$/.test(action)) shell.run.later.push(() => shell.run.code(action, shell));
  return "";
};

const history: Handler = (args, shell) => {
  if (args.some((arg) => /^-\w*[cd]/.test(arg))) report(shell, "hide-traces");
  return UNKNOWN;
};

const shift: Handler = (args, shell) => {
  shell.args = shell.args?.slice(Number(args[0] ?? 1) || 1);
  return "";
};

const command: Handler = (args, shell) => {
  const start = firstOperand(args);
  const inner = args.slice(start);
  if (has(readOptions(args.slice(0, start)), "-v", "-V")) return inner.join("\n");
  return runAsProgram(inner, shell);
};

/** Functions and aliases of that name are passed by. */
const runAsProgram = (argv: readonly string[], shell: Shell) =>
  argv.length ? shell.run.argv(argv, { ...shell, functions: new Map(), aliases: new Map() }) : "";

const exec: Handler = (args, shell) => {
  let at = 0;
  while (/^-[acl]+$/.test(args[at] ?? "")) at += args[at]?.endsWith("a") ? 2 : 1;
  return runAsProgram(args.slice(args[at] === "--" ? at + 1 : at), shell);
};

/** The index of an element is computed, and what is computed may run commands: `a[$(cmd)]`. */
function runIndexes(args: readonly string[], shell: Shell): void {
  for (const arg of args)
    if (arg.includes("[$(") || arg.includes("[`")) shell.run.code(`: "${arg.replaceAll('"', "")}"`, shell);
}

const quiet: Handler = (args, shell) => {
  runIndexes(args, shell);
  return "";
};

const calculate: Handler = (args, shell, name) => {
  for (const arg of args) assignNumber(arg, shell);
  return quiet(args, shell, name);
};

/** `-C` names a command that makes the completions. */
const completes: Handler = (args, shell) => {
  const command = readOptions(args, { short: "CFoAGWXPS" }).values.get("-C");
  if (command !== undefined) shell.run.code(command, shell);
  return "";
};

/** `type -p rm` prints where it is. */
const type: Handler = (args) =>
  args.some((arg) => /^-[pP]$/.test(arg))
    ? args
        .filter((arg) => !arg.startsWith("-"))
        .map((name) => `/usr/bin/${name}`)
        .join("\n")
    : UNKNOWN;

export const BUILTINS = programs([
  ["cd pushd chdir", cd],
  ["popd", (_, shell) => cd(["-"], shell, "cd")],
  ["export declare typeset local readonly", declare],
  ["unset", unset],
  ["read", read],
  ["mapfile readarray", mapfile],
  ["set", set],
  ["shift", shift],
  ["alias", alias],
  ["hash", hash],
  ["trap", trap],
  ["history", history],
  ["command", command],
  ["exec", exec],
  ["builtin", (args, shell) => (args.length ? shell.run.argv(args, shell) : "")],
  ["eval", (args, shell) => runCode(args.slice(args[0] === "--" ? 1 : 0).join(" "), shell)],
  ["source .", (args, shell) => runScriptFile(args, shell)],
  ["let", calculate],
  ["type", type],
  ["compgen complete", completes],
  ["test [", quiet],
  ["true false : umask ulimit wait bg fg disown sleep shopt return exit break continue", () => ""],
]);
