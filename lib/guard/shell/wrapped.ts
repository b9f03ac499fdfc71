// A program that runs another one: its own options are read off, what remains is a command line.
import { resolvePath } from "../paths.ts";
import { writeFile } from "./file-effects.ts";
import { readOptions, type Valued } from "./options.ts";
import { checkVariable } from "./simple-command.ts";
import { type Shell, subshell } from "./state.ts";
import { assign } from "./variables.ts";

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
function unwrap(args: readonly string[], { short = "", long = [], skip = 0, sets }: Wrapper) {
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
      const isLong = arg.startsWith("--");
      const takesNext = isLong
        ? long.includes(arg.slice(2))
        : short.includes(arg.charAt(arg.length - 1)) && arg.length > 1;
      const inline = !isLong && [...arg.slice(1, -1)].some((letter) => short.includes(letter));
      if (takesNext && !inline) own.push(args[++at] ?? "");
    }
  }
  const inner = args.slice(at + skip);
  return { own, inner: inner[0] === "--" ? inner.slice(1) : inner };
}

export function runWrapped(spec: Wrapper, args: readonly string[], shell: Shell): string | undefined {
  let rest = args;
  if (spec.verbs) {
    const verb = args.findIndex((arg) => !arg.startsWith("-"));
    if (verb < 0 || !spec.verbs.includes(args[verb] ?? "")) return undefined;
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
