// Shells: text given to one is a command like any other, wherever it comes from.
import { readFile } from "../shell/file-effects.ts";
import { readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import {
  countStep,
  DECODED,
  deeper,
  FETCHED,
  report,
  type Shell,
  subshell,
  UNKNOWN,
} from "../shell/state.ts";

/** Code of another language that begins with text from elsewhere is that text. */
export function checkSource(text: string, shell: Shell): void {
  const first = text.trimStart().charAt(0);
  if (first === FETCHED) report(shell, "remote-code");
  if (first === DECODED) report(shell, "encoded-payload");
}

/** Text from elsewhere inside shell code matters where it names the command; the walk sees that for itself. */
export function runCode(text: string, shell: Shell): string {
  if (!text.startsWith(DECODED)) return shell.run.code(text, shell);
  report(shell, "encoded-payload");
  return shell.run.code(text.replaceAll(DECODED, ""), shell);
}

/** `source file` or `bash file`: the text is known when this command wrote it. */
export function runScriptFile(args: readonly string[], shell: Shell): string {
  const [path = "", ...rest] = args;
  const text = path === "-" ? shell.stdin : readFile(path, shell);
  if (text === undefined) return UNKNOWN;
  const inner = { ...shell, args: rest.length ? rest : shell.args };
  return deeper(shell, `${path}\n${text}`, () => runCode(text, inner));
}

type Call = { code?: string; file?: string; zero?: string; rest: readonly string[] };

/** What a shell runs before anything else: `BASH_ENV`, `ENV`, `--rcfile`, fish's `-C`. */
function runStartup(args: readonly string[], name: string, shell: Shell): void {
  const options = readOptions(args, {
    short: name === "fish" ? "C" : "",
    long: ["rcfile", "init-file", "init-command"],
  });
  for (const [flag, value] of options.values)
    if (flag === "-C" || flag === "--init-command") runCode(value, subshell(shell));
    else if (["--rcfile", "--init-file"].includes(flag)) runScriptFile([value], subshell(shell));
  for (const variable of ["BASH_ENV", "ENV"]) {
    const [value] = shell.vars.get(variable)?.[0] ?? [];
    if (value !== undefined) runScriptFile([value], subshell(shell));
  }
}

/** `bash -lc code name args…`, `bash -s args…`, `bash file args…`, or plain `bash` reading stdin. */
function readCall(args: readonly string[], name: string): Call {
  let wantsCode = false;
  let fromStdin = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return finish(args.slice(at + 1), wantsCode, fromStdin);
    if (arg === "--command" || arg === "--eval") wantsCode = true;
    else if (["--rcfile", "--init-file", "-O", "+O"].includes(arg) || (name === "fish" && arg === "-C")) at++;
    else if (/^[-+][a-zA-Z]+$/.test(arg)) {
      wantsCode ||= arg.startsWith("-") && arg.includes("c");
      fromStdin ||= arg.includes("s");
      if (arg.endsWith("o")) at++;
    } else if (arg.startsWith("--command=")) return { code: arg.slice("--command=".length), rest: [] };
    else if (!arg.startsWith("--")) return finish(args.slice(at), wantsCode, fromStdin);
  }
  return { rest: [] };
}

function finish(operands: readonly string[], wantsCode: boolean, fromStdin: boolean): Call {
  const [first, ...rest] = operands;
  if (wantsCode) return { code: first ?? "", zero: rest[0] ?? "bash", rest: rest.slice(1) };
  if (first === "-" && rest.length && !fromStdin) return finish(rest, false, false); // as `--`
  if (fromStdin || first === undefined || first === "-") return { rest: operands };
  return { file: first, rest };
}

/** `bash -n` only reads. */
const checksOnly = (args: readonly string[]) => {
  const end = args.findIndex((arg) => !arg.startsWith("-"));
  return (end < 0 ? args : args.slice(0, end)).some(
    (arg) => (arg.includes("n") && /^-[a-z]+$/.test(arg)) || arg === "--version" || arg === "--help",
  );
};

/** fish substitutes with bare brackets. */
const asBash = (code: string) => code.replace(/(^|[\s"=])\(/g, "$1$(");

export function runInNewShell(text: string | undefined, shell: Shell): string {
  if (!text) return "";
  countStep(shell);
  return shell.run.code(text, subshell(shell));
}

const shellCommand: Handler = (args, shell, name) => {
  runStartup(args, name, shell);
  if (checksOnly(args.slice(0, 2)) && !args.includes("-c")) return UNKNOWN;
  const { code, file, zero = file ?? "bash", rest } = readCall(args, name);
  const inner = subshell(shell, { args: rest });
  inner.vars.set("0", [[zero]]);
  if (code !== undefined) return runCode(name === "fish" ? asBash(code) : code, inner);
  if (file !== undefined) return runScriptFile([file, ...rest], inner);
  return runCode(shell.stdin, { ...inner, stdin: "" });
};

export const BASH = programs([
  ["sh bash dash zsh ksh mksh ash rbash fish csh tcsh yash nu xonsh elvish oksh loksh", shellCommand],
]);
