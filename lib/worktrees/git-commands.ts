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
  /** Commits what is staged, and with `all` or `paths` also what is not. `words` is the call without those. */
  | { kind: "commit"; all: boolean; only: boolean; paths: readonly string[]; words: readonly string[] }
  /** Moves the branch, the index or the files for everybody in the tree. */
  | { kind: "move"; to?: string }
  /** Changes or takes these files, committed or not. */
  | { kind: "files"; paths: readonly string[] }
  /** Ends an operation with what is staged. */
  | { kind: "staged" }
  /** Deletes untracked files. */
  | { kind: "clean"; paths: readonly string[] }
  /** Removes or moves another working tree. */
  | { kind: "tree"; path: string };

interface Words {
  flags: ReadonlySet<string>;
  /** Words that are no options, those behind `--` included. */
  operands: readonly string[];
  /** Behind `--`; nothing without it. */
  paths: readonly string[] | undefined;
}

/** Options that are followed by a value, for the verbs that have such. */
const VALUED: Readonly<Record<string, readonly [short: string, long: string]>> = {
  commit: [
    "mFCct",
    "message file author date reuse-message reedit-message fixup squash template trailer cleanup",
  ],
  checkout: ["bB", "orphan conflict"],
  switch: ["cC", "create force-create orphan conflict"],
  restore: ["s", "source conflict"],
  stash: ["m", "message"],
  clean: ["e", "exclude"],
  rebase: ["xsX", "exec onto strategy strategy-option"],
  merge: ["msXF", "message strategy strategy-option file"],
  pull: ["sX", "strategy strategy-option"],
  add: ["", "chmod"],
};

function wordsOf(verb: string, args: readonly string[]): Words & { kept: string[] } {
  const [short, long] = VALUED[verb] ?? ["", ""];
  const names = new Set(long.split(" "));
  const flags = new Set<string>();
  const operands: string[] = [];
  const kept: string[] = [];
  let paths: string[] | undefined;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (paths) paths.push(arg);
    else if (arg === "--") paths = [];
    else if (arg.startsWith("--")) {
      const [name = ""] = arg.split("=", 1);
      flags.add(name);
      kept.push(arg);
      if (!arg.includes("=") && names.has(name.slice(2))) kept.push(args[++at] ?? "");
    } else if (arg.startsWith("-") && arg !== "-") {
      const letters = [...arg.slice(1)];
      const stop = letters.findIndex((letter) => short.includes(letter));
      for (const letter of stop < 0 ? letters : letters.slice(0, stop + 1)) flags.add(`-${letter}`);
      kept.push(arg);
      if (stop >= 0 && stop === letters.length - 1) kept.push(args[++at] ?? "");
    } else operands.push(arg);
  }
  return { flags, operands: [...operands, ...(paths ?? [])], paths, kept };
}

const hasAny = ({ flags }: Words, ...names: string[]) => names.some((name) => flags.has(name));
const ENDS = ["--continue", "--abort", "--skip", "--quit"];

export function intentOf(verb: string, args: readonly string[], probe: Probe): Intent | undefined {
  const words = wordsOf(verb, args);
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
      return { kind: "files", paths: words.operands };
    case "rm":
    case "mv":
      return hasAny(words, "-n", "--dry-run") ? undefined : { kind: "files", paths: words.operands };
    case "stash":
      return stash(words);
    case "clean":
      return hasAny(words, "-n", "--dry-run") ? undefined : { kind: "clean", paths: words.operands };
    case "rebase":
    case "merge":
      if (hasAny(words, "--show-current-patch", "--edit-todo")) return undefined;
      return hasAny(words, ...ENDS) ? { kind: "staged" } : { kind: "move" };
    case "cherry-pick":
    case "revert":
    case "am":
      return hasAny(words, ...ENDS) ? { kind: "staged" } : undefined;
    case "symbolic-ref":
      return words.operands.length > 1 ? { kind: "move" } : undefined;
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
  if (words.operands.length === 0 && !isWide && !hasAny(words, "-p", "--patch", "-i", "-e")) return undefined;
  return { kind: "stage", tracked: hasAny(words, "-u", "--update", "-p", "--patch"), paths: words.operands };
}

const ALL = /^(-[a-zA-Z]*?)a([a-zA-Z]*)$/;

function commit(words: Words & { kept: string[] }): Intent | undefined {
  if (hasAny(words, "--dry-run", "--short", "--porcelain")) return undefined;
  const all = hasAny(words, "-a", "--all");
  const kept = words.kept.flatMap((word, at) => {
    if (word === "--all" || word === "-i" || word === "--include" || word === "-o" || word === "--only")
      return [];
    const isValue = at > 0 && takesNext(words.kept[at - 1] ?? "");
    if (!all || isValue || word.startsWith("--")) return [word];
    const left = word.replace(ALL, "$1$2");
    return left === "-" ? [] : [left];
  });
  return {
    kind: "commit",
    all,
    only: words.operands.length > 0 && !hasAny(words, "-i", "--include"),
    paths: words.operands,
    words: kept,
  };
}

const takesNext = (word: string) =>
  word.startsWith("--")
    ? !word.includes("=") && (VALUED["commit"]?.[1] ?? "").split(" ").includes(word.slice(2))
    : /^-[a-zA-Z]*[mFCct]$/.test(word);

function checkout(words: Words, { isPath, branch }: Probe): Intent | undefined {
  if (hasAny(words, "-b", "-B", "--orphan", "--detach", "-d", "-t", "--track")) return { kind: "move" };
  if (words.paths) {
    const named = words.operands.length - words.paths.length;
    return words.paths.length > 0 || named === 0
      ? { kind: "files", paths: words.paths }
      : moveTo(words.operands[0], branch);
  }
  const [first, ...rest] = words.operands;
  if (first === undefined) return hasAny(words, "-f", "--force") ? { kind: "move" } : undefined;
  if (rest.length > 0) return { kind: "files", paths: isPath(first) ? words.operands : rest };
  return isPath(first)
    ? { kind: "files", paths: [first] }
    : moveTo(first, branch, hasAny(words, "-f", "--force"));
}

/** To the branch one is on already nothing moves. */
const moveTo = (to: string | undefined, branch: string | undefined, isForced = false): Intent | undefined =>
  to === branch && !isForced ? undefined : { kind: "move", to };

function switched(words: Words, { branch }: Probe): Intent | undefined {
  const makes = hasAny(words, "-c", "-C", "--create", "--force-create", "--orphan", "-d", "--detach");
  const force = hasAny(words, "-f", "--force", "--discard-changes");
  return makes ? { kind: "move" } : moveTo(words.operands[0], branch, force);
}

function reset(words: Words, { isPath }: Probe): Intent | undefined {
  const isWhole = hasAny(words, "--hard", "--soft", "--mixed", "--merge", "--keep");
  if (isWhole && words.operands.length <= 1) return { kind: "move" };
  if (words.paths) return words.paths.length > 0 ? { kind: "files", paths: words.paths } : { kind: "move" };
  const [first, ...rest] = words.operands;
  if (rest.length > 0) return { kind: "files", paths: isPath(first ?? "") ? words.operands : rest };
  return first !== undefined && isPath(first) ? { kind: "files", paths: [first] } : { kind: "move" };
}

function stash(words: Words): Intent | undefined {
  const behind = words.paths?.length ?? 0;
  const [verb = "push"] = words.operands.slice(0, words.operands.length - behind);
  if (/^(list|show|drop|clear|create|store)$/.test(verb)) return undefined;
  const paths = words.paths ?? (verb === "push" ? words.operands.slice(1) : []);
  return paths.length > 0 && verb === "push" ? { kind: "files", paths } : { kind: "move" };
}
