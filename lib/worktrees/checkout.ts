// What is uncommitted in a working tree, and whose it is: git says which files, the ledger who wrote them.
import { relative, resolve, sep } from "node:path";
import { isGlob, patternOf } from "../core/glob.ts";
import type { Paths } from "../core/paths.ts";
import { oncePer } from "../core/process.ts";
import { type GitAnswer, runGit } from "../system/git.ts";
import type { Intent } from "./git-commands.ts";
import { currentKey, type LiveAgent } from "./store/agents.ts";
import { type Entry, writesByFile } from "./store/ledger.ts";
import type { Tree } from "./store/repository.ts";

export interface Changed {
  /** Below the top level. */
  file: string;
  /** The letters of `git status --porcelain`: in the index, in the working tree. */
  index: string;
  work: string;
}

/** A call that starts git may take longer than others, but not long. */
const GIT_LIMIT_MS = 10_000;
const LONGEST_STATUS = 32 * 1024 * 1024;

/** Or why git cannot tell. */
export function uncommittedIn(
  tree: Tree,
  env: Readonly<Record<string, string | undefined>>,
): Changed[] | string {
  const answer = runGit(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"], {
    cwd: tree.top,
    env,
    limitMs: GIT_LIMIT_MS,
    longestBytes: LONGEST_STATUS,
  });
  return answer.ok ? parseStatus(answer.stdout) : whyNot(answer);
}

const whyNot = ({ why, stderr }: GitAnswer) => why ?? (stderr.split("\n")[0] || "git did not answer");

const parseStatus = (listing: string): Changed[] =>
  listing.split("\0").flatMap((line) =>
    line.length < 4
      ? []
      : {
          index: line.charAt(0),
          work: line.charAt(1),
          file: line.slice(3).replace(/\/$/, "").normalize("NFC"),
        },
  );

export const isUntracked = ({ index }: Changed) => index === "?";
export const isStaged = ({ index }: Changed) => index !== " " && index !== "?";
const isUnstaged = ({ work }: Changed) => work !== " ";

/** Which of the changed files a git command would take, move or lose. */
export function concerned(intent: Intent, changed: readonly Changed[], top: string, cwd: string): Changed[] {
  const named = "paths" in intent ? matcherOf(intent.paths, top, cwd) : () => true;
  switch (intent.kind) {
    case "stage":
      return changed.filter(
        (one) => isUnstaged(one) && !(intent.tracked && isUntracked(one)) && named(one.file),
      );
    case "commit": {
      const byName = (one: Changed) => intent.paths.length > 0 && !isUntracked(one) && named(one.file);
      if (intent.only) return changed.filter(byName);
      return changed.filter((one) => isStaged(one) || byName(one) || (intent.all && !isUntracked(one)));
    }
    case "staged":
      return changed.filter(isStaged);
    case "clean":
      return changed.filter((one) => isUntracked(one) && named(one.file));
    case "files":
      return intent.paths.length === 0 ? [] : changed.filter((one) => named(one.file));
    case "move":
      return [...changed];
    case "tree":
      return [];
  }
}

/** Any of the files that a search prints, as the guard marks it. */
const SOME_NAME = "\uE003";

/** git's pathspecs as far as agents use them: names, directories, patterns, the top level, exclusions. None means all. */
function matcherOf(specs: readonly string[], top: string, cwd: string): (file: string) => boolean {
  const all = specs.map((spec) => specOf(spec, top, cwd));
  const [wanted, unwanted] = [all.filter((one) => !one.excludes), all.filter((one) => one.excludes)];
  return (file) =>
    (wanted.length === 0 || wanted.some((one) => one.fits(file))) && !unwanted.some((one) => one.fits(file));
}

function specOf(
  spec: string,
  top: string,
  cwd: string,
): { excludes: boolean; fits: (file: string) => boolean; names: (file: string) => boolean } {
  const [, words = "", signs = "", rest = ""] = /^:(?:\(([^)]*)\)|([!^/]*):?)(.*)$/s.exec(spec) ?? [];
  const isMagic = spec.startsWith(":");
  const text = isMagic ? rest : spec;
  const excludes = /exclude/.test(words) || /[!^]/.test(signs);
  const fromTop = /top/.test(words) || signs.includes("/");
  if (text === SOME_NAME || text === "") return { excludes, fits: () => true, names: () => false };
  const path = relative(top, resolve(fromTop ? top : cwd, text))
    .split(sep)
    .join("/")
    .normalize("NFC");
  const isPattern = isGlob(path) && !/literal/.test(words);
  const pattern = isPattern ? patternOf(path) : undefined;
  return {
    excludes,
    names: (file) => !excludes && file === path,
    fits: (file) =>
      path === "" || file === path || file.startsWith(`${path}/`) || pattern?.matches(file) === true,
  };
}

/** Whether a command names this very file, not a directory or a pattern that it is in. */
export const isNamed = (file: string, paths: readonly string[], top: string, cwd: string): boolean =>
  paths.some((spec) => specOf(spec, top, cwd).names(file));

export interface Foreign {
  changed: Changed;
  owner: LiveAgent;
  /** The owner's newest write of it. */
  entry: Entry;
  /** The caller has written it since. */
  isMineToo: boolean;
}

export interface Ownership {
  /** Written by the caller last, and by no live other since it was committed. */
  mine: Changed[];
  /** With uncommitted writes of live others, in the order of the files: once for each of them. */
  foreign: Foreign[];
  /** Written by no call that was seen, or by an agent that is gone. */
  unowned: Changed[];
}

interface Around {
  paths: Paths;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * A file is everybody's who wrote it in this tree since it was committed. A staged file that was never written here belongs to its
 * last writer in another tree of the repository: the index is behind the branch, and committing it would undo that work.
 */
export function ownersOf(
  { paths, env }: Around,
  tree: Tree,
  changed: readonly Changed[],
  me: string,
  others: readonly LiveAgent[],
): Ownership {
  const writes = writesByFile(paths, tree);
  const agentNow = oncePer((key: string) => currentKey(paths, key));
  const written = changed.map((one) => {
    const all = writes.get(one.file) ?? [];
    const here = all.filter(({ tree: top }) => top === tree.top);
    const entries = here.length === 0 && isStaged(one) ? all.slice(0, 1) : here;
    const by = entries.map((entry) => agentNow(entry.by));
    const isMineToo = by[0] === me;
    const foreign = others.flatMap((owner): Foreign[] => {
      const entry = entries[by.indexOf(owner.key)];
      return entry ? [{ changed: one, owner, entry, isMineToo }] : [];
    });
    return { one, isMineToo, foreign, last: entries[0] };
  });
  const isCommitted = committedIn(
    tree,
    env,
    written.flatMap(({ foreign }) => foreign),
  );
  const found: Ownership = { mine: [], foreign: [], unowned: [] };
  for (const { one, isMineToo, foreign, last } of written) {
    const left = foreign.filter((write) => !isCommitted(write, write.entry === last));
    if (left.length > 0) found.foreign.push(...left);
    else if (isMineToo) found.mine.push(one);
    else found.unowned.push(one);
  }
  return found;
}

/**
 * What somebody wrote and committed is not its author's any more. Commits have times in whole seconds, and a call often writes a
 * file and commits it in the same second: that counts as committed once another agent has written the file since, else as not.
 */
function committedIn(
  tree: Tree,
  env: Around["env"],
  foreign: readonly Foreign[],
): (write: Foreign, isLast: boolean) => boolean {
  const here = foreign.filter(({ entry }) => entry.tree === tree.top);
  if (here.length === 0) return () => false;
  const since = Math.floor(Math.min(...here.map(({ entry }) => entry.at)) / 1000);
  const names = new Set(here.map(({ changed }) => `:(top,literal)${changed.file}`));
  const options = { cwd: tree.top, env, limitMs: GIT_LIMIT_MS, longestBytes: LONGEST_STATUS };
  const { ok, stdout } = runGit(
    [
      "log",
      `--since=@${since}`,
      "--format=%x00%ct",
      "--name-only",
      "-z",
      "--",
      ...[...names].slice(0, MOST_NAMED),
    ],
    options,
  );
  if (!ok) return () => false; // no commit yet
  const committed = commitTimes(stdout);
  return ({ changed, entry }, isLast) => {
    const second = committed.get(changed.file) ?? 0;
    return entry.tree === tree.top && (isLast ? second : second + 1) * 1000 > entry.at;
  };
}

const MOST_NAMED = 500;

/** From `git log --format=%x00%ct --name-only -z`: the newest commit of each file, in seconds since 1970. */
function commitTimes(listing: string): Map<string, number> {
  const times = new Map<string, number>();
  let at = 0;
  for (const field of listing.split("\0")) {
    const text = field.replace(/^\n+/, "");
    if (/^\d{9,11}\n?$/.test(text)) at = Number.parseInt(text, 10);
    else if (text !== "") {
      const file = text.normalize("NFC");
      times.set(file, Math.max(times.get(file) ?? 0, at));
    }
  }
  return times;
}
