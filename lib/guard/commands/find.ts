// find, xargs and parallel: they make the arguments of another command out of paths or of what they read.
import { baseName, isGlob } from "../paths.ts";
import { deleteTree, readFile, writeFile } from "../shell/file-effects.ts";
import { firstOperand, has, optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs, quote } from "../shell/programs.ts";
import { countStep, FOUND_PIDS, hasUnknown, SOME_NAME, subshell, UNKNOWN } from "../shell/state.ts";
import { wordSet } from "../word-set.ts";

const NARROWING = wordSet(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -atime -ctime -mtime -amin -cmin -mmin -size -empty -user -group -perm -links -inum -samefile",
);

const isNarrowing = (test: string, value: string | undefined) =>
  (NARROWING.has(test) || test.startsWith("-newer")) &&
  !["*", ".*", "**", "*/*", "./*"].includes(value ?? "");

/** The first of these ends the roots. */
const isTest = (arg: string) =>
  arg.startsWith("-")
    ? /^[a-zA-Z]$/.test(arg.charAt(1))
    : /^[(!,]$/.test(arg.charAt(0)) || arg.startsWith("\\(") || arg.startsWith("\\!");

/** `name` is what every hit is called, when the search says so; `commands` is what is run for the hits. */
type Search = {
  roots: readonly string[];
  tests: readonly string[];
  commands: readonly (readonly string[])[];
  narrowed: boolean;
  name: string;
};

function readSearch(args: readonly string[]): Search {
  const start = args.findIndex((arg) => !["-H", "-L", "-P", "-D", "-O0", "-O1", "-O2", "-O3"].includes(arg));
  const rest = start < 0 ? [] : args.slice(start);
  const end = rest.findIndex(isTest);
  const roots = end < 0 ? rest : rest.slice(0, end);
  const { tests, commands } = apart(end < 0 ? [] : rest.slice(end));
  const narrowing = tests.flatMap((test, at) =>
    isNarrowing(test, tests[at + 1]) && tests[at - 1] !== "!" && tests[at - 1] !== "-not" ? [at] : [],
  );
  const named = narrowing.filter((at) => ["-name", "-iname"].includes(tests[at] ?? ""));
  const path = narrowing.map((at) => tests[at + 1] ?? "").find((one) => one.includes(".git/"));
  const name = named.length === 1 ? tests[(named[0] ?? 0) + 1] : path?.replace(/^(\*|\.)\//, "");
  const ors = tests.flatMap((test, at) => (test === "-o" || test === "-or" ? [at] : []));
  const narrowed = [...ors, tests.length].every((end, at) => {
    const from = (ors[at - 1] ?? -1) + 1;
    const deletes = tests.slice(from, end).findIndex((test) => test === "-delete" || test === DELETER);
    return narrowing.some((one) => one >= from && one < (deletes < 0 ? end : from + deletes));
  });
  return { roots: roots.length ? roots : ["."], tests, commands, narrowed, name: name ?? SOME_NAME };
}

/** Marks an -exec that deletes in the list of tests: what follows it narrows nothing. */
const DELETER = "-exec rm";

/** The words of a command that -exec runs are none of the search's own. */
function apart(words: readonly string[]): Pick<Search, "tests" | "commands"> {
  const tests: string[] = [];
  const commands: (readonly string[])[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (["-exec", "-execdir", "-ok", "-okdir"].includes(word)) {
      const command = execOf(words, at);
      commands.push(command);
      if (isDeleter(command[0] ?? "")) tests.push(DELETER);
      at += command.length + 1;
    } else tests.push(word);
  }
  return { tests, commands };
}

const below = (root: string, name: string) => `${root.endsWith("/") ? root.slice(0, -1) : root}/${name}`;

/** What `{}` stands for: some names below a root, or all of it. */
const found = ({ narrowed, name }: Search, root: string) => (narrowed ? below(root, name) : root);

/** Where nothing narrows the search, a root itself and all below it. */
const hits = (search: Search, root: string) =>
  search.narrowed ? [found(search, root)] : [root, below(root, SOME_NAME)];

/** The words after -exec up to `;` or `+`. */
function execOf(tests: readonly string[], at: number): readonly string[] {
  const rest = tests.slice(at + 1);
  const end = rest.findIndex(
    (word, index) => word === ";" || word === "\\;" || (word === "+" && rest[index - 1] === "{}"),
  );
  return end < 0 ? rest : rest.slice(0, end);
}

/** `-exec rm {} +` goes through the whole tree, with or without -r. */
const isDeleter = (name: string) =>
  ["rm", "unlink", "shred", "rimraf", "trash", "truncate"].includes(baseName(name));

const find: Handler = (args, shell) => {
  const search = readSearch(args);
  if (search.tests.includes("-delete"))
    for (const root of search.roots) deleteTree(found(search, root), shell);
  search.tests.forEach((test, at) => {
    if (["-fprint", "-fprint0", "-fprintf", "-fls"].includes(test))
      writeFile(search.tests[at + 1] ?? "", shell);
  });
  for (const words of search.commands)
    for (const root of search.roots) {
      countStep(shell);
      const empties = isDeleter(words[0] ?? "") || (words[0] === "cp" && words[1] === "/dev/null");
      if (empties && words.includes("{}")) deleteTree(found(search, root), shell);
      for (const hit of hits(search, root))
        if (words.length)
          shell.run.argv(
            words.map((word) => word.replaceAll("{}", hit)),
            subshell(shell),
          );
    }
  if (search.roots.some((root) => root.startsWith("/proc"))) return FOUND_PIDS;
  return search.roots
    .flatMap((root) => [
      ...hits(search, root),
      ...(search.narrowed ? [found(search, `${root}/${SOME_NAME}`)] : []),
    ])
    .join("\n");
};

const FD = {
  short: "tedESocj",
  long: ["type", "extension", "max-depth", "exclude", "size", "owner", "color", "threads"],
};

const fd: Handler = (args, shell) => {
  const at = args.findIndex((arg) => ["-x", "-X", "--exec", "--exec-batch"].includes(arg));
  const [, ...roots] = readOptions(at < 0 ? args : args.slice(0, at), FD).operands;
  const names = (roots.length ? roots : ["."]).map((root) => `${root}/${SOME_NAME}`);
  const words = at < 0 ? [] : args.slice(at + 1);
  for (const name of words.length ? names : []) {
    countStep(shell);
    const argv = words.some((word) => word.includes("{}"))
      ? words.map((word) => word.replaceAll("{}", name))
      : [...words, name];
    shell.run.argv(argv, subshell(shell));
  }
  return names.join("\n");
};

const XARGS = {
  short: "adEIJLnPs",
  long: ["arg-file", "delimiter", "max-lines", "max-args", "max-procs", "max-chars"],
};

const unquoted = (word: string) =>
  word.length > 1 && /^['"]$/.test(word.charAt(0)) && word.endsWith(word.charAt(0))
    ? word.slice(1, -1)
    : word;

const wordsOf = (text: string) =>
  text
    .split(/[\s\0]+/)
    .map(unquoted)
    .filter(Boolean);

const xargs: Handler = (given, shell) => {
  const file = given.indexOf("--arg-file="); // `--arg-file=<(cmd)` comes as two words
  const args = file < 0 ? given : ["-a", ...given.slice(file + 1), ...given.slice(0, file)];
  const start = firstOperand(args, XARGS);
  const [own, inner] = [args.slice(0, start), args.slice(start)];
  const options = readOptions(own, XARGS);
  const path = optionValue(options, "-a", "--arg-file");
  const text = path === undefined ? shell.stdin : (readFile(path, shell) ?? UNKNOWN);
  const isByLine = has(options, "-d", "--delimiter", "-0", "--null", "-L");
  const lines = hasUnknown(text) ? wordsOf(text) : text.split(/[\n\0]/).filter(Boolean);
  const items = isByLine ? lines : wordsOf(text);
  if (inner.length === 0) return text;
  const mark =
    options.values.get("-I") ??
    options.values.get("-J") ??
    options.values.get("--replace") ??
    (options.flags.some((flag) => flag === "-i" || flag === "--replace") ? "{}" : undefined);
  const inside = subshell(shell, { stdin: "", forks: true, listed: true });
  if (mark === undefined) return shell.run.argv([...inner, ...items], inside);
  return (lines.length ? lines : [UNKNOWN])
    .slice(0, 32)
    .map((line) =>
      shell.run.argv(
        inner.some((word) => word.includes(mark))
          ? inner.map((word) => word.replaceAll(mark, line))
          : [...inner, line],
        inside,
      ),
    )
    .join("");
};

const parallel: Handler = (args, shell) => {
  const mark = args.findIndex((arg) => /^:::\+?$/.test(arg));
  const own = mark < 0 ? args : args.slice(0, mark);
  const inner = own.slice(
    firstOperand(own, { short: "jnNLISa", long: [...XARGS.long, "jobs", "timeout", "delay", "joblog"] }),
  );
  const items =
    mark < 0
      ? shell.stdin.split("\n").filter(Boolean)
      : args.slice(mark + 1).filter((arg) => !arg.startsWith(":::"));
  const inside = subshell(shell, { forks: true, listed: true });
  if (own.some((arg) => arg === "--dry-run" || arg === "--dryrun")) return UNKNOWN;
  if (inner.length === 0)
    return items
      .slice(0, 32)
      .map((line) => shell.run.code(line, inside))
      .join("");
  const template =
    inner.length === 1
      ? (inner[0] ?? "")
      : inner.map((word) => (isGlob(word) || /[\s'"$]/.test(word) ? quote(word) : word)).join(" ");
  const lines = items.length ? items.slice(0, 32) : [SOME_NAME];
  return lines
    .map((item) =>
      shell.run.code(
        /\{[^{}\s]*\}/.test(template)
          ? template.replace(/\{[^{}\s]*\}/g, quote(item))
          : `${template} ${quote(item)}`,
        inside,
      ),
    )
    .join("");
};

export const FIND = programs([
  ["find gfind", find],
  ["xargs gxargs", xargs],
  ["parallel", parallel],
  ["fd fdfind", fd],
]);
