// Commands that only print, filter or rewrite text: harmless themselves, but their output may become code or targets.
import { baseName, isGlob, parentOf, resolvePath } from "../paths.ts";
import { unescapeText } from "../shell/escapes.ts";
import { readFile, writeFile } from "../shell/file-effects.ts";
import { has, optionValue, readOptions, type Valued } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import {
  clip,
  DECODED,
  FETCHED,
  FOUND_PIDS,
  hasUnknown,
  type Shell,
  SOME_NAME,
  TEMP_PATH,
  taintOf,
  UNKNOWN,
} from "../shell/state.ts";
import { assign } from "../shell/variables.ts";

const fileText = (path: string, shell: Shell) =>
  path === "-" ? shell.stdin : (readFile(path, shell) ?? (path.startsWith("/proc/") ? FOUND_PIDS : UNKNOWN));

/** An option's value may pass for a file name here, so what stdin was tainted with stays. */
const inputOf = (files: readonly string[], shell: Shell) =>
  files.length
    ? clip(files.map((path) => fileText(path, shell)).join("")) + taintOf(shell.stdin)
    : shell.stdin;

const echo: Handler = (args) => {
  const stop = args.findIndex((arg) => !arg.startsWith("-") || !/^-[neE]+$/.test(arg));
  const words = (stop < 0 ? [] : args.slice(stop)).join(" ");
  const flags = args.slice(0, stop < 0 ? args.length : stop).join("");
  return `${flags.includes("e") ? unescapeText(words) : words}${flags.includes("n") ? "" : "\n"}`;
};

/** The format with its arguments filled in, repeated while arguments are left. */
function format(template: string, values: readonly string[]): string {
  const rest = [...values];
  let out = "";
  do {
    out += unescapeText(template.replaceAll("%%", "\0")).replace(
      /%[-+ #\d]*(?:\.\d+)?([sdiqbcxXoufeg])/g,
      (_, kind) => {
        const value = rest.shift() ?? "";
        return kind === "b" ? unescapeText(value) : value;
      },
    );
  } while (rest.length && /%[^%]/.test(template) && out.length < 65_536);
  return out.replaceAll("\0", "%");
}

const printf: Handler = (args, shell) => {
  const [variable] = args[0] === "-v" ? args.slice(1) : [];
  const [template = "", ...values] = args
    .slice(variable === undefined ? 0 : 2)
    .filter((arg, at) => at > 0 || arg !== "--");
  const text = format(template, values);
  if (variable === undefined) return text;
  if (variable.includes("[$(")) shell.run.code(`: "${variable}"`, shell);
  assign(variable, [text], shell);
  return "";
};

const VALUED: Record<string, string> = {
  head: "nc",
  tail: "nc",
  sort: "ktoST",
  shuf: "noi",
  cut: "dfcb",
  uniq: "fsw",
  fold: "w",
  column: "ts",
  paste: "d",
};

/** Text passes through, whole: a filter may keep any line of it. */
const cat: Handler = (args, shell, name) => {
  const options = readOptions(args, { short: VALUED[name] ?? "", long: ["output"] });
  const target =
    name === "sort" || name === "shuf" ? optionValue(options, "-o", "--output") : options.operands[1];
  if (target && ["sort", "shuf", "uniq"].includes(name)) writeFile(target, shell);
  for (const arg of name === "less" ? args : [])
    if (arg.startsWith("+!")) shell.run.code(arg.slice(2), shell);
  const isEmpty = options.operands.length > 0 && options.operands.every((path) => path === "/dev/null");
  const text = isEmpty ? "" : inputOf(options.operands, shell);
  return name === "cut" ? text.replaceAll(optionValue(options, "-d", "--delimiter") || "\t", "\n") : text;
};

const grep: Handler = (args, shell) => {
  const options = readOptions(args, { short: "efmABC" });
  return inputOf(
    has(options, "-e", "-f", "--regexp", "--file") ? options.operands : options.operands.slice(1),
    shell,
  );
};

const tee: Handler = (args, shell) => {
  const options = readOptions(args);
  for (const path of options.operands) writeFile(path, shell, shell.stdin, has(options, "-a", "--append"));
  return shell.stdin;
};

/** Known text comes out changed, and what it says can no longer be read in the command. */
export const rewrite = (text: string, change?: (text: string) => string) =>
  text.trim() === "" || text === UNKNOWN
    ? taintOf(text)
    : DECODED + (change && !hasUnknown(text) ? change(text) : taintOf(text));

/** `tr -d`; of classes and ranges only white space is left alone. */
const withoutSigns = (text: string, signs: string) =>
  /\[:|.-./.test(signs) ? text : [...text].filter((sign) => !signs.includes(sign)).join("");

const rewriter: Handler = (args, shell, name) => {
  const reverse = (text: string) =>
    text
      .split("\n")
      .map((line) => [...line].reverse().join(""))
      .join("\n");
  if (name === "tr" && args[0] === "-d") return withoutSigns(shell.stdin, unescapeText(args[1] ?? ""));
  const isTidying = name === "tr" && /^(\\n|\s|\[:|\\t)/.test(args[0] ?? "");
  return isTidying ? shell.stdin : rewrite(shell.stdin, name === "rev" ? reverse : undefined);
};

const fromBase64 = (text: string) => Buffer.from(text, "base64").toString("utf8");
const fromHex = (text: string) => Buffer.from(text.replace(/[^\da-f]/gi, ""), "hex").toString("utf8");

function decode(text: string, change?: (text: string) => string): string {
  return DECODED + (change && text && !hasUnknown(text) ? change(text) : taintOf(text));
}

const base64: Handler = (args, shell, name) => {
  const options = readOptions(args, { short: "w", long: ["wrap", "input"] });
  const input = optionValue(options, "--input");
  const text = inputOf(input === undefined ? options.operands : [...options.operands, input], shell);
  const decodes = name === "uudecode" || has(options, "-d", "-D", "--decode");
  return decodes ? decode(text, name === "base64" ? fromBase64 : undefined) : UNKNOWN;
};

const xxd: Handler = (args, shell) => {
  const isValue = (at: number) => /^-(c|cols|g|l|len|n|name|o|s|seek|skip)$/.test(args[at - 1] ?? "");
  const [source, target] = args.filter((arg, at) => !arg.startsWith("-") && !isValue(at));
  if (target !== undefined) writeFile(target, shell);
  const text = source === undefined ? shell.stdin : fileText(source, shell);
  return args.some((arg) => /^-\w*r/.test(arg)) ? decode(text, fromHex) : UNKNOWN;
};

/** What a program prints that is nothing but a text, and what `@base64d` prints. */
const jq: Handler = (args, shell) => {
  const text = args.join(" ");
  if (text.includes("@base64d")) return DECODED + taintOf(shell.stdin);
  return (
    args.map((arg) => /^"([^"\\]*)"$/.exec(arg)?.[1]).find((one) => one !== undefined) ?? taintOf(shell.stdin)
  );
};

const openssl: Handler = (args, shell) => {
  const options = readOptions(
    args.map((arg) => arg.replace(/^-(?=[a-z]{2})/, "--")),
    { long: ["out", "in", "keyout"] },
  );
  for (const path of [optionValue(options, "--out"), optionValue(options, "--keyout")])
    if (path) writeFile(path, shell);
  if (args[0] === "s_client") return FETCHED;
  return args.includes("-d")
    ? decode(shell.stdin, args.includes("-a") || /base64/.test(args.join(" ")) ? fromBase64 : undefined)
    : UNKNOWN;
};

const unpack: Handler = (args, shell, name) => {
  const options = readOptions(args, { short: "S" });
  const toStdout =
    /cat$/.test(name) || has(options, "-c", "-p", "--stdout", "--to-stdout") || !options.operands.length;
  const decodes =
    /^(gunzip|bunzip2|unxz)$|cat$/.test(name) || has(options, "-d", "--decompress", "--uncompress");
  return decodes && toStdout ? decode(inputOf(options.operands.slice(0, 1), shell)) : UNKNOWN;
};

const pathCommand =
  (change: (path: string, shell: Shell) => string, valued?: Valued): Handler =>
  (args, shell) => {
    const [path] = readOptions(args, valued).operands;
    return path === undefined ? UNKNOWN : change(path, shell);
  };

/** So many numbers that no one means each of them. */
const seq: Handler = (args) =>
  Number(readOptions(args, { short: "sf" }).operands.at(-1)) > 999 ? FOUND_PIDS : UNKNOWN;

const ls: Handler = (args) => {
  const [first] = readOptions(args, { short: "ITw" }).operands;
  if (first?.startsWith("/proc")) return FOUND_PIDS;
  return first === undefined
    ? SOME_NAME
    : isGlob(first)
      ? first
      : `${args.includes("-d") ? first : SOME_NAME}`;
};

const which: Handler = (args) =>
  readOptions(args)
    .operands.map((name) => `/usr/bin/${baseName(name)}`)
    .join("\n");

export const TEXT = programs([
  ["echo", echo],
  ["printf", printf],
  ["tee", tee],
  ["base64", base64],
  ["xxd", xxd],
  ["jq", jq],
  ["seq", seq],
  ["openssl", openssl],
  ["ls", ls],
  ["which", which],
  ["cat tac nl head tail sort shuf uniq fold column less more bat cut paste", cat],
  ["grep egrep fgrep rg", grep],
  ["tr rev", rewriter],
  ["yes", (args) => `${args.join(" ") || "y"}\n`],
  ["base32 basenc uudecode", base64],
  ["gunzip zcat gzcat gzip bunzip2 bzcat bzip2 unxz xzcat xz zstdcat zstd", unpack],
  ["mktemp", () => TEMP_PATH],
  ["pwd", (_, shell) => shell.cwd],
  ["whoami", (_, shell) => baseName(shell.run.situation.home)],
  ["jobs", () => UNKNOWN],
  ["dirname", pathCommand(parentName)],
  ["basename", pathCommand((path) => baseName(path), { short: "s", long: ["suffix"] })],
  ["realpath readlink", pathCommand((path, shell) => resolvePath(path, shell.cwd))],
]);

function parentName(path: string): string {
  const name = baseName(path);
  const own = path.slice(0, path.lastIndexOf(name) + name.length);
  return own.includes("/") ? parentOf(own) : ".";
}
