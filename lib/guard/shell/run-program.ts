// From a resolved command line to the handler that knows the program.
import { BUILTINS } from "../commands/builtins.ts";
import { CP } from "../commands/cp.ts";
import { CURL } from "../commands/curl.ts";
import { GIT } from "../commands/git.ts";
import { LANGUAGES } from "../commands/languages.ts";
import { NPM } from "../commands/npm.ts";
import { TEXT } from "../commands/text.ts";
import { baseName, globOf, isGlob, resolvePath } from "../paths.ts";
import { isCatastrophic } from "../rules.ts" with { loading: "lazy" };
import { wordSet } from "../word-set.ts";
import { locate, readFile, writeOutputs } from "./file-effects.ts";
import { findingsIf, joined, quote } from "./programs.ts";
import { isRare, packFindings, rareHandler, rareNames } from "./rare-programs.ts" with { loading: "lazy" };
import {
  countStep,
  DECODED,
  deeper,
  FETCHED,
  FOUND_PIDS,
  hasUnknown,
  report,
  restore,
  type Shell,
  taintOf,
  UNKNOWN,
  type Value,
} from "./state.ts";

/** Programs whose arguments are only ever data, however they read. */
const DATA_ONLY = wordSet(
  "echo printf say grep egrep fgrep rg ag ack man info tldr which type whereis whatis logger notify-send gh glab jq test [ swarm wc diff cmp file stat du df od hexdump md5sum sha1sum sha256sum cksum tree seq",
);

const COMMON = joined([TEXT, BUILTINS, GIT, NPM, LANGUAGES, CP, CURL]);

/** Common programs that a pack speaks about, and without which words a call cannot concern it. */
export const PACK_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["git", ["config"]],
  ["npm", ["unpublish", "deprecate", "owner", "dist-tag", "access", "team", "token"]],
  ["python", [".py", "-m"]],
  ...["pnpm", "yarn", "rails", "mix", "php", "brew", "gh", "glab", "aws", "gsutil"].map(
    (name): [string, string[]] => [name, [""]],
  ),
]);

/** Their arguments are data, but the rare tables and the packs know a call that is not. */
const MAY_RUN = new Set(["man", "gh", "glab"]);

/** Everyday programs that neither a table nor a pack knows; for them the rare ones need not be loaded. */
export const NOT_LISTED = wordSet(
  "tsc eslint prettier biome vitest jest mocha playwright tsup vite next turbo nx pytest ruff mypy black flake8 isort tox pip rustc rustfmt gofmt golangci-lint ninja gradle gradlew mvnw javac rspec rubocop phpunit date uname hostname id nproc free uptime clear tput code open",
);

const hasNoHandler = (name: string) => (DATA_ONLY.has(name) && !MAY_RUN.has(name)) || NOT_LISTED.has(name);

/** Has a handler; other programs are harmless, or run one that has. */
const isKnown = (name: string) => COMMON.get(name) !== undefined || (!hasNoHandler(name) && isRare(name));
const handlerOf = (program: string) =>
  COMMON.get(program) ?? (hasNoHandler(program) ? undefined : rareHandler(program));
export const isProgram = (name: string): boolean => handlerOf(name) !== undefined;
export const isCommon = (name: string): boolean => COMMON.get(name) !== undefined || hasNoHandler(name);
export const programNames = (): string[] => [...COMMON.names(), ...rareNames()];

const mayConcernPack = (program: string, args: readonly string[]) =>
  !isCommon(program) ||
  PACK_WORDS.get(program)?.some((word) => args.some((arg) => arg.includes(word))) === true;

const MAX_MATCHES = 12;

const withoutExe = (name: string) => (name.toLowerCase().endsWith(".exe") ? name.slice(0, -4) : name);

/** `python3.11`, `gcc-13`: without the number. */
function withoutVersion(name: string): string {
  let at = name.length;
  while (at > 0 && "0123456789.".includes(name.charAt(at - 1))) at--;
  while (name.charAt(at) === ".") at++;
  return at === name.length ? name : name.slice(0, name.charAt(at - 1) === "-" ? at - 1 : at);
}

/** The name a program goes by: no directory, no `.exe`, no version, in the case it is known by. Common ones are tried first, since
 * `python3` should not load the tables of rare programs. */
function programOf(name: string): string {
  const base = withoutExe(baseName(name));
  const lower = base.toLowerCase();
  if (lower.startsWith("ld-") && lower.includes(".so.")) return "ld.so";
  if (lower.startsWith("mkfs.") || lower.startsWith("mke2fs.")) return "mkfs";
  const short = lower.startsWith("git-") ? lower.replace(/^(git)-[a-z-]+$/, "$1") : lower;
  const names = [base, short, withoutVersion(short)];
  return names.find(isCommon) ?? names.find(isKnown) ?? base;
}

/** `git-reset --hard` is `git reset --hard`. */
const gitVerb = (name: string) =>
  name.includes("git-") ? /^git-([a-z-]+)$/.exec(baseName(name))?.[1] : undefined;

function callFunction(name: string, args: readonly string[], shell: Shell): string | undefined {
  const body = shell.functions.get(name);
  if (!body) return undefined;
  shell.run.uncalled.delete(body);
  const { args: before, locals: outer } = shell;
  // Calling itself with something else gets somewhere, as in a walk through directories; a fork bomb has nothing to hand on.
  if (shell.run.active.has(body) && args.some((arg, at) => arg !== before?.[at])) return "";
  shell.args = args;
  const locals = new Map<string, Value | undefined>();
  shell.locals = locals;
  shell.vars.set("FUNCNAME", [[name]]);
  const output = deeper(shell, body, () => shell.run.node(body, shell));
  shell.args = before;
  if (outer) shell.locals = outer;
  else delete shell.locals;
  restore(locals, shell);
  return output;
}

function callAlias(name: string, args: readonly string[], shell: Shell): string | undefined {
  const text = shell.aliases.get(name);
  if (text === undefined) return undefined;
  return deeper(shell, `alias ${name}`, () => shell.run.code([text, ...args.map(quote)].join(" "), shell));
}

/** A file this very command has written is run: its text is known. */
function callScript(name: string, args: readonly string[], shell: Shell): string | undefined {
  if (!name.includes("/")) return undefined;
  const place = locate(name, shell).path;
  if (shell.run.links.size && place !== resolvePath(name, shell.cwd))
    return deeper(shell, `link ${place}`, () => shell.run.argv([place, ...args], shell));
  const text = readFile(name, shell);
  if (text === undefined) return undefined;
  const [, interpreter] = /^#!\s*(?:\S*\/)?(?:env\s+(?:-S\s+)?)?([\w.-]+)/.exec(text) ?? [];
  return shell.run.argv([interpreter ?? "bash", name, ...args], shell);
}

/** For which programs an unknown name with these arguments would be worth hiding. */
function suspects(args: readonly string[]): string[] {
  const verbs = ["git", "chmod", "dd"];
  if (args.some((arg) => /^-\w*(r\w*f|f\w*r)/i.test(arg)) || args.includes("--recursive")) verbs.push("rm");
  if (args.some((arg) => arg.includes(FOUND_PIDS)) || (args.includes("-9") && args.includes("-1")))
    verbs.push("kill");
  return verbs;
}

function callUnknownName(argv: readonly string[], shell: Shell): void {
  const [name = "", ...args] = argv;
  if (name.includes(FETCHED)) report(shell, "remote-code");
  else if (name.includes(DECODED)) {
    report(shell, "encoded-payload");
    const plain = name.replaceAll(DECODED, "");
    if (plain && !hasUnknown(plain)) shell.run.argv([plain, ...args], shell);
  } else if (suspects(args).some((verb) => findingsIf([verb, ...args], shell).length > 0))
    report(shell, "hidden-command");
}

/** `/bin/r?` runs whatever it matches. */
function callPattern(argv: readonly string[], shell: Shell): void {
  const [name = "", ...args] = argv;
  const matcher = globOf(baseName(name));
  const programs = programNames().filter((program) => matcher.matches(program));
  if (programs.length > MAX_MATCHES) callUnknownName([UNKNOWN, ...args], shell);
  else for (const program of programs) shell.run.argv([program, ...args], shell);
}

/** An unlisted program may be a wrapper: `anything rm -rf /` is not let through because of `anything`. */
function callUnlisted(argv: readonly string[], shell: Shell): void {
  writeOutputs(argv, shell);
  for (let at = 1; at < argv.length; at++) {
    if (!/^(.*\/)?(rm|dd|mkfs|bash|sh|chmod|find)$/.test(argv[at] ?? "")) continue;
    const found = findingsIf(argv.slice(at), shell);
    for (const { rule, path } of found) if (isCatastrophic(rule)) report(shell, rule, path);
    return;
  }
}

/** `re${nothing}set`, `p${nothing}kill`: what is not set is nothing. */
const hasUnsetVariable = (word: string) => word.includes(UNKNOWN) && /^-*[a-z]+\uE000+[a-z-]+$/.test(word);

export function runProgram(argv: readonly string[], shell: Shell): string {
  const [name = "", ...args] = argv;
  countStep(shell);
  const { subject } = shell.run;
  if (!hasUnknown(name.charAt(0)) || subject.length === 0) shell.run.subject = argv;
  const output = call(name, args, argv, shell) ?? taintOf(shell.stdin);
  if (argv.some(hasUnsetVariable))
    shell.run.argv(
      argv.map((word) => word.replaceAll(UNKNOWN, "")),
      shell,
    );
  shell.run.subject = subject;
  return output;
}

function call(
  name: string,
  args: readonly string[],
  argv: readonly string[],
  shell: Shell,
): string | undefined {
  const own =
    callFunction(name, args, shell) ?? callAlias(name, args, shell) ?? callScript(name, args, shell);
  if (own !== undefined) return own;
  if (hasUnknown(baseName(name))) return void callUnknownName(argv, shell);
  if (isGlob(baseName(name)) && !isKnown(name)) return void callPattern(argv, shell);
  const program = programOf(name);
  if (mayConcernPack(program, args))
    for (const { pack, row } of packFindings(program, args, shell)) report(shell, pack, undefined, row);
  const handler = handlerOf(program);
  if (handler) {
    const seen = BUILTINS.get(program) ? shell : withoutMasks(shell);
    return deeper(
      shell,
      undefined,
      () => handler(handlerArgs(name, args), seen, program) ?? taintOf(shell.stdin),
    );
  }
  if (!DATA_ONLY.has(program)) callUnlisted(argv, shell);
  return undefined;
}

/** A program knows nothing of the functions and aliases that hide other programs from this shell. */
function withoutMasks(shell: Shell): Shell {
  const { functions, aliases } = shell;
  if (functions.size + aliases.size === 0) return shell;
  return { ...shell, functions: withoutPrograms(functions), aliases: withoutPrograms(aliases) };
}

const withoutPrograms = <T>(names: Map<string, T>) =>
  new Map([...names].filter(([name]) => !isProgram(name)));

const handlerArgs = (name: string, args: readonly string[]) => {
  const verb = gitVerb(name);
  return verb && !isKnown(baseName(name)) ? [verb, ...args] : args;
};
