// What is uncommitted in a working tree, and whose it is: git says which files, the ledger who wrote them.
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { realPath, statIfThere } from "../core/files.ts";
import { isGlob, patternOf } from "../core/glob.ts";
import type { Paths } from "../core/paths.ts";
import { oncePer } from "../core/process.ts";
import { type GitAnswer, runGit } from "../system/git.ts";
import { type Intent, SOME_NAME } from "./git-commands.ts";
import { currentKey, type LiveAgent } from "./store/agents.ts";
import { changedAt, type Entry, writesByFile } from "./store/ledger.ts";
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

/** Or why git cannot tell. With `ignored`, files that git ignores too. */
export function uncommittedIn(
  tree: Tree,
  env: Readonly<Record<string, string | undefined>>,
  { ignored = false } = {},
): Changed[] | string {
  const words = ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"];
  const answer = runGit(ignored ? [...words, "--ignored"] : words, {
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
const isIgnored = ({ index }: Changed) => index === "!";
export const isStaged = ({ index }: Changed) => !/[ ?!]/.test(index);
export const isUnstaged = ({ work }: Changed) => work !== " ";

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
      return changed.filter((one) => isStaged(one) || (intent.resets && !isUntracked(one)));
    case "clean": {
      const below = intent.paths.length > 0 ? named : matcherOf(["."], top, cwd); // unlike `git add -A`
      return changed.filter(
        (one) => (isIgnored(one) || (intent.ignored !== "only" && isUntracked(one))) && below(one.file),
      );
    }
    case "files":
      return intent.paths.length === 0
        ? []
        : changed.filter((one) => named(one.file) && !(intent.staged && !isStaged(one)));
    case "move":
      return [...changed];
    case "tree":
      return [];
  }
}

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
  const asWritten = /icase/.test(words) ? (name: string) => name.toLowerCase() : (name: string) => name;
  const path = asWritten(
    relative(top, withRealDirectory(resolve(fromTop ? top : cwd, text)))
      .split(sep)
      .join("/")
      .normalize("NFC"),
  );
  const isPattern = isGlob(path) && !/literal/.test(words);
  // With `glob`, `**/` stands for no directory too.
  const patterns = (
    isPattern ? [path, ...(/glob/.test(words) ? [path.replace(/(^|\/)\*\*\//g, "$1")] : [])] : []
  ).map((one) => patternOf(one));
  return {
    excludes,
    names: (file) => !excludes && file === path,
    fits: (given) => {
      const file = asWritten(given);
      return (
        path === "" ||
        file === path ||
        file.startsWith(`${path}/`) ||
        patterns.some((one) => one.matches(file))
      );
    },
  };
}

/** The checkout may be reached by a link; a link that is itself in the repository is not followed by git. */
const withRealDirectory = (path: string): string => join(realPath(dirname(path)), basename(path));

/** Whether a command names this very file, not a directory or a pattern that it is in. */
export const isNamed = (file: string, paths: readonly string[], top: string, cwd: string): boolean =>
  paths.some((spec) => specOf(spec, top, cwd).names(file));

export interface Foreign {
  changed: Changed;
  owner: LiveAgent;
  /** The owner's newest write of it. */
  entry: Entry;
  /** Whether the caller has written it too: as the last of all live agents, or before another. */
  myWrite: "last" | "earlier" | undefined;
}

export interface Ownership {
  /** Written by the caller, and by no live other since it was committed. */
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
 * A file is everybody's who wrote it in this tree since it was committed. A staged file that was never written here, and that its
 * last writer in another tree has committed to this very branch, belongs to that writer: the index is behind the branch, and
 * committing it would undo that work. If the branch does not have that work yet, the file comes from a merge and is no one's.
 */
export function ownersOf(
  { paths, env }: Around,
  tree: Tree,
  changed: readonly Changed[],
  me: string,
  others: readonly LiveAgent[],
): Ownership {
  const writes = writesByFile(paths, tree);
  const live = new Set([me, ...others.map(({ key }) => key)]);
  const agentNow = oncePer((key: string) => currentKey(paths, key));
  const written = changed.map((one) => {
    const all = writes.get(one.file) ?? [];
    const here = all.filter(({ tree: top }) => top === tree.top);
    const entries = here.length === 0 && isStaged(one) ? all.slice(0, 1) : here.filter(hasHappened);
    const byLive = entries.filter((entry) => live.has(agentNow(entry.by)));
    const by = byLive.map((entry) => agentNow(entry.by));
    const myWrite = by[0] === me ? "last" : by.includes(me) ? "earlier" : undefined;
    const foreign = others.flatMap((owner): Foreign[] => {
      const entry = byLive[by.indexOf(owner.key)];
      return entry ? [{ changed: one, owner, entry, myWrite }] : [];
    });
    return { one, myWrite, foreign, last: entries[0] };
  });
  const isTheirs = uncommittedOf(
    tree,
    env,
    written.flatMap(({ foreign }) => foreign),
  );
  const found: Ownership = { mine: [], foreign: [], unowned: [] };
  for (const { one, myWrite, foreign, last } of written) {
    const left = foreign.filter((write) => isTheirs(write, write.entry === last));
    if (left.length > 0) found.foreign.push(...left);
    else if (myWrite === "last") found.mine.push(one);
    else found.unowned.push(one);
  }
  return found;
}

/** An edit that failed or was refused by the person is in the ledger all the same. */
const hasHappened = (entry: Entry) => changedAt(entry) !== undefined;

/**
 * What somebody wrote and committed is not its author's any more. A call often writes a file and commits it in the same second; if
 * it cannot be known which was first, that counts as committed once another agent has written the file since, else as not.
 */
function uncommittedOf(
  tree: Tree,
  env: Around["env"],
  foreign: readonly Foreign[],
): (write: Foreign, isLast: boolean) => boolean {
  if (foreign.length === 0) return () => false;
  const isHere = ({ entry }: Foreign) => entry.tree === tree.top;
  const since = Math.floor(Math.min(...foreign.map(({ entry }) => entry.at)) / 1000);
  const names = [...new Set(foreign.map(({ changed }) => `:(top,literal)${changed.file}`))];
  const options = { cwd: tree.top, env, limitMs: GIT_LIMIT_MS, longestBytes: LONGEST_STATUS };
  const { ok, stdout } = runGit(
    [
      "log",
      `--since=@${since}`,
      "--format=%x00%ct %H",
      "--name-only",
      "-c", // what a merge commit changed against all its parents: conflicts that were resolved
      "-z",
      "--",
      ...(names.length > MOST_NAMED ? [] : names),
    ],
    options,
  );
  if (!ok) return isHere; // no commit yet
  const committed = commitTimes(stdout, tree);
  return (write, isLast) => {
    const { from, to } = committed.get(write.changed.file) ?? NEVER;
    if (!isHere(write)) return to > write.entry.at;
    return (isLast ? from : to) <= write.entry.at;
  };
}

/** Of more the commits of all files are listed: a command line has its bounds. */
const MOST_NAMED = 500;

/** Between which moments a commit was made, in milliseconds since 1970. */
interface Made {
  from: number;
  to: number;
}

const NEVER: Made = { from: 0, to: 0 };

/** From `git log --format=%x00%ct %H --name-only -z`: the newest commit of each file. */
function commitTimes(listing: string, tree: Tree): Map<string, Made> {
  const times = new Map<string, Made>();
  let made = NEVER;
  for (const field of listing.split("\0")) {
    const text = field.replace(/^\n+/, "");
    const [, second, hash = ""] = /^(\d{9,11}) ([0-9a-f]{40,64})\n?$/.exec(text) ?? [];
    if (second !== undefined) made = madeAt(Number.parseInt(second, 10) * 1000, hash, tree);
    else if (text !== "") {
      const file = text.normalize("NFC");
      if (made.to > (times.get(file) ?? NEVER).to) times.set(file, made);
    }
  }
  return times;
}

/** The clock of a file system goes in steps. */
const STEP_MS = 10;

/** Commits have times in whole seconds; the file of a commit that was made here, and is not packed yet, knows it better. */
function madeAt(second: number, hash: string, { common }: Tree): Made {
  const at = statIfThere(`${common}/objects/${hash.slice(0, 2)}/${hash.slice(2)}`)?.mtimeMs ?? 0;
  const isOfThatSecond = at >= second && at < second + 1000;
  return isOfThatSecond ? { from: at, to: at + STEP_MS } : { from: second, to: second + 1000 };
}
