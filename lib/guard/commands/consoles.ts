// Programs with a language of their own, such as database clients and debuggers: in its text, what runs a command, writes a file or
// deletes a tree. The first group of a pattern that is filled is the command or path.
import { writeOutputs } from "../shell/file-effects.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { runInNewShell } from "./bash.ts";

type Console = { runs?: RegExp; writes?: RegExp; deletes?: RegExp };

const found = (pattern: RegExp | undefined, text: string) =>
  pattern ? [...text.matchAll(pattern)].map(([, ...groups]) => groups.find(Boolean) ?? "") : [];

const reads =
  ({ runs, writes, deletes }: Console): Handler =>
  (args, shell) => {
    writeOutputs(args, shell);
    const values = args.map((arg) => arg.replace(/^--?[\w-]+=/, ""));
    for (const text of [...values, args.join(" "), shell.stdin]) {
      for (const command of found(runs, text)) runInNewShell(command, shell);
      for (const path of found(writes, text)) runInNewShell(`tee -- ${path}`, shell);
      for (const paths of found(deletes, text)) runInNewShell(`rm -rf -- ${paths}`, shell);
    }
    return undefined;
  };

export const CONSOLES = programs([
  [
    "psql",
    reads({
      runs: /(?:(?:^|\s|;)\\!|\bto program\s*['"])\s*([^\n'"]+)/gi,
      writes: /(?:(?:^|\s|;)\\(?:o|out|w|write)\s+|\bto\s+(?=['"]))['"]?([^|\s'";]+)/gi,
    }),
  ],
  ["mysql mariadb", reads({ runs: /(?:(?:^|\s|;)\\!|(?:^|;)[ \t]*system\s)\s*([^\n]+)/gm })],
  [
    "sqlite3 duckdb",
    reads({
      runs: /^[ \t]*\.(?:shell|system)\s+([^\n]+)/gm,
      writes: /(?:^[ \t]*\.(?:output|once|backup|save|log)\s+|\bwritefile\s*\(\s*)['"]?([^\s'"]+)/gm,
    }),
  ],
  [
    "gdb lldb",
    reads({
      runs: /^[ \t]*(?:shell|!|pipe|platform shell)\s*([^\n]+)|(?:^|\s)--args\s+([^\n]+)|^[ \t]*(?:python|script)\b[^\n]*\bsystem\(["']([^"'\n]+)/gm,
    }),
  ],
  [
    "expect tclsh wish",
    reads({
      runs: /(?:^|[;[])[ \t]*(?:spawn|exec|system)\s+([^\n;\]]+)|\bsend\s+(?:--\s+)?"([^"\n\\]*)/gm,
      writes: /\bopen\s+["{]?([^\s"{}]+)["}]?\s+["{]?[wa]/g,
      deletes: /(?:^|[;[])[ \t]*file delete(?:\s+-force)?(?:\s+--)?\s+([^\n;\]]+)/gm,
    }),
  ],
  ["ftp sftp lftp", reads({ runs: /^[ \t]*!\s*([^\n]+)/gm, writes: /^[ \t]*(?:get|reget)\s+\S+\s+(\S+)/gm })],
  ["ipython", reads({ runs: /^[ \t]*!+([^\n]+)|\bsystem\(["']([^"'\n]+)/gm })],
  ["mvn", reads({ runs: /-Dexec\.executable=([^\n]+)/g })],
  ["m4", reads({ runs: /\be?syscmd\(\s*`?([^')]+)/g })],
  ["gnuplot", reads({ runs: /\bsystem\s*(?:\(\s*)?["']([^"']+)/g })],
  [
    "emacs guile racket sbcl",
    reads({
      runs: /\([\w:-]{0,40}(?:shell-command|run-program|system)[\w*-]{0,20}\s+"([^"]+)"|\((?:call|start)-process\s+([^()]+)/g,
      writes: /\(write-(?:region|file)\s[^()]*"([^"]+)"\s*\)/g,
      deletes: /\(delete-(?:directory|file)\s+"([^"]+)"/g,
    }),
  ],
]);
