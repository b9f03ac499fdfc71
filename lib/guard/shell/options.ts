// Command-line options, read the way getopt reads them: clusters, `--name=value`, options after operands, `--`.

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
  const { short = "", long = [] } = valued;
  for (let at = from; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return at + 1;
    if (!arg.startsWith("-")) return at;
    const takesNext = arg.startsWith("--")
      ? long.includes(arg.slice(2))
      : arg.length === 2 && short.includes(arg.charAt(1));
    if (takesNext) at++;
  }
  return args.length;
}

/** True when one of the names was given; a long name also by any prefix of at least three letters. */
export const has = (options: Options, ...names: string[]) =>
  options.flags.some((flag) => names.some((name) => isFlag(flag, name)));

const isFlag = (flag: string, name: string) =>
  flag === name || (name.startsWith("--") && flag.length >= 4 && name.startsWith(flag));

export const optionValue = (options: Options, ...names: string[]) => {
  for (const [flag, value] of options.values) if (names.some((name) => isFlag(flag, name))) return value;
  return undefined;
};
