// Editors, database clients, debuggers and builders: each has a way out to the shell.
import { readFile, writeFile } from "../effects.ts";
import type { Handler, Page } from "../handler.ts";
import { optionValue, readOptions } from "../options.ts";
import { type Shell, subshell } from "../shell.ts";

const code = (text: string | undefined, shell: Shell) => (text ? shell.run.code(text, subshell(shell)) : "");

/** vim -c '!cmd', +'!cmd', :w path. */
const editor: Handler = (args, shell) => {
  args.forEach((arg, at) => {
    const given = /^(-c|--cmd|--command)$/.test(args[at - 1] ?? "") ? arg : /^\+(.+)$/s.exec(arg)?.[1];
    if (given === undefined) return;
    const [, command] =
      /^:?(?:r\s*|w\s*|silent!?\s*|%|\d+,?)*!(.+)$/s.exec(given) ??
      /system\(['"](.+)['"]\)/s.exec(given) ??
      [];
    code(command, shell);
    const [, path] = /^:?w(?:rite)?!?\s+(\S+)/.exec(given) ?? [];
    if (path) writeFile(path, shell);
  });
  const writes =
    args.some((arg) => /^(-c|\+|--cmd)?:?(wq|x|w|wqa|xa)!?$/.test(arg)) ||
    args.includes("-es") ||
    args.includes("-s");
  const files = readOptions(
    args.filter((arg) => !arg.startsWith("+")),
    { short: "cSsuiTw", long: ["cmd"] },
  ).operands;
  if (writes || args.length === files.length) for (const path of files) writeFile(path, shell);
  return undefined;
};

/** A client's own escape to the shell: `\!`, `.shell`, `shell`, `system`. */
const escapes =
  (pattern: RegExp): Handler =>
  (args, shell) => {
    for (const text of [...args, shell.stdin])
      for (const [, command] of text.matchAll(pattern)) code(command, shell);
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
  if (is("psql mysql mariadb")) return escapes(/(?:^|\s|;)\\!\s*([^\n]+)/g);
  if (is("sqlite3 duckdb")) return escapes(/^\s*\.(?:shell|system)\s+([^\n]+)/gm);
  if (is("gdb")) return escapes(/^\s*(?:shell|!|pipe)\s*([^\n]+)/gm);
  if (is("expect tclsh")) return escapes(/\b(?:spawn|exec|system)\s+([^\n;\]]+)/g);
  if (is("cmake")) return cmake;
  if (is("make gmake")) return make;
  return undefined;
};
