// Interpreters of other languages: one-liners and scripts given in the command are searched for calls that do harm.
import type { Value } from "../code/results.ts";
import { type Language, scanCode } from "../code/scan.ts";
import { baseName } from "../paths.ts";
import { readFile, writeFile, writeInto } from "../shell/file-effects.ts";
import { optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { type Shell, subshell, taintOf, UNKNOWN } from "../shell/state.ts";
import { checkSource, runInNewShell } from "./bash.ts";

/** Code follows an option that ends in one of the letters of `cluster`, one of `flags`, or `verb`; a value follows one of `valued`. */
type Interpreter = {
  language: Language;
  cluster?: string;
  flags?: readonly string[];
  valued?: readonly string[];
  verb?: string;
};

const isCluster = (arg: string, letters: string) =>
  arg.startsWith("-") && letters.includes(arg.slice(-1)) && (arg.length === 2 || /^-\w+$/.test(arg));

/** `-MEncode`, `-rdate`: the value is in the same word. */
const hasValue = (arg: string, { valued }: Interpreter) =>
  arg.length > 2 && valued?.includes(arg.slice(0, 2)) === true;

const takesCode = (arg: string, spec: Interpreter) =>
  spec.flags?.includes(arg) ||
  (spec.cluster !== undefined && isCluster(arg, spec.cluster) && !hasValue(arg, spec));

function run(text: string, language: Language, shell: Shell, known?: ReadonlyMap<string, Value>): string {
  checkSource(text, shell);
  return scanCode(text, language, shell, known);
}

/** The arguments of a one-liner, under the names by which it asks for them. */
function argumentNames(operands: readonly string[]): ReadonlyMap<string, Value> {
  const list = (...before: string[]): Value => ({ text: UNKNOWN, list: [...before, ...operands] });
  return new Map([
    ["sys.argv", list("-c")],
    ["process.argv", list("node")],
    ["ARGV", list()],
    ["$ARGV", list()],
    ["@ARGV", list()],
    ["$argv", list("-")],
  ]);
}

/** The values of every code option, and the first operand. */
function readCall(args: readonly string[], spec: Interpreter) {
  const { valued, verb } = spec;
  const codes: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    const equals = arg.startsWith("--") ? arg.indexOf("=") : -1;
    if (equals > 0 && takesCode(arg.slice(0, equals), spec)) codes.push(arg.slice(equals + 1));
    else if (takesCode(arg, spec)) codes.push(args[++at] ?? "");
    else if (spec.cluster?.includes(arg.charAt(1)) && /^-\w.*[\s;("]/s.test(arg)) codes.push(arg.slice(2));
    else if (verb !== undefined && arg === verb)
      codes.push(args.slice(at + 1).filter((one) => !one.startsWith("-"))[0] ?? "");
    else if (valued?.includes(arg)) at++;
    else if (!arg.startsWith("-") || arg === "-") break;
    if (verb !== undefined && arg === verb) return { codes, operands: [] };
  }
  return { codes, operands: args.slice(at) };
}

/** `-m module` takes its input as data. */
const isModule = (args: readonly string[], language: Language) =>
  language === "python" && args.some((arg) => isCluster(arg, "m"));

/** Modules that are the same program under another name. */
function runModule(args: readonly string[], shell: Shell): string {
  const [name = "", ...rest] = args.slice(args.findIndex((arg) => isCluster(arg, "m")) + 1);
  if (name === "base64") return shell.run.argv(["base64", ...rest], shell);
  if (name === "timeit" || name === "pdb")
    return rest.map((text) => run(text.replace(/^!/, ""), "python", shell)).join("");
  if (["tarfile", "zipfile"].includes(name) && ["-e", "--extract"].includes(rest[0] ?? "")) {
    writeInto(rest[2] ?? ".", shell);
    return "";
  }
  if (name === "git_filter_repo") return shell.run.argv(["git", "filter-repo", ...rest], shell);
  return taintOf(shell.stdin);
}

const interpreter =
  (spec: Interpreter): Handler =>
  (args, shell) => {
    const { codes, operands } = readCall(args, spec);
    const { language } = spec;
    if (codes.length)
      return codes
        .map((text) => run(text, language, shell, operands.length ? argumentNames(operands) : undefined))
        .join("");
    const own = args.slice(0, args.length - operands.length);
    if (isModule(own, language)) return runModule(args, shell);
    const [file] = operands;
    if (file === undefined || file === "-") {
      const asks = own.some((arg) => ["--version", "-V", "-v", "--help", "-h"].includes(arg));
      return asks ? UNKNOWN : run(shell.stdin, language, shell);
    }
    const text = readFile(file, shell);
    return text === undefined ? taintOf(shell.stdin) : run(text, language, shell);
  };

/** perl -pi and ruby -pi rewrite their operands. */
const inPlace =
  (spec: Interpreter): Handler =>
  (args, shell, name) => {
    const { operands } = readCall(args, spec);
    const own = args.slice(0, args.length - operands.length);
    if (own.some((arg) => /^-[a-zA-Z0-9]*(i\.\w+)?$/.test(arg) && arg.includes("i") && !hasValue(arg, spec)))
      for (const path of operands) writeFile(path, shell);
    return interpreter(spec)(args, shell, name);
  };

/** A variable is given by `-v`, or in place of a file. */
const awk: Handler = (args, shell) => {
  const options = readOptions(args, {
    short: "FfvieW",
    long: ["field-separator", "assign", "source", "file", "include"],
  });
  const given = options.values.get("-e") ?? options.values.get("--source");
  const [first = "", ...others] = options.operands;
  const file = optionValue(options, "-f", "--file");
  const fromFile = file !== undefined;
  const program = fromFile ? (readFile(file, shell) ?? "") : (given ?? first);
  const variables = new Map<string, Value>();
  for (const arg of args) {
    const [, name, value = ""] = /^(?:-v|--assign=)?([A-Za-z_]\w*)=(.*)$/s.exec(arg) ?? [];
    if (name) variables.set(name, { text: value });
  }
  const output = run(program, "awk", shell, variables);
  const inplace = /inplace/.test(`${options.values.get("-i") ?? ""}${options.values.get("--include") ?? ""}`);
  if (inplace)
    for (const path of given === undefined && !fromFile ? others : options.operands) writeFile(path, shell);
  return given === undefined && others.some((path) => baseName(path) && path.startsWith("/proc/"))
    ? taintOf(shell.stdin)
    : output;
};

const JAVASCRIPT: Interpreter = {
  language: "javascript",
  flags: ["-e", "-p", "-pe", "-ep", "--eval", "--print"],
  valued: ["-r", "--require", "--import", "--loader", "-C", "--conditions", "--input-type", "--env-file"],
};
const PYTHON: Interpreter = { language: "python", cluster: "c", valued: ["-W", "-X", "-Q"] };
const deno: Handler = (args, shell, name) =>
  interpreter({ language: "javascript", verb: "eval" })(
    args[0] === "run" ? args.slice(1) : args,
    shell,
    name,
  );

const bun: Handler = (args, shell, name) => {
  const [verb, ...rest] = args;
  if (verb === "exec") return runInNewShell(rest.join(" "), shell);
  if (verb === "x") return shell.run.argv(["npx", ...rest], shell);
  return interpreter(JAVASCRIPT)(verb === "run" ? rest : args, shell, name);
};

/** Laravel's console takes code as an option of its own. */
const php: Handler = (args, shell, name) => {
  const code = readOptions(args, { long: ["execute"] }).values.get("--execute");
  if (code !== undefined) run(code, "php", shell);
  return interpreter({
    language: "php",
    cluster: "r",
    flags: ["-B", "-R", "-E", "--run"],
    valued: ["-d", "-c"],
  })(args, shell, name);
};

const rails: Handler = (args, shell) => {
  const [verb = "", code] = readOptions(args, { short: "e", long: ["environment"] }).operands;
  return ["runner", "r"].includes(verb) && code !== undefined ? run(code, "ruby", shell) : undefined;
};

const osascript: Handler = (args, shell) => {
  const { codes } = readCall(args, { language: "osascript", flags: ["-e"], valued: ["-l"] });
  const text = codes.length ? codes.join("\n") : shell.stdin;
  return run(
    text,
    /javascript/i.test(args[args.indexOf("-l") + 1] ?? "") ? "javascript" : "osascript",
    shell,
  );
};

/** Languages without a reader of their own: their calls look enough like Ruby's. The code is any argument that looks like some, a file
 * that this command wrote, or stdin; `go test -exec 'time -v'` and `gcc -wrapper gdb,--args` name a program. */
const anyCode: Handler = (args, shell) => {
  for (const [at, arg] of args.entries()) {
    const text = arg.startsWith("-") ? undefined : readFile(arg, shell);
    const code = arg
      .replace(/^--?\w+[:=]/, "")
      .replace(/~c(?=")/g, "")
      .replaceAll('".!', '".execute()');
    if (text !== undefined || /[\s("`]/.test(arg)) run(text ?? code, "ruby", shell);
    if (/^-+(tool)?exec$/.test(args[at - 1] ?? "")) runInNewShell(arg, shell);
    if (args[at - 1] === "-wrapper") shell.run.argv(arg.split(","), subshell(shell));
  }
  run(shell.stdin, "ruby", shell);
  return undefined;
};

const INTERPRETERS = programs([
  ["python pypy", interpreter(PYTHON)],
  ["node nodejs tsx ts-node zx", interpreter(JAVASCRIPT)],
  ["bun", bun],
  ["deno", deno],
  ["perl", inPlace({ language: "perl", cluster: "eE", valued: ["-I", "-M", "-m"] })],
  ["ruby", inPlace({ language: "ruby", cluster: "e", valued: ["-I", "-r", "-C"] })],
  ["rails", rails],
  ["php", php],
  ["lua luajit", interpreter({ language: "lua", flags: ["-e"], valued: ["-l"] })],
  ["awk gawk mawk nawk", awk],
  ["osascript", osascript],
]);

/** What languages.ts names and no reader here knows is read as any code. */
export const interpret: Handler = (args, shell, name) =>
  (INTERPRETERS.get(name) ?? anyCode)(args, shell, name);
