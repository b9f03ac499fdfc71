// What a git command takes or moves in a working tree, from its words alone. Pure, save for two questions about names.

export interface Probe {
  /** Whether a word names something in the working tree, as seen from where git runs. */
  isPath(word: string): boolean;
  /** The branch that is checked out. */
  branch: string | undefined;
}

/** Which uncommitted files a command concerns. */
export type Intent =
  /** Stages changes: of all files or of tracked ones. */
  | { kind: "stage"; tracked: boolean; paths: readonly string[] }
  /** Commits what is staged, and with `all` or `paths` also what is not. `options` are the others, each with its value. */
  | { kind: "commit"; all: boolean; only: boolean; paths: readonly string[]; options: readonly Option[] }
  /** Moves the branch, the index or the files for everybody in the tree; with `unstages` the index alone. */
  | { kind: "move"; to?: string; unstages?: boolean }
  /** Changes or takes these files, committed or not; with `staged` only what is staged of them. */
  | { kind: "files"; paths: readonly string[]; staged?: boolean }
  /** Ends an operation with what is staged; with `resets` all tracked files become as they were. */
  | { kind: "staged"; resets?: boolean }
  /** Deletes untracked files. */
  | { kind: "clean"; paths: readonly string[]; ignored?: "too" | "only" }
  /** Removes or moves another working tree. */
  | { kind: "tree"; path: string };

/** The words of one option: `["-q"]`, `["-m", "text"]`, `["--message=text"]`. */
export type Option = readonly string[];

/** In place of files whose names the words do not say; the guard marks those that a search prints in the same way. */
export const SOME_NAME = "\uE003";

interface Words {
  flags: ReadonlySet<string>;
  /** Words that are no options, those behind `--` included. */
  operands: readonly string[];
  /** Behind `--`; nothing without it. */
  paths: readonly string[] | undefined;
  options: readonly Option[];
}

/** Of each verb: short options with a value, long ones with a value, and the other long ones that count. */
const OPTIONS: Readonly<Record<string, readonly [short: string, long: string, plain?: string]>> = {
  commit: [
    "mFCct",
    "message file author date reuse-message reedit-message fixup squash template trailer cleanup",
    "all amend include only patch interactive dry-run short porcelain",
  ],
  checkout: ["bB", "orphan conflict", "detach track force patch"],
  switch: ["cC", "create force-create orphan conflict", "detach force discard-changes"],
  restore: ["s", "source conflict", "staged worktree patch"],
  reset: ["", "", "hard soft mixed merge keep"],
  stash: ["m", "message"],
  clean: ["e", "exclude", "dry-run"],
  rebase: [
    "xsX",
    "exec onto strategy strategy-option",
    "continue abort skip quit show-current-patch edit-todo",
  ],
  merge: ["msXF", "message strategy strategy-option file", "continue abort quit"],
  pull: ["sX", "strategy strategy-option"],
  add: ["", "chmod", "all no-ignore-removal update patch interactive edit dry-run refresh"],
  rm: ["", "", "dry-run"],
  mv: ["", "", "dry-run"],
  "update-index": ["", "", "again stdin index-info"],
  "update-ref": ["m", ""],
  "symbolic-ref": ["m", ""],
};

/** `git commit -uno -Skey`: the value of these is in the same word, or there is none. */
const ATTACHED: Readonly<Record<string, string>> = { commit: "uS" };
const NAMES_IN_FILE = "--pathspec-from-file";

function wordsOf(verb: string, args: readonly string[]): Words {
  const [short, long, plain = ""] = OPTIONS[verb === "stage" ? "add" : verb] ?? ["", ""];
  const names = new Set(long.split(" "));
  const known = [...names, ...plain.split(" "), NAMES_IN_FILE.slice(2)];
  const flags = new Set<string>();
  const operands: string[] = [];
  const options: Option[] = [];
  let paths: string[] | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const arg = paths ? word : inFull(word, known);
    if (paths) paths.push(arg);
    else if (arg === "--") paths = [];
    else if (arg.startsWith("--")) {
      const [name = ""] = arg.split("=", 1);
      flags.add(name);
      const isFollowed = !arg.includes("=") && (name === NAMES_IN_FILE || names.has(name.slice(2)));
      options.push(isFollowed ? [arg, args[++at] ?? ""] : [arg]);
    } else if (arg.startsWith("-") && arg !== "-") {
      for (let rest = arg.slice(1); rest !== ""; ) {
        const [flag, value] = [`-${rest.charAt(0)}`, rest.slice(1)];
        flags.add(flag);
        const isValued = short.includes(rest.charAt(0));
        const isAttached = ATTACHED[verb]?.includes(rest.charAt(0)) === true;
        if (isValued) options.push([flag, value || (args[++at] ?? "")]);
        else options.push([isAttached ? `${flag}${value}` : flag]);
        rest = isValued || isAttached ? "" : value;
      }
    } else operands.push(arg);
  }
  if (flags.has(NAMES_IN_FILE)) operands.push(SOME_NAME);
  return { flags, operands: [...operands, ...(paths ?? [])], paths, options };
}

/** git takes the beginning of a long option for the whole, where it fits only one. */
function inFull(arg: string, known: readonly string[]): string {
  const [, name = "", value = ""] = /^--([^=]+)(.*)$/s.exec(arg) ?? [];
  if (name === "" || known.includes(name)) return arg;
  const [full, other] = known.filter((one) => one.startsWith(name));
  return full && other === undefined ? `--${full}${value}` : arg;
}

const hasAny = ({ flags }: Words, ...names: string[]) => names.some((name) => flags.has(name));
const ENDS = ["--continue", "--abort", "--skip", "--quit"];

/** A command that asks about each change, of all files where it names none. */
const ASKS = ["-p", "--patch", "--interactive"];
const ALL_FILES = [":/"];

export function intentOf(verb: string, args: readonly string[], around: Probe): Intent | undefined {
  const words = wordsOf(verb, args);
  const probe: Probe = { ...around, isPath: (word) => word === SOME_NAME || around.isPath(word) };
  if (hasAny(words, "--help", "-h")) return undefined;
  switch (verb) {
    case "add":
    case "stage":
      return stage(words);
    case "commit":
      return commit(words);
    case "checkout":
      return checkout(words, probe);
    case "switch":
      return switched(words, probe);
    case "reset":
      return reset(words, probe);
    case "restore":
      return {
        kind: "files",
        paths: namedOrAll(words),
        staged: onlyStaged(words) || undefined,
      };
    case "rm":
    case "mv":
      return hasAny(words, "-n", "--dry-run") ? undefined : { kind: "files", paths: words.operands };
    case "stash":
      return stash(words);
    case "clean":
      return clean(words);
    case "update-index":
      return updateIndex(words);
    case "update-ref":
      return isCheckedOut(words.operands[0], probe) ? { kind: "move" } : undefined;
    case "rebase":
    case "merge":
      if (hasAny(words, "--show-current-patch", "--edit-todo")) return undefined;
      if (!hasAny(words, ...ENDS)) return { kind: "move" };
      // Unlike those of a merge, these two reset hard.
      return verb === "rebase" && hasAny(words, "--abort", "--skip")
        ? { kind: "staged", resets: true }
        : { kind: "staged" };
    case "cherry-pick":
    case "revert":
    case "am":
      return hasAny(words, ...ENDS) ? { kind: "staged" } : undefined;
    case "symbolic-ref":
      return words.operands.length > 1 && words.operands[0] === "HEAD" ? { kind: "move" } : undefined;
    case "bisect":
      return /^(log|view|visualize|terms|help)$/.test(words.operands[0] ?? "help")
        ? undefined
        : { kind: "move" };
    case "sparse-checkout":
      return /^(list|check-rules)$/.test(words.operands[0] ?? "list") ? undefined : { kind: "move" };
    case "pull":
    case "read-tree":
    case "checkout-index":
    case "filter-branch":
    case "filter-repo":
      return { kind: "move" };
    case "worktree":
      return /^(remove|move)$/.test(words.operands[0] ?? "")
        ? { kind: "tree", path: words.operands[1] ?? "" }
        : undefined;
    default:
      return undefined;
  }
}

function stage(words: Words): Intent | undefined {
  if (hasAny(words, "-n", "--dry-run", "--refresh")) return undefined;
  const isWide = hasAny(words, "-A", "--all", "--no-ignore-removal", "-u", "--update");
  const isPicked = hasAny(words, ...ASKS, "-i", "-e", "--edit");
  if (words.operands.length === 0 && !isWide && !isPicked) return undefined;
  return { kind: "stage", tracked: hasAny(words, "-u", "--update", "-p", "--patch"), paths: words.operands };
}

const namedOrAll = (words: Words): readonly string[] =>
  words.operands.length === 0 && hasAny(words, ...ASKS) ? ALL_FILES : words.operands;

/** `git restore --staged`: neither the files in the tree, nor what is not staged. */
const onlyStaged = (words: Words) =>
  hasAny(words, "-S", "--staged") && !hasAny(words, "-W", "--worktree", "-s", "--source");

/** What says which files are taken. */
const TAKES = new Set(["-a", "--all", "-i", "--include", "-o", "--only", NAMES_IN_FILE]);

function commit(words: Words): Intent | undefined {
  if (hasAny(words, "--dry-run", "--short", "--porcelain")) return undefined;
  return {
    kind: "commit",
    all: hasAny(words, "-a", "--all", ...ASKS),
    only: (words.operands.length > 0 || hasAny(words, "-o", "--only")) && !hasAny(words, "-i", "--include"),
    paths: words.operands,
    options: words.options.filter(([word = ""]) => !TAKES.has(word.split("=", 1)[0] ?? "")),
  };
}

function clean(words: Words): Intent | undefined {
  if (hasAny(words, "-n", "--dry-run")) return undefined;
  const ignored = hasAny(words, "-X") ? "only" : hasAny(words, "-x") ? "too" : undefined;
  return { kind: "clean", paths: words.operands, ignored };
}

/** The names it reads from elsewhere, or has noted before, may be any. */
function updateIndex(words: Words): Intent | undefined {
  if (hasAny(words, "--again", "-g", "--stdin", "--index-info"))
    return { kind: "stage", tracked: false, paths: ALL_FILES };
  const isMark = [...words.flags].some((flag) => /^--(no-)?(assume-unchanged|skip-worktree)$/.test(flag));
  return words.operands.length === 0 || isMark
    ? undefined
    : { kind: "stage", tracked: false, paths: words.operands };
}

const isCheckedOut = (ref: string | undefined, { branch }: Probe) =>
  ref === "HEAD" || (branch !== undefined && ref === `refs/heads/${branch}`);

function checkout(words: Words, { isPath, branch }: Probe): Intent | undefined {
  if (hasAny(words, "-b", "-B", "--orphan", "--detach", "-d", "-t", "--track")) return { kind: "move" };
  const isForced = hasAny(words, "-f", "--force");
  if (words.paths) {
    const named = words.operands.length - words.paths.length;
    return words.paths.length > 0 || named === 0
      ? { kind: "files", paths: words.paths }
      : moveTo(words.operands[0], branch, isForced);
  }
  const [first, ...rest] = words.operands;
  if (first === undefined && hasAny(words, ...ASKS)) return { kind: "files", paths: ALL_FILES };
  if (first === undefined) return isForced ? { kind: "move" } : undefined;
  if (rest.length > 0) return { kind: "files", paths: isPath(first) ? words.operands : rest };
  return isPath(first) ? { kind: "files", paths: [first] } : moveTo(first, branch, isForced);
}

/** To the branch one is on already nothing moves. */
const moveTo = (to: string | undefined, branch: string | undefined, isForced = false): Intent | undefined =>
  (to === branch || to === "HEAD" || to === "@") && !isForced ? undefined : { kind: "move", to };

function switched(words: Words, { branch }: Probe): Intent | undefined {
  const makes = hasAny(words, "-c", "-C", "--create", "--force-create", "--orphan", "-d", "--detach");
  const force = hasAny(words, "-f", "--force", "--discard-changes");
  return makes ? { kind: "move" } : moveTo(words.operands[0], branch, force);
}

function reset(words: Words, { isPath }: Probe): Intent | undefined {
  const isWhole = hasAny(words, "--hard", "--soft", "--mixed", "--merge", "--keep");
  const [first = "HEAD", ...rest] = words.operands;
  const isPlain =
    first === "HEAD" && rest.length === 0 && !hasAny(words, "--hard", "--soft", "--merge", "--keep");
  const move: Intent = isPlain ? { kind: "move", unstages: true } : { kind: "move" };
  if (isWhole && words.operands.length <= 1) return move;
  if (words.paths) return words.paths.length > 0 ? { kind: "files", paths: words.paths } : move;
  if (rest.length > 0) return { kind: "files", paths: isPath(first) ? words.operands : rest };
  return !isPlain && isPath(first) ? { kind: "files", paths: [first] } : move;
}

function stash(words: Words): Intent | undefined {
  const behind = words.paths?.length ?? 0;
  const [verb = "push"] = words.operands.slice(0, words.operands.length - behind);
  if (/^(list|show|drop|clear|create|store)$/.test(verb)) return undefined;
  const paths = words.paths ?? (verb === "push" ? words.operands.slice(1) : []);
  return paths.length > 0 && verb === "push" ? { kind: "files", paths } : { kind: "move" };
}
