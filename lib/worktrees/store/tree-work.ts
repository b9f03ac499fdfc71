// What a worktree holds that exists nowhere else, and its removal.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeDirectory, namesIn, statIfThere } from "../../core/files.ts";
import { dayAndTime } from "../../core/journal.ts";
import { type Paths, whyNotSegment } from "../../core/paths.ts";
import { counted, firstOf } from "../../core/text.ts";
import type { GitCall } from "../../system/git.ts";
import { personsGit } from "./add-tree.ts";
import { type Git, line, whyFailed } from "./base.ts";
import { hashOf, treeOf } from "./repository.ts";
import { writeSnapshot } from "./snapshot.ts";
import { LISTING_BYTES, readState } from "./tree-state.ts";
import { forgetTree, isTreeThere, savedPatchPath, type TreeRecord } from "./trees.ts";

export interface TreeWork {
  /** False where its directory is gone: then there is nothing to lose in it. */
  isThere: boolean;
  /** The branch that is checked out; `undefined` while HEAD is detached. */
  branch?: string;
  /** Files that differ from HEAD, untracked ones too. */
  changed: string[];
  /** Commits that no other branch, tag or remote has, one line each. */
  unmerged: string[];
  /** A merge, rebase or the like that has not ended. */
  unfinished?: string;
  /** What no patch can hold: repositories inside it, and names that are not UTF-8. */
  opaque: string[];
  /** Git could not say. */
  why?: string;
}

type Caller = Pick<GitCall, "env"> & { paths: Paths; now: Date };

const MOST_COMMITS = 50;
const REMOVE_WITHIN_MS = 60_000;

export function workIn(env: GitCall["env"], record: TreeRecord): TreeWork {
  const nothing = { changed: [], unmerged: [], opaque: [] };
  if (!isTreeThere(record)) {
    const from = checkoutOf(record);
    if (from === undefined)
      return { isThere: false, ...nothing, why: statIfThere(record.commonDir) && "no working tree is left" };
    const git = personsGit(env, from);
    const left = hasBranch(git, record.branch)
      ? unmergedIn(git, [record.branch], [`refs/heads/${record.branch}`])
      : {};
    return { isThere: false, ...nothing, ...left };
  }
  const git = personsGit(env, record.path);
  const state = readState(git);
  if ("why" in state) return { isThere: true, ...nothing, why: state.why };
  const { branch } = state;
  const branches = [...new Set([record.branch, ...(branch ? [branch] : [])])];
  const starts = [
    ...(state.head ? ["HEAD"] : []), // an orphan branch has no commit
    ...(hasBranch(git, record.branch) ? [`refs/heads/${record.branch}`] : []),
  ];
  const gitDir = resolve(record.path, line(git(["rev-parse", "--git-dir"])) ?? ".git");
  const links = linksIn(git);
  // git looks behind no link: what lies there counts also where it is no repository any more.
  const inside = links.paths.filter((path) => namesIn(join(record.path, path)).length > 0);
  const unmerged = unmergedIn(git, branches, starts);
  return {
    isThere: true,
    branch,
    changed: state.paths,
    ...unmerged,
    unfinished: unfinishedIn(gitDir),
    opaque: [...new Set([...state.opaque, ...namesIn(join(gitDir, "modules")), ...inside])],
    why: unmerged.why ?? links.why,
  };
}

const LARGEST_INDEX_BYTES = 256 * 1024 * 1024;

/** Repositories that the index holds as links: submodules, checked out or not, and others that were added by `git add`. */
function linksIn(git: Git): { paths: string[]; why?: string } {
  const listed = git(["ls-files", "--stage", "-z"], { longestBytes: LARGEST_INDEX_BYTES });
  if (!listed.ok) return { paths: [], why: whyFailed(listed) };
  const links = listed.stdout.split("\0").filter((entry) => entry.startsWith("160000 "));
  return { paths: links.map((entry) => entry.slice(entry.indexOf("\t") + 1)) };
}

const findBranch = (git: Git, branch: string) =>
  git(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]);
const hasBranch = (git: Git, branch: string) => findBranch(git, branch).ok;

function unmergedIn(
  git: Git,
  branches: readonly string[],
  starts: readonly string[],
): Pick<TreeWork, "unmerged" | "why"> {
  if (starts.length === 0) return { unmerged: [] };
  const elsewhere = [...branches.map((one) => `--exclude=${one}`), "--branches", "--remotes", "--tags"];
  const listed = git(["log", `-${MOST_COMMITS}`, "--format=%h %s", ...starts, "--not", ...elsewhere], {
    longestBytes: LISTING_BYTES,
  });
  return listed.ok
    ? { unmerged: listed.stdout.split("\n").filter(Boolean) }
    : { unmerged: [], why: whyFailed(listed) };
}

/** A working tree of its repository that is still there; nothing where all of it is gone. */
const checkoutOf = ({ from, commonDir }: TreeRecord): string | undefined =>
  [from, dirname(commonDir)].find((path) => treeOf(path)?.common === commonDir);

const UNFINISHED: readonly (readonly [file: string, what: string])[] = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisect"],
];

const unfinishedIn = (gitDir: string) => UNFINISHED.find(([file]) => statIfThere(join(gitDir, file)))?.[1];

/** One line for each kind of work that would be lost; none where all of it is elsewhere. */
export function whatWouldBeLost({ changed, unmerged, unfinished, opaque, why }: TreeWork): string[] {
  return [
    ...(why ? [`git could not say what it holds: ${why}`] : []),
    ...(changed.length > 0 ? [`${counted(changed.length, "changed file")}: ${some(changed)}`] : []),
    ...(unmerged.length > 0
      ? [`${commitsShown(unmerged.length)} on no other branch, tag or remote: ${some(unmerged)}`]
      : []),
    ...(unfinished ? [`${unfinished} that has not ended`] : []),
    ...(opaque.length > 0 ? [`repositories inside it, or names that are not UTF-8: ${some(opaque)}`] : []),
  ];
}

const MOST_NAMED = 5;
/** No more than `MOST_COMMITS` are listed. */
const commitsShown = (n: number) => (n === MOST_COMMITS ? `${n} or more commits` : counted(n, "commit"));
const some = (names: readonly string[]) => firstOf(names, MOST_NAMED).join(", ");

export interface Removed {
  /** Where its uncommitted changes and unmerged commits went. */
  patch?: string;
  /** Kept, because it has commits that are nowhere else, or git would not delete it. */
  keptBranch?: string;
}

/** Throws with what would be lost. `force` saves a patch first, and keeps a branch that has commits of its own. */
export function removeTree(call: Caller, record: TreeRecord, { force }: { force: boolean }): Removed {
  const work = workIn(call.env, record);
  const lost = whatWouldBeLost(work);
  if (work.opaque.length > 0 || (work.why && work.isThere))
    throw new Error(
      `${record.path} stays:\n  ${lost.join("\n  ")}\nNo patch can hold that: look at it yourself.`,
    );
  if (lost.length > 0 && !force)
    throw new Error(
      `${record.path} still holds work:\n  ${lost.join("\n  ")}\nMerge or push it first, or --force: it saves a patch and keeps the branch.`,
    );
  const patch = lost.length > 0 && work.isThere ? savePatch(call, record) : undefined;
  const git = personsGit(call.env, checkoutOf(record) ?? record.path);
  // Without it git removes no worktree with links, and says nothing of what is behind them.
  const isForced = force || (work.isThere && linksIn(personsGit(call.env, record.path)).paths.length > 0);
  // Not `worktree prune`, which also takes others' worktrees, on a disk that is not there at the moment.
  const removed = git(["worktree", "remove", ...(isForced ? ["--force"] : []), record.path], {
    limitMs: REMOVE_WITHIN_MS,
  });
  if (!removed.ok && isTreeThere(record)) throw new Error(`git did not remove it: ${whyFailed(removed)}`);
  const mayGo = work.unmerged.length === 0 && !work.why;
  const isOurs = record.isOurBranch && statIfThere(record.commonDir);
  const isKept = !mayGo || (isOurs && !deleteBranch(git, record.branch));
  forgetTree(call.paths, record);
  return { patch, ...(isKept ? { keptBranch: record.branch } : {}) };
}

/** True also where there is no such branch. */
const deleteBranch = (git: Git, branch: string): boolean =>
  git(["branch", "-D", "--quiet", "--", branch]).ok || findBranch(git, branch).code === 1;

/** Everything since the worktree's base: commits and uncommitted changes, untracked files included, as one patch. */
function savePatch({ paths, env, now }: Caller, record: TreeRecord): string {
  const git = personsGit(env, record.path);
  const { team, agent } = record;
  const name = `${dayAndTime(now)}-${team}-${agent}`;
  const path = savedPatchPath(
    paths,
    whyNotSegment(name) ? `${dayAndTime(now)}-${hashOf(`${team}/${agent}`)}` : name,
  );
  const directory = mkdtempSync(join(paths.tmp, "swarm-patch-"));
  try {
    const snapshot = writeSnapshot(git, { index: join(directory, "index") });
    if ("why" in snapshot)
      throw new Error(`no patch could be saved, so nothing was removed: ${snapshot.why}`);
    const since = line(git(["merge-base", record.base, "HEAD"])) ?? record.base;
    makeDirectory(dirname(path));
    // Written by git itself: a patch holds bytes of any encoding. `diff-tree` knows nothing of a person's `diff.noprefix`.
    const how = ["-p", "--binary", "--full-index", `--output=${path}`];
    const diff = git(["diff-tree", ...how, since, snapshot.tree], { limitMs: REMOVE_WITHIN_MS });
    if (!diff.ok) throw new Error(`no patch could be saved, so nothing was removed: ${whyFailed(diff)}`);
    chmodSync(path, 0o600);
    return path;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
