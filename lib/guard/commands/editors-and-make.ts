// Editors, which run commands and write files by their own commands; makefiles; the client itself.
import { readFile, writeFile } from "../shell/file-effects.ts";
import { has, optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FETCHED, hasUnknown, report, type Shell } from "../shell/state.ts";
import { runInNewShell } from "./bash.ts";

/** One command of vi or ed: `:!cmd`, `:w path`, `:call system("cmd")`. */
function exCommand(given: string, shell: Shell): void {
  const [, command] =
    /^[:\s]*(?:r\s*|w\s+|silent!?\s*|[%\d.,$])*!(.+)$/s.exec(given) ??
    /(?:system|execute)\(['"](.+)['"]\)/s.exec(given) ??
    [];
  if (command) return void runInNewShell(command, shell);
  for (const [, path = ""] of given.matchAll(/\bwritefile\([^)]*,\s*['"]([^'"]+)['"]/g))
    writeFile(path, shell);
  for (const part of given.split("|")) {
    const [, path] =
      /^[:\s%\d.,$]*(?:w(?:rite|q)?|sav(?:eas)?|x(?:it)?|W)!?\s+(?:>>\s*)?([^\s!]\S*)/.exec(part) ?? [];
    if (path) writeFile(path, shell);
  }
}

const isExOption = (arg: string) => /^(-[a-zA-Z]*c|--cmd|--command)$/.test(arg);
const isSaving = (text: string) => /^[\d.,$%]*:?(wq|x|w|wqa|xa)!?$/.test(text.trim());

/** vim -c '!cmd', +'!cmd', ex -s <<< 'w path'. */
const editor: Handler = (args, shell, name) => {
  const given = args.flatMap((arg, at) =>
    isExOption(args[at - 1] ?? "") ? arg : arg.startsWith("+") ? arg.slice(1) : [],
  );
  const isScripted = args.some((arg) => /^-\w*s/.test(arg));
  const commands = [...given, ...(isScripted ? shell.stdin.split("\n") : [])];
  for (const command of commands) exCommand(command, shell);
  const files = readOptions(
    args.filter((arg, at) => !arg.startsWith("+") && !isExOption(arg) && !isExOption(args[at - 1] ?? "")),
    { short: "SuiTw" },
  ).operands;
  const saves = commands.some((command) => command.split("|").some(isSaving)) || isScripted;
  if (saves || (args.length === files.length && name !== "view"))
    for (const path of files) writeFile(path, shell);
  return undefined;
};

/** ed's commands come from stdin; when none of them is a `w`, nothing is written. */
const ed: Handler = (args, shell) => {
  const commands = shell.stdin.split("\n");
  for (const command of commands) exCommand(command, shell);
  if (shell.stdin === "" || hasUnknown(shell.stdin) || commands.some(isSaving))
    for (const path of readOptions(args, { short: "p" }).operands) writeFile(path, shell);
  return undefined;
};

/** A makefile that this very command has written, or hands over: what its rules have the shell do. */
function makefile(args: readonly string[], shell: Shell): string {
  const options = readOptions(args, { short: "fCIjlo", long: ["file", "makefile", "directory"] });
  if (has(options, "-n", "--just-print", "--dry-run", "--recon", "-q", "--question")) return "";
  const named = optionValue(options, "-f", "--file", "--makefile");
  const files = named === undefined ? ["GNUmakefile", "makefile", "Makefile"] : [named];
  const [text = ""] = files.flatMap((file) =>
    file === "-" || file === "/dev/stdin" ? shell.stdin : (readFile(file, shell) ?? []),
  );
  if (text.includes(FETCHED)) return text;
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("\t") ? line : (/^[^\t#=;:]*:[^=;]*;(.*)$/.exec(line)?.[1] ?? [])))
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .join("\n")
    .replaceAll("$(shell ", "$(")
    .replace(/\$[({]HOME[)}]/g, "$$$$HOME")
    .replace(/\$[({]\w+[)}]/g, "x")
    .replaceAll("$$", "$");
}

const make: Handler = (args, shell) => {
  const rules = makefile(args, shell);
  if (rules.includes(FETCHED)) report(shell, "remote-code");
  runInNewShell(rules, shell);
  for (const [at, arg] of args.entries()) {
    const [, text] =
      /^(?:--eval=?|-E)(.+)$/s.exec(arg) ?? (["-E", "--eval"].includes(args[at - 1] ?? "") ? [arg, arg] : []);
    if (text) runInNewShell(text.replace(/^[^:\n]*:[^\n;]*[;\n]\s*/, "").replaceAll("$(shell ", "$("), shell);
    const [, shellName, value] = /^(SHELL|\.SHELLFLAGS)=(.+)$/s.exec(arg) ?? [];
    if (shellName) runInNewShell(value, shell);
  }
  return undefined;
};

/** The client's own command line, where it changes settings, plugins or servers. */
const claude: Handler = ([noun = "", verb = "", inner = ""], shell) => {
  const act = verb === "marketplace" ? inner : verb;
  if (
    /^(plugins?|config|mcp)$/.test(noun) &&
    /^(install|i|uninstall|remove|rm|enable|disable|update|add|add-json|add-from-claude-desktop|set|unset)$/.test(
      act,
    )
  )
    report(shell, "protect-client");
  return undefined;
};

export const EDITORS_AND_MAKE = programs([
  ["vi vim nvim ex view", editor],
  ["ed red", ed],
  ["make gmake", make],
  ["claude", claude],
]);
