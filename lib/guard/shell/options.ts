// Command-line options, read the way getopt reads them: clusters, `--name=value`, options after operands, `--`.
import { resolvePath } from "../paths.ts";
import { writeFile } from "./file-effects.ts";
import { type Shell, subshell } from "./state.ts";
import { assign, checkVariable } from "./variables.ts";

export type Options = {
  flags: readonly string[];
  values: ReadonlyMap<string, string>;
  operands: readonly string[];
};

/** Which options are followed by a value: short letters, and long names without dashes. */
export type Valued = { short?: string; long?: readonly string[] };

export function readOptions(args: readonly string[], valued: Valued = {}): Options {
  const { short = "", long = [] } = valued;
  const flags: string[] = [];
  const values = new Map<string, string>();
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg.startsWith("--")) {
      const equals = arg.indexOf("=");
      const name = equals < 0 ? arg : arg.slice(0, equals);
      const value = equals < 0 ? undefined : arg.slice(equals + 1);
      flags.push(name);
      if (value !== undefined) values.set(name, value);
      else if (long.includes(name.slice(2))) values.set(name, args[++at] ?? "");
    } else if (arg.startsWith("-") && arg !== "-") {
      const letters = arg.slice(1);
      const stop = [...letters].findIndex((letter) => short.includes(letter));
      for (const letter of stop < 0 ? letters : letters.slice(0, stop + 1)) flags.push(`-${letter}`);
      if (stop >= 0) values.set(`-${letters.charAt(stop)}`, letters.slice(stop + 1) || (args[++at] ?? ""));
    } else operands.push(arg);
  }
  return { flags, values, operands };
}

/** Index of the first word that is neither an option nor an option's value; what a wrapper runs begins there. */
export function firstOperand(args: readonly string[], valued: Valued = {}, from = 0): number {
  for (let at = from; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return at + 1;
    if (!arg.startsWith("-")) return at;
    if (takesNext(arg, valued)) at++;
  }
  return args.length;
}

/** Whether an option's value is the word behind it: in a cluster the rest of the word is the value, where there is one. */
function takesNext(arg: string, { short = "", long = [] }: Valued): boolean {
  if (arg.startsWith("--")) return long.includes(arg.slice(2));
  const valued = [...arg].findIndex((letter, at) => at > 0 && short.includes(letter));
  return valued > 0 && valued === arg.length - 1;
}

/** True when one of the names was given; a long name also by any prefix of at least two letters. */
export const has = (options: Options, ...names: string[]) =>
  options.flags.some((flag) => names.some((name) => isFlag(flag, name)));

const isFlag = (flag: string, name: string) =>
  flag === name || (name.startsWith("--") && flag.length >= 4 && name.startsWith(flag));

export const optionValue = (options: Options, ...names: string[]) => {
  for (const [flag, value] of options.values) if (names.some((name) => isFlag(flag, name))) return value;
  return undefined;
};

// A program that runs another one: its own options are read off, what remains is a command line.

export type Wrapper = Valued & {
  /** Operands before the command. */
  skip?: number;
  /** Takes NAME=value. */
  sets?: true;
  /** Runs a command only behind one of these words. */
  verbs?: readonly string[];
  /** Options whose value is shell text. */
  code?: readonly string[];
  /** Options that name a file it writes. */
  writes?: readonly string[];
};

/** Splits off the wrapper's own words; what remains is the wrapped command. */
function unwrap(args: readonly string[], wrapper: Wrapper) {
  const { skip = 0, sets } = wrapper;
  const own: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--" || (sets && arg === "-")) {
      if (sets) continue;
      at++;
      break;
    }
    if (sets && /^[A-Za-z_]\w*=/.test(arg)) own.push(arg);
    else if (!arg.startsWith("-") || arg === "-") break;
    else {
      own.push(arg);
      if (takesNext(arg, wrapper)) own.push(args[++at] ?? "");
    }
  }
  const inner = args.slice(at + skip);
  return { own, inner: inner[0] === "--" ? inner.slice(1) : inner };
}

export function runWrapped(spec: Wrapper, args: readonly string[], shell: Shell): string | undefined {
  let rest = args;
  if (spec.verbs) {
    const verb = firstOperand(args, spec);
    if (!spec.verbs.includes(args[verb] ?? "")) return undefined;
    rest = args.slice(verb + 1);
  }
  const { own, inner } = unwrap(rest, spec);
  const { values } = readOptions(own, spec);
  const given = (names: readonly string[] = []) => names.flatMap((name) => values.get(name) ?? []);
  const shellInside = subshell(shell, { functions: new Map(), aliases: new Map() });
  const [directory] = given(["-C", "--chdir"]);
  if (directory !== undefined) shellInside.cwd = resolvePath(directory, shell.cwd);
  for (const word of spec.sets ? own : []) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name) assign(name, [value], shellInside);
    if (name) checkVariable(name, value, shellInside);
  }
  const [text] = given(spec.code);
  if (text !== undefined)
    return shell.run.code([text.replaceAll("\\_", " "), ...inner].join(" "), shellInside);
  for (const path of given(spec.writes)) writeTo(path, shell);
  return inner.length ? shell.run.argv(inner, shellInside) : undefined;
}

/** strace takes `|command` as well. */
function writeTo(path: string, shell: Shell): void {
  if (path.startsWith("|")) shell.run.code(path.slice(1), subshell(shell));
  else writeFile(path, shell);
}
