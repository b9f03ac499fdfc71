// What a variable holds: set earlier in the command, known from the situation, or unknown.
import { wordSet } from "../word-set.ts";
import { CLIENT_PID, report, type Shell, UNKNOWN, type Value } from "./state.ts";

const MAX_ALTERNATIVES = 16;

function fromSituation(name: string, shell: Shell): string | undefined {
  const { situation } = shell.run;
  if (shell.remote && name !== "IFS") return name === "HOME" ? situation.home : undefined;
  switch (name) {
    case "HOME":
      return situation.home;
    case "PWD":
      return shell.cwd;
    case "OLDPWD":
      return shell.previous;
    case "TMPDIR":
      return situation.temp;
    case "CLAUDE_PROJECT_DIR":
      return situation.project;
    case "PPID":
    case "CLAUDE_PID":
      return CLIENT_PID;
    case "IFS":
      return " ";
    case "PATH":
      return "/usr/local/bin:/usr/bin:/bin";
    case "SHELL":
    case "BASH":
      return "/bin/bash";
    default:
      return undefined;
  }
}

function fromArguments(name: string, shell: Shell): readonly string[] | undefined {
  const { args } = shell;
  if (name === "0") return shell.vars.get("0")?.[0] ?? ["bash"];
  if (name === "@" || name === "*") return args;
  if (name === "#") return args && [String(args.length)];
  return args && [args[Number(name) - 1] ?? ""];
}

/** The list a name stands for, or undefined when unknown. */
export function lookUp(name: string, shell: Shell): readonly string[] | undefined {
  if (name !== "" && "@*#0123456789".includes(name.charAt(0))) return fromArguments(name, shell);
  const [[referred = name] = []] = shell.vars.get(`ref ${name}`) ?? [];
  const value = shell.vars.get(referred);
  if (value) {
    shell.run.alternatives = Math.max(shell.run.alternatives, value.length);
    return value[shell.run.pick % value.length];
  }
  const known = fromSituation(referred, shell);
  return known === undefined ? undefined : [known];
}

export function assign(name: string, list: readonly string[], shell: Shell, append = false): void {
  const [first = ""] = append ? (lookUp(name, shell) ?? []) : [];
  shell.vars.set(name, [append && list.length === 1 ? [first + list[0]] : list]);
}

/** `name=(…)`, `name+=(…)`; the value of an element `[key]=value` is found again under `name[key]` too. */
export function assignArray(name: string, list: readonly string[], shell: Shell, append = false): void {
  const values = list.map((element) => {
    const [, key, value = ""] = element.startsWith("[") ? (/^\[([^\]]*)\]=(.*)$/s.exec(element) ?? []) : [];
    if (key !== undefined) shell.vars.set(`${name}[${key}]`, [[value]]);
    return key === undefined ? element : value;
  });
  shell.vars.set(name, [[...(append ? (lookUp(name, shell) ?? []) : []), ...values]]);
}

export const assignEither = (name: string, values: readonly string[], shell: Shell) =>
  shell.vars.set(
    name,
    values.length ? values.slice(0, MAX_ALTERNATIVES).map((value) => [value]) : [[UNKNOWN]],
  );

/** After a branch that may not run, a variable holds what it held before or what the branch gave it. */
export function mergeBranch(before: ReadonlyMap<string, Value>, shell: Shell): void {
  for (const [name, now] of shell.vars) {
    const old = before.get(name);
    if (old && old !== now) shell.vars.set(name, [...now, ...old].slice(0, MAX_ALTERNATIVES));
  }
}

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
