// Commands that write files without a redirection: cp, ln, dd, sed -i and the like.
import { emptyFiles } from "../packs/sources.ts";
import { baseName, resolvePath } from "../paths.ts";
import {
  deleteTree,
  destinations,
  makeDirectory,
  notePatch,
  readFile,
  unpack,
  writeFile,
  writeInto,
} from "../shell/file-effects.ts";
import { has, type Options, optionValue, readOptions, type Valued } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { DECODED, type Shell, subshell, taintOf, UNKNOWN } from "../shell/state.ts";
import { rewrite } from "./text.ts";

const COPY = { short: "tSmog", long: ["target-directory", "suffix", "mode", "owner", "group"] };

function sourcesAndTargets(options: Options, shell: Shell): [string, string][] {
  const into = optionValue(options, "-t", "--target-directory");
  const sources = into === undefined ? options.operands.slice(0, -1) : options.operands;
  const target = into === undefined ? options.operands.at(-1) : `${into}/`;
  if (target === undefined || sources.length === 0) return [];
  return destinations(sources, target, shell).map((place, at) => [sources[at] ?? sources[0] ?? "", place]);
}

const mkdir: Handler = (args, shell) => {
  for (const path of readOptions(args, { short: "m", long: ["mode"] }).operands) makeDirectory(path, shell);
  return "";
};

const cp: Handler = (args, shell, name) => {
  const options = readOptions(args, { ...COPY, short: name === "cp" ? "tS" : COPY.short });
  const mode = name === "install" ? optionValue(options, "-m", "--mode") : undefined;
  if (mode !== undefined) shell.run.argv(["chmod", mode, ...options.operands.slice(-1)], shell);
  if (has(options, "-d", "--directory") && name === "install") return mkdir(options.operands, shell, name);
  for (const [source, place] of sourcesAndTargets(options, shell)) {
    if (source === "/dev/null") emptyFiles([place], shell);
    writeFile(place, shell, readFile(source, shell) ?? programText(source));
  }
  return "";
};

/** A copy of a program does what the program does. */
const programText = (source: string) =>
  source.startsWith("/") && /^\/(usr\/(local\/)?)?s?bin\/[\w.-]+$/.test(source)
    ? `exec ${source} "$@"`
    : undefined;

/** A link made here is followed by whatever is written through it later in the command. */
const ln: Handler = (args, shell) => {
  const options = readOptions(args, COPY);
  const [single, extra] = options.operands;
  const pairs: [string, string][] =
    single !== undefined && extra === undefined && !has(options, "-t", "--target-directory")
      ? [[single, `./${baseName(single)}`]]
      : sourcesAndTargets(options, shell);
  for (const [source, place] of pairs) {
    const link = resolvePath(place, shell.cwd);
    shell.run.links.delete(link);
    writeFile(place, shell, readFile(source, shell));
    shell.run.links.set(link, resolvePath(source, shell.cwd));
  }
  return "";
};

const dd: Handler = (args, shell) => {
  const target = args.find((arg) => arg.startsWith("of="));
  if (target === undefined) return shell.stdin;
  writeFile(target.slice(3), shell, shell.stdin || UNKNOWN);
  return "";
};

/** Whether all operands are files: the program is in an option. */
const namesProgram = (options: Options) => has(options, "-e", "-f", "--expression", "--file");

/** Each of them, where the options keep only the last. */
const sedPrograms = (args: readonly string[], options: Options) => {
  const given = args.flatMap((arg, at) => {
    if (/^(-[a-zA-Z]*e|--expression)$/.test(args[at - 1] ?? "")) return arg;
    return /^(?:-e|--expression=)(.+)$/s.exec(arg)?.[1] ?? [];
  });
  return namesProgram(options) ? given : options.operands.slice(0, 1);
};

/** sed can run commands (`e`) and write files (`w`). */
function checkSed(program: string, shell: Shell): void {
  if (!program.includes("e") && !program.includes("w")) return;
  for (const [, code = ""] of program.matchAll(
    /(?:^|[;{\n])[ \t]*(?:(?=[\d,$/])[\d,$]*(?:\/[^/]*\/)?[ \t]*)?e\s+([^\n]+)/g,
  ))
    shell.run.code(code, shell);
  for (const [, path = ""] of program.matchAll(/(?:^|[;{\n\d$/|#])[ \t]*[gipm]{0,4}w\s+(\S+)/g))
    writeFile(path, shell);
  const [, , replacement] =
    /^s(\W)(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1[gipm\d]*e[gipm\d]*$/s.exec(program) ?? [];
  if (replacement !== undefined) shell.run.code(replacement.replace(/\\(.)/g, "$1"), shell);
}

/** `s/^/rm /` makes a command of each line that is read; where all of it is replaced, `&` stands for it. */
function made(programs: readonly string[], shell: Shell): string | undefined {
  if (!programs[0]?.startsWith("s")) return undefined;
  const [, , pattern = "", text] =
    /^s(\W)(\^|\^?\.\*\$?)\1((?:\\.|(?!\1)[^\\])*)\1g?$/s.exec(programs[0]) ?? [];
  if (text === undefined || programs.length > 1) return undefined;
  const filled = text.replace(/\\(.)/g, "$1").replaceAll("&", taintOf(shell.stdin));
  return pattern === "^" ? filled + taintOf(shell.stdin) : filled;
}

const sed: Handler = (args, shell) => {
  const given = args.filter((arg) => arg !== "");
  const options = readOptions(given, { short: "efl", long: ["expression", "file", "line-length"] });
  const programs = sedPrograms(given, options);
  for (const program of programs) checkSed(program, shell);
  const inPlace = options.flags.some(
    (flag) => flag === "-i" || flag.startsWith("--in-place") || flag === "-I",
  );
  const files = namesProgram(options) ? options.operands : options.operands.slice(1);
  if (inPlace) for (const path of files) writeFile(path, shell);
  if (inPlace && programs.some((program) => /^\s*(1,\$|0,\$|\/\.\*\/|\/\^\/)?\s*d\s*;?$/.test(program)))
    emptyFiles(files, shell);
  if (inPlace || files.length) return UNKNOWN;
  return made(programs, shell) ?? rewrite(shell.stdin);
};

/** Every operand is a file that changes. */
const writesAll =
  (valued: Valued): Handler =>
  (args, shell) => {
    for (const path of readOptions(args, valued).operands) writeFile(path, shell);
    return "";
  };

const truncate: Handler = (args, shell, name) => {
  const valued = { short: "sr", long: ["size", "reference"] };
  const options = readOptions(args, valued);
  if (/^0+\w*$/.test(optionValue(options, "-s", "--size") ?? "")) emptyFiles(options.operands, shell);
  return writesAll(valued)(args, shell, name);
};

const gpg: Handler = (args, shell) => {
  const options = readOptions(args, { short: "oru", long: ["output", "recipient"] });
  const path = optionValue(options, "-o", "--output");
  if (path !== undefined) writeFile(path, shell);
  return has(options, "-d", "--decrypt") ? DECODED : undefined;
};

const yq: Handler = (args, shell) => {
  const options = readOptions(args, { short: "poI", long: ["input-format", "output-format", "indent"] });
  const [verb = ""] = options.operands;
  const start = /^(e|eval|ea|eval-all)$/.test(verb) ? 2 : 1;
  if (args.some((arg) => arg.includes("@base64d"))) return DECODED;
  if (has(options, "-i", "--inplace"))
    for (const path of options.operands.slice(start)) writeFile(path, shell);
  return undefined;
};

/** Archives land in a directory; only its own name can be judged. With one of the other options they are listed or made. */
const unpacks =
  (letter: string, ...others: string[]): Handler =>
  (args, shell) => {
    const options = readOptions(args, { short: letter, long: ["directory"] });
    if (has(options, ...others)) return undefined;
    unpack(optionValue(options, `-${letter}`, "--directory"), options.operands.slice(1), shell);
    return undefined;
  };

const patch: Handler = (args, shell) => {
  const options = readOptions(args, { short: "odipDBFrVYz", long: ["output", "directory", "input"] });
  const directory = optionValue(options, "-d", "--directory");
  const path = optionValue(options, "-o", "--output") ?? options.operands[0];
  if (has(options, "--dry-run")) return undefined;
  const input = optionValue(options, "-i", "--input");
  const from = input === undefined ? options.operands.slice(1) : [input];
  notePatch(
    from,
    directory === undefined ? shell : { ...shell, cwd: resolvePath(directory, shell.cwd) },
    false,
  );
  if (directory !== undefined) writeInto(directory, shell);
  if (path !== undefined) writeFile(path, shell);
  return undefined;
};

/** Many files whose names begin alike, or a command for each piece. */
const split: Handler = (args, shell, name) => {
  const options = readOptions(args, {
    short: "abClnfk",
    long: ["filter", "suffix-length", "bytes", "lines", "number"],
  });
  const filter = optionValue(options, "--filter");
  if (filter !== undefined) return void shell.run.code(filter, subshell(shell));
  const prefix = name === "csplit" ? optionValue(options, "-f", "--prefix") : options.operands[1];
  if (prefix !== undefined) writeFile(`${prefix}aa`, shell);
  return undefined;
};

const sevenZip: Handler = (args, shell) => {
  const [verb = "", , ...paths] = args.filter((arg) => !arg.startsWith("-"));
  const into = args.find((arg) => arg.startsWith("-o"))?.slice(2);
  if (into && ["x", "e"].includes(verb)) writeInto(into, shell);
  if (args.includes("-sdel")) for (const path of paths) deleteTree(path, shell);
  return undefined;
};

const sshKeygen: Handler = (args, shell) => {
  const options = readOptions(args, { short: "fbtNCPmOIrnVzZaDEFJKMRsSYwW" });
  if (has(options, "-l", "-y", "-F", "-B", "-Y", "-e", "--help")) return undefined;
  const name = has(options, "-R") ? "known_hosts" : "id_ed25519";
  writeFile(optionValue(options, "-f") ?? `${shell.run.situation.home}/.ssh/${name}`, shell);
  return undefined;
};

export const CP = programs([
  ["mkdir", mkdir],
  ["cp gcp install ginstall", cp],
  ["ln gln link", ln],
  ["dd gdd dcfldd", dd],
  ["sed gsed", sed],
  ["touch mkfifo", writesAll({ short: "drt", long: ["date", "reference", "time"] })],
  ["truncate", truncate],
  ["sponge nano", writesAll({ short: "T" })],
  ["patch", patch],
  ["split csplit", split],
  ["yq", yq],
  [
    "unzip",
    (args, shell, name) =>
      has(readOptions(args, { short: "d" }), "-p", "-c")
        ? DECODED
        : unpacks("d", "-l", "-t", "-v")(args, shell, name),
  ],
  ["bsdtar", unpacks("C", "-c", "-t", "--create", "--list")],
  ["cpio", unpacks("D", "-o", "-t", "--create", "--list")],
  ["7z 7za 7zz", sevenZip],
  ["gpg gpg2", gpg],
  ["ssh-keygen", sshKeygen],
]);
