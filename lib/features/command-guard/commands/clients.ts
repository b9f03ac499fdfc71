// Editors, database clients, debuggers and builders: each has a way out to the shell.
import { readFile, writeFile } from "../effects.ts";
import type { Handler, Page } from "../handler.ts";
import { hasHole } from "../holes.ts";
import { has, optionValue, readOptions } from "../options.ts";
import { type Shell, subshell } from "../shell.ts";

const code = (text: string | undefined, shell: Shell) => (text ? shell.run.code(text, subshell(shell)) : "");

/** One command of vi or ed: `:!cmd`, `:w path`, `:call system("cmd")`. */
function exCommand(given: string, shell: Shell): void {
  const [, command] =
    /^[:\s]*(?:r\s*|w\s+|silent!?\s*|%|[\d.,$]+)*!(.+)$/s.exec(given) ??
    /system\(['"](.+)['"]\)/s.exec(given) ??
    [];
  if (command) return void code(command, shell);
  for (const part of given.split("|")) {
    const [, path] =
      /^[:\s%\d.,$]*(?:w(?:rite|q)?|sav(?:eas)?|x(?:it)?|W)!?\s+(?:>>\s*)?([^\s!]\S*)/.exec(part) ?? [];
    if (path) writeFile(path, shell);
  }
}

const isExOption = (arg: string) => /^(-[a-zA-Z]*c|--cmd|--command)$/.test(arg);
const isSaving = (text: string) => /^[\d.,$%]*:?(wq|x|w|wqa|xa)!?$/.test(text.trim());

/** vim -c '!cmd', +'!cmd', ex -s <<< 'w path'. */
const editor: Handler = (args, shell) => {
  const given = args.flatMap((arg, at) =>
    isExOption(args[at - 1] ?? "") ? arg : arg.startsWith("+") ? arg.slice(1) : [],
  );
  const isScripted = args.some((arg) => /^-\w*[eE]?s/.test(arg));
  const commands = [...given, ...(isScripted ? shell.stdin.split("\n") : [])];
  for (const command of commands) exCommand(command, shell);
  const files = readOptions(
    args.filter((arg, at) => !arg.startsWith("+") && !isExOption(arg) && !isExOption(args[at - 1] ?? "")),
    { short: "SuiTw" },
  ).operands;
  const saves = commands.some((command) => command.split("|").some(isSaving)) || isScripted;
  if (saves || args.length === files.length) for (const path of files) writeFile(path, shell);
  return undefined;
};

/** ed's commands come from stdin; when none of them is a `w`, nothing is written. */
const ed: Handler = (args, shell) => {
  const commands = shell.stdin.split("\n");
  for (const command of commands) exCommand(command, shell);
  if (shell.stdin === "" || hasHole(shell.stdin) || commands.some(isSaving))
    for (const path of readOptions(args, { short: "p" }).operands) writeFile(path, shell);
  return undefined;
};

/** A client's own escape to the shell: `\!`, `.shell`, `shell`, `system`. */
const escapes =
  (pattern: RegExp, writes?: RegExp): Handler =>
  (args, shell) => {
    for (const text of [...args, shell.stdin]) {
      for (const [, command] of text.matchAll(pattern)) code(command, shell);
      for (const [, path = ""] of writes ? text.matchAll(writes) : []) writeFile(path, shell);
    }
    return undefined;
  };

const cmake: Handler = (args, shell) => {
  if (args[0] !== "-E") return undefined;
  const [, verb = "", ...words] = args;
  if (/^(rm|remove|remove_directory)$/.test(verb))
    shell.run.argv(["rm", ...(verb === "remove_directory" ? ["-r"] : []), ...words], shell);
  else if (/^(copy|copy_directory|rename|create_symlink)$/.test(verb))
    shell.run.argv([verb === "rename" ? "mv" : "cp", ...words], shell);
  else if (/^(env|time|chdir)$/.test(verb))
    shell.run.argv(verb === "env" ? ["env", ...words] : words.slice(verb === "chdir" ? 1 : 0), shell);
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
  return text
    .split("\n")
    .flatMap((line) => (line.startsWith("\t") ? line : (/^[^\t#=;]*:[^=;]*;(.*)$/.exec(line)?.[1] ?? [])))
    .map((line) => line.trim().replace(/^[@+-]+/, ""))
    .join("\n")
    .replaceAll("$(shell ", "$(")
    .replace(/\$[({]\w+[)}]/g, "x")
    .replaceAll("$$", "$");
}

const make: Handler = (args, shell) => {
  code(makefile(args, shell), shell);
  for (const arg of args) {
    const [, text] = /^--eval=?(.+)$/s.exec(arg) ?? [];
    if (text)
      code(text.replace(/^[^:\n]*:[^\n;]*[;\n]\s*/, "").replace(/\$\(shell (.*?)\)/gs, "$($1)"), shell);
    const [, shellName, value] = /^(SHELL|\.SHELLFLAGS)=(.+)$/s.exec(arg) ?? [];
    if (shellName) code(value, shell);
  }
  return undefined;
};

export const CLIENTS: Page = (is) => {
  if (is("vi vim nvim ex view")) return editor;
  if (is("ed red")) return ed;
  if (is("psql"))
    return escapes(/(?:^|\s|;)\\!\s*([^\n]+)/g, /(?:^|\s|;)\\(?:o|out|w|write)\s+['"]?([^|\s'";]+)/g);
  if (is("mysql mariadb")) return escapes(/(?:(?:^|\s|;)\\!|(?:^|;)\s*system\s)\s*([^\n]+)/gm);
  if (is("sqlite3 duckdb"))
    return escapes(
      /^\s*\.(?:shell|system)\s+([^\n]+)/gm,
      /^\s*\.(?:output|once|backup|save|log)\s+['"]?([^\s'"]+)/gm,
    );
  if (is("gdb")) return escapes(/^\s*(?:shell|!|pipe)\s*([^\n]+)/gm);
  if (is("expect tclsh")) return escapes(/\b(?:spawn|exec|system)\s+([^\n;\]]+)/g);
  if (is("cmake")) return cmake;
  if (is("make gmake")) return make;
  return undefined;
};
