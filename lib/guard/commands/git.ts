// git and the command lines of its hosts: global options first, then the verb.
import { baseName, resolvePath } from "../paths.ts";
import { notePatch, writeFile } from "../shell/file-effects.ts";
import { optionValue, readOptions } from "../shell/options.ts";
import { type Handler, programs } from "../shell/programs.ts";
import { FETCHED, hasUnknown, report, type Shell, SOME_NAME, subshell, UNKNOWN } from "../shell/state.ts";
import { lookUp } from "../shell/variables.ts";
import { wordSet } from "../word-set.ts";
import { GIT_VERBS, remember, setting } from "./git-verbs.ts";

type Call = {
  verb: string;
  args: readonly string[];
  settings: ReadonlyMap<string, string>;
  directory?: string;
  /** `--git-dir`. */
  gitDir?: string;
};

function readCall(args: readonly string[]): Call {
  const settings = new Map<string, string>();
  let directory: string | undefined;
  let gitDir: string | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (!arg.startsWith("-")) break;
    if (arg === "-C" || arg === "--work-tree") directory = args[++at];
    else if (arg.startsWith("--work-tree=")) directory = arg.slice("--work-tree=".length);
    else if (arg === "--git-dir") gitDir = args[++at];
    else if (arg.startsWith("--git-dir=")) gitDir = arg.slice("--git-dir=".length);
    else if (arg.startsWith("-C")) directory = arg.slice(2);
    else if (arg.startsWith("-c") || arg.startsWith("--config-env")) {
      const given =
        arg === "-c" || arg === "--config-env" ? args[++at] : arg.replace(/^(-c|--config-env=)/, "");
      const [key = "", value = "true"] = (given ?? "").split(/=(.*)/s, 2);
      settings.set(key.toLowerCase(), value);
    } else if (["--namespace", "--exec-path", "--super-prefix", "--attr-source"].includes(arg)) at++;
  }
  return {
    verb: (args[at] ?? "").toLowerCase(),
    args: args.slice(at + 1),
    settings,
    ...(directory === undefined ? {} : { directory }),
    ...(gitDir === undefined ? {} : { gitDir }),
  };
}

const HELPERS = ["--up", "--rec", "--ex", "--op", "ext::", "-O"];

/** Options and addresses by which any verb runs a program. */
function runHelpers(args: readonly string[], shell: Shell): void {
  for (const arg of args) {
    if (!HELPERS.some((start) => arg.startsWith(start))) continue;
    const [, code] =
      /^(?:--(?:upload-pack|receive-pack|exec|extcmd|open-files-in-pager)=|ext::|-O(?=\S))(.+)$/s.exec(arg) ??
      [];
    if (code) shell.run.code(code, shell);
  }
}

const GIT_DIRECTORY = wordSet("--git-dir --absolute-git-dir --git-common-dir --git-path");

function printed(verb: string, args: readonly string[], shell: Shell): string {
  if (verb === "rev-parse" && args.includes("--show-toplevel")) return shell.run.situation.project;
  if (verb === "rev-parse" && args.some((arg) => GIT_DIRECTORY.has(arg)))
    return args[0] === "--git-path" ? `.git/${args[1]}` : ".git";
  const format = verb === "for-each-ref" ? args.find((arg) => arg.startsWith("--format=")) : undefined;
  if (format) return format.slice("--format=".length).replace(/%\([^)]*\)/g, SOME_NAME);
  if (verb === "ls-files" || (verb === "diff" && args.includes("--name-only")) || verb === "status")
    return SOME_NAME;
  return UNKNOWN;
}

/** For the handlers after the guard. */
function noteCall(verb: string, args: readonly string[], gitDir: string | undefined, shell: Shell): void {
  const { effects } = shell.run.situation;
  if (!effects) return;
  const tree = lookUp("GIT_WORK_TREE", shell)?.[0] ?? gitDir?.replace(/\/?\.git\/?$/, "");
  const cwd = tree === undefined ? shell.cwd : resolvePath(tree, shell.cwd);
  if (hasUnknown(cwd)) return;
  effects.git.push({ cwd, verb, args });
  if (verb === "apply" || verb === "am") notePatch(args, { ...shell, cwd }, true);
}

const git: Handler = (args, shell) => {
  const { verb, args: rest, settings, directory, gitDir } = readCall(args);
  const inside = subshell(shell);
  if (directory !== undefined) inside.cwd = resolvePath(directory, shell.cwd);
  for (const [key, value] of settings) remember(key, value, inside);
  const alias = setting(inside, `alias.${verb}`);
  if (alias !== "")
    return inside.run.code(
      [alias.startsWith("!") ? alias.slice(1) : `git ${alias}`, ...rest].join(" "),
      inside,
    );
  if (rest.includes("--help") || rest.includes("-h")) return UNKNOWN;
  noteCall(verb, rest, gitDir ?? lookUp("GIT_DIR", shell)?.[0], inside);
  runHelpers(rest, inside);
  GIT_VERBS.get(verb)?.(rest, verb === "config" ? shell : inside, verb);
  return printed(verb, rest, shell);
};

/** Addresses of GitHub where a DELETE takes off a label, a person or a reaction, or empties a cache. */
const isEasilyUndone = (address: string) =>
  /^\/?repos\/[^/]+\/[^/]+\/(issues\/[^/]+\/(labels|assignees)|pulls\/[^/]+\/requested_reviewers|issues\/.*\/reactions|actions\/caches)(\/|$|\?)/.test(
    address,
  );

/** Options of `gh api` and `glab api` that are followed by a value. */
const API_VALUES = {
  short: "XFfHqtp",
  long: "method field raw-field header hostname input jq template preview cache".split(" "),
};

const host: Handler = (args, shell) => {
  const [noun = "", verb = ""] = args;
  const isDelete =
    args.some((arg, at) => /^(-X|--method)=?$/.test(arg) && /^delete$/i.test(args[at + 1] ?? "")) ||
    args.some((arg) => /^(-X|--method=)delete$/i.test(arg));
  const file = optionValue(readOptions(args, { short: "OpRD" }), "-O", "--output");
  if (file !== undefined && noun === "release") writeFile(file, shell);
  if (noun === "alias" && verb === "set")
    for (const text of args.slice(3))
      if (!text.startsWith("-")) shell.run.code(text.replace(/^!/, ""), subshell(shell));
  if (
    noun === "api" &&
    args.some((arg) => arg.includes("/git/refs/")) &&
    args.some((arg) => /force=true/.test(arg))
  )
    report(shell, "git-force-push");
  if (noun === "repo" && /^(delete|archive)$/.test(verb)) report(shell, "git-delete-remote");
  if (noun === "api" && isDelete && !isEasilyUndone(readOptions(args, API_VALUES).operands[1] ?? ""))
    report(shell, "git-delete-remote", undefined, { why: "deletes what this address names, for everyone" });
  if ((noun === "pr" || noun === "mr") && verb === "checkout") noteCall(verb, ["--detach"], undefined, shell);
  return noun === "api" || noun === "gist" ? FETCHED : UNKNOWN;
};

const bfg: Handler = (_, shell) => {
  report(shell, "git-rewrite");
  return "";
};

export const GIT = programs([
  ["git", git],
  [
    "hub",
    (args, shell, name) =>
      args[0] === "delete" ? host(["repo", ...args], shell, name) : git(args, shell, name),
  ],
  ["bfg", bfg],
  [
    "java",
    (args, shell, name) =>
      /^bfg\b.*\.jar$/.test(baseName(args[args.indexOf("-jar") + 1] ?? ""))
        ? bfg(args, shell, name)
        : undefined,
  ],
  ["gh glab", host],
]);
