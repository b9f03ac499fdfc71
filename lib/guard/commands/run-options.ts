// Programs that are not about running commands, yet have an option or a language that does.
import { walkPowerShell } from "../powershell/walk.ts" with { loading: "lazy" };
import { deleteTree, unpack, writeFile } from "../shell/file-effects.ts";
import { firstOperand, has, optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FETCHED, report, subshell, UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";
import { runCode, runInNewShell } from "./bash.ts";

/** The command is what follows the program's own options, as one string or as words. */
const rest =
  (short: string, long: readonly string[] = [], skip = 0): Handler =>
  (args, shell) => {
    const words = args.slice(firstOperand(args, { short, long }) + skip);
    if (words.length === 1) runInNewShell(words[0], shell);
    else if (words.length) shell.run.argv(words, subshell(shell));
    return undefined;
  };

const FLOCK = { short: "wE", long: ["timeout", "conflict-exit-code", "wait"] };

/** `flock file -c code`, `flock file command`. */
const flock: Handler = (args, shell, name) => {
  const at = firstOperand(args, FLOCK) + 1;
  if (["-c", "--command"].includes(args[at] ?? "")) return runInNewShell(args[at + 1], shell);
  return rest(FLOCK.short, FLOCK.long, 1)(args, shell, name);
};

const SCRIPT = { short: "ctTIOBEmo", long: ["command"] };

/** `script -c code file`, `script file command`. */
const script: Handler = (args, shell) => {
  runInNewShell(optionValue(readOptions(args, SCRIPT), "-c", "--command"), shell);
  const [file, ...words] = args.slice(firstOperand(args, SCRIPT));
  if (file !== undefined) writeFile(file, shell);
  if (words.length) shell.run.argv(words, subshell(shell));
  return undefined;
};

/** at and batch read commands from stdin. */
const later: Handler = (args, shell) => {
  const file = optionValue(readOptions(args, { short: "fqt" }), "-f");
  runCode(file === undefined ? shell.stdin : UNKNOWN, subshell(shell));
  return undefined;
};

const TAR_RUNS = wordSet(
  "-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command",
);

const tar: Handler = (args, shell) => {
  const options = readOptions(args[0]?.startsWith("-") ? args : [`-${args[0] ?? ""}`, ...args.slice(1)], {
    short: "fCITXbFKLVgH",
    long: wordSet(
      "file directory use-compress-program checkpoint-action to-command info-script new-volume-script rsh-command",
    ).words(),
  });
  for (const [flag, value] of options.values) {
    if (TAR_RUNS.has(flag)) runInNewShell(value, shell);
    if (flag === "--checkpoint-action") runInNewShell(value.replace(/^exec=/, ""), shell);
  }
  const archive = optionValue(options, "-f", "--file");
  const directory = optionValue(options, "-C", "--directory");
  if (has(options, "-x", "--extract", "--get")) {
    if (has(options, "-O", "--to-stdout")) return UNKNOWN;
    unpack(directory, options.operands, shell);
    return "";
  }
  if (has(options, "-c", "--create") && archive !== undefined) writeFile(archive, shell);
  if (has(options, "--remove-files")) for (const path of options.operands) deleteTree(path, shell);
  return undefined;
};

const nc: Handler = (args, shell) => {
  const { values, flags } = readOptions(args, { short: "ecwpsqiIOPTVXx", long: ["exec", "sh-exec"] });
  if (
    ["-e", "--exec", "--sh-exec"].some((flag) => flags.includes(flag)) ||
    /\b(sh|bash)$/.test(values.get("-c") ?? "")
  )
    report(shell, "remote-code");
  runInNewShell(values.get("-c"), shell);
  return FETCHED;
};

const socat: Handler = (args, shell) => {
  const programs = args.flatMap((arg) => /^(?:EXEC|SYSTEM|SHELL):(.+)$/is.exec(arg)?.[1] ?? []);
  for (const program of programs)
    runInNewShell(program.replace(/,(pty|stderr|setsid|sigint|sane|ctty|nofork|fdin|fdout).*$/s, ""), shell);
  const ends = args.filter((arg) => !arg.startsWith("-") || arg === "-");
  for (const end of args.includes("-u") ? ends.slice(1) : ends) {
    const [, path] = /^(?!.*rdonly)(?:OPEN|GOPEN|CREATE|FILE):([^,]+)/i.exec(end) ?? [];
    if (path) writeFile(path, shell);
  }
  const talks = args.some((arg) => /^(TCP|UDP|OPENSSL|TCP4|TCP6|SSL)[-:]/i.test(arg));
  if (talks && programs.some((program) => /\b(sh|bash|zsh)\b/.test(program))) report(shell, "remote-code");
  return FETCHED;
};

const cmd: Handler = (args, shell) => {
  const at = args.findIndex((arg) => /^\/+[ck]$/i.test(arg));
  if (at >= 0) walkPowerShell(args.slice(at + 1).join(" "), shell);
  return undefined;
};

const pwsh: Handler = (args, shell) => {
  const at = args.findIndex((arg) => /^[-/]+(c|command|e|ec|enc\w*)$/i.test(arg));
  if (at < 0) walkPowerShell(args[0]?.startsWith("-") || !args.length ? shell.stdin : "", shell);
  else if (/^[-/]+e/i.test(args[at] ?? "")) report(shell, "encoded-payload");
  else walkPowerShell(args.slice(at + 1).join(" "), shell);
  return undefined;
};

const CMAKE: Record<string, readonly string[]> = {
  rm: ["rm"],
  remove: ["rm"],
  remove_directory: ["rm", "-r"],
  copy: ["cp"],
  copy_directory: ["cp"],
  rename: ["mv"],
  touch: ["touch"],
  create_symlink: ["ln", "-s"],
  chdir: ["env", "-C"],
  env: ["env"],
  time: ["time"],
};

/** `cmake -E` does what small programs do. */
const cmake: Handler = ([option, verb = "", ...words], shell) => {
  const program = option === "-E" ? CMAKE[verb] : undefined;
  return program && shell.run.argv([...program, ...words], subshell(shell));
};

export const RUN_OPTIONS = programs([
  ["watch", rest("n", ["interval"])],
  ["entr", rest("")],
  ["flock", flock],
  ["script", script],
  ["at batch", later],
  ["tar gtar", tar],
  ["nc ncat netcat", nc],
  ["socat", socat],
  ["cmake", cmake],
  ["cmd", cmd],
  ["powershell pwsh", pwsh],
]);
