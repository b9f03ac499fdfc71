// Interpreters of other languages: one-liners and scripts given in the command are searched for calls that do harm.

import { type Language, scanCode } from "../code/scan.ts";
import { readFile, writeFile } from "../effects.ts";
import { byName, type Handler } from "../handler.ts";
import { taintOf, UNKNOWN } from "../holes.ts";
import { readOptions } from "../options.ts";
import { baseName } from "../paths.ts";
import type { Shell } from "../shell.ts";
import { checkSource } from "./shells.ts";

type Interpreter = { language: Language; flags: RegExp; valued?: RegExp; verb?: string };

function run(text: string, language: Language, shell: Shell): string {
  checkSource(text, shell);
  return scanCode(text, language, shell);
}

/** The values of every code option, and the first operand. */
function readCall(args: readonly string[], { flags, valued, verb }: Interpreter) {
  const codes: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    const inline = /^(--[\w-]+)=(.*)$/s.exec(arg);
    if (inline && flags.test(inline[1] ?? "")) codes.push(inline[2] ?? "");
    else if (flags.test(arg)) codes.push(args[++at] ?? "");
    else if (verb !== undefined && arg === verb)
      codes.push(args.slice(at + 1).filter((one) => !one.startsWith("-"))[0] ?? "");
    else if (valued?.test(arg)) at++;
    else if (!arg.startsWith("-") || arg === "-") break;
    if (verb !== undefined && arg === verb) return { codes, operands: [] };
  }
  return { codes, operands: args.slice(at) };
}

/** `-m module` takes its input as data. */
const isModule = (args: readonly string[], language: Language) =>
  language === "python" && args.some((arg) => /^-\w*m$/.test(arg));

const interpreter =
  (spec: Interpreter): Handler =>
  (args, shell) => {
    const { codes, operands } = readCall(args, spec);
    const { language } = spec;
    if (codes.length) return codes.map((text) => run(text, language, shell)).join("");
    if (isModule(args, language)) return taintOf(shell.stdin);
    const [file] = operands;
    if (file === undefined || file === "-" || file === "/dev/stdin") {
      const asks = args.some((arg) => /^(--version|-V|-v|--help|-h)$/.test(arg));
      return asks ? UNKNOWN : run(shell.stdin, language, shell);
    }
    const text = readFile(file, shell);
    return text === undefined ? taintOf(shell.stdin) : run(text, language, shell);
  };

/** perl -pi and ruby -pi rewrite their operands. */
const inPlace =
  (spec: Interpreter): Handler =>
  (args, shell, name) => {
    if (args.some((arg) => /^-[a-zA-Z0-9]*i(\.\w+)?[a-z]*$/.test(arg) && !arg.startsWith("-I"))) {
      for (const path of readCall(args, spec).operands) writeFile(path, shell);
    }
    return interpreter(spec)(args, shell, name);
  };

const awk: Handler = (args, shell) => {
  const options = readOptions(args, {
    short: "Ffvie",
    long: ["field-separator", "assign", "source", "file", "include"],
  });
  const given = options.values.get("-e") ?? options.values.get("--source");
  const [first = "", ...others] = options.operands;
  const fromFile = options.values.has("-f") || options.values.has("--file");
  if (!fromFile) run(given ?? first, "awk", shell);
  const inplace = /inplace/.test(`${options.values.get("-i") ?? ""}${options.values.get("--include") ?? ""}`);
  if (inplace)
    for (const path of given === undefined && !fromFile ? others : options.operands) writeFile(path, shell);
  return given === undefined && others.some((path) => baseName(path) && path.startsWith("/proc/"))
    ? taintOf(shell.stdin)
    : undefined;
};

/** `go run x.go` of a file this command wrote. */
const go: Handler = (args, shell) => {
  const file = args[0] === "run" ? args.find((arg) => arg.endsWith(".go")) : undefined;
  const text = file === undefined ? undefined : readFile(file, shell);
  return text === undefined ? undefined : run(text, "other", shell);
};

const osascript: Handler = (args, shell) => {
  const { codes } = readCall(args, { language: "osascript", flags: /^-e$/, valued: /^-l$/ });
  const text = codes.length ? codes.join("\n") : shell.stdin;
  return run(
    text,
    /javascript/i.test(args[args.indexOf("-l") + 1] ?? "") ? "javascript" : "osascript",
    shell,
  );
};

const C = /^-\w*c$/;
const E = /^(-\w*[eE]|--eval|--execute|--evaluate)$/;
const JS = /^(-e|-p|-pe|-ep|--eval|--print)$/;

export const INTERPRETERS = byName([
  {
    "python pypy ipython": interpreter({ language: "python", flags: C, valued: /^-[WXQ]$/ }),
    "node nodejs tsx ts-node bun": interpreter({
      language: "javascript",
      flags: JS,
      valued: /^(-r|--require|--import|--loader|-C|--conditions)$/,
    }),
    deno: interpreter({ language: "javascript", flags: /^$/, verb: "eval" }),
    perl: inPlace({ language: "perl", flags: /^-[a-zA-Z0-9]*[eE]$/, valued: /^-[IMm]$/ }),
    ruby: inPlace({ language: "ruby", flags: /^-\w*e$/, valued: /^-[IrC]$/ }),
    php: interpreter({ language: "php", flags: /^(-r|-B|-R|-E|--run)$/, valued: /^-[dc]$/ }),
    "lua luajit": interpreter({ language: "lua", flags: /^-e$/, valued: /^-l$/ }),
    "Rscript R julia elixir groovy scala octave guile ghc swift emacs crystal nim": interpreter({
      language: "other",
      flags: E,
    }),
    "awk gawk mawk nawk": awk,
    go,
    osascript,
  },
]);
