// Makes the worktree of a teammate: one known place, a branch of its own, a fresh base.

import { basename, dirname, join, relative, resolve } from "node:path";
import { makeDirectory, realPath, statIfThere } from "../../core/files.ts";
import { type Paths, segment, whyNotSegment } from "../../core/paths.ts";
import { sha256 } from "../../core/sha256.ts";
import { type GitCall, runGit } from "../../system/git.ts";
import { type Base, chooseBase, commitOf, type Git, line, whyFailed } from "./base.ts";
import { firstNames } from "./first-names.ts";
import { type Copied, copyIncluded } from "./included-files.ts";
import { type Tree, treeOf } from "./repository.ts";
import { isTreeThere, readTree, type TreeRecord, writeTree } from "./trees.ts";

export interface NewTree {
  paths: Paths;
  env: GitCall["env"];
  now: Date;
  /** Anywhere in the repository. */
  cwd: string;
  team: string;
  agent: string;
  branch?: string;
  base?: string;
  /** Where worktrees are put; below the home directory without it. */
  place?: string;
  /** Patterns of ignored files that the person wants in every worktree. */
  include: readonly string[];
}

export interface MadeTree {
  record: TreeRecord;
  /** The place in it that answers to `cwd`. */
  cwd: string;
  /** One line each, for the person. */
  notes: string[];
  isNew: boolean;
}

const ADD_WITHIN_MS = 120_000;

/** In a verb that somebody started: the person's identity, credentials and LFS hold. */
export const personsGit =
  (env: GitCall["env"], cwd: string): Git =>
  (args, more = {}) =>
    runGit(args, { cwd, env, asPerson: true, limitMs: 10_000, ...more });

export function addTree(wanted: NewTree): MadeTree {
  const { paths, cwd, team, agent } = wanted;
  const checkout = treeOf(cwd);
  if (!checkout)
    throw new Error(`${cwd} is not in a git repository with a working tree: a worktree needs one`);
  const known = readTree(paths, team, agent);
  if (known && known.commonDir !== checkout.common)
    throw new Error(
      `${agent} has a worktree of another repository (${known.path}); \`swarm worktree remove ${agent}\` first`,
    );
  if (known && wanted.branch && wanted.branch !== known.branch)
    throw new Error(
      `${agent} already has a worktree on ${known.branch}; \`swarm worktree remove ${agent}\` first, or leave the branch out`,
    );
  if (known && isTreeThere(known))
    return madeOf(
      known,
      wanted,
      checkout,
      [`worktree of before: ${known.path}, branch ${known.branch}`],
      false,
    );
  return addNew(wanted, checkout, known);
}

function addNew(wanted: NewTree, checkout: Tree, known: TreeRecord | undefined): MadeTree {
  const { team, agent, now } = wanted;
  const git = personsGit(wanted.env, checkout.top);
  const branch = known?.branch ?? (wanted.branch || `swarm/${refPart(team)}/${refPart(agent)}`);
  if (!git(["check-ref-format", "--branch", branch]).ok)
    throw new Error(`${JSON.stringify(branch)} is no name for a branch`);
  const path = known?.path ?? treePlace(wanted, checkout);
  if (statIfThere(path)) throw new Error(`${path} exists already, and it is not a worktree of ${agent}`);
  const exists = git(["show-ref", "--verify", "--quiet", `refs/heads/${branch}`]).ok;
  if (exists && wanted.base)
    throw new Error(`the branch ${branch} exists already: leave --base out, or name another branch`);
  const base = chooseBase(git, exists ? branch : wanted.base, now);
  const commit = exists ? (line(git(["rev-parse", `refs/heads/${branch}`])) ?? base.commit) : base.commit;
  // Its directory is gone. Not `worktree prune`, which also takes others' worktrees, on a disk that is not there at the moment.
  if (known) git(["worktree", "remove", "--force", path]);
  makeDirectory(dirname(path));
  const how = exists ? [path, branch] : ["--no-track", "-b", branch, path, commit];
  const added = git(["worktree", "add", "--quiet", ...how], { limitMs: ADD_WITHIN_MS });
  if (!added.ok) {
    // git makes the branch first. Left behind it would count as the person's; git refuses where somebody has it checked out.
    const made = exists ? undefined : commitOf(git, `refs/heads/${branch}`);
    if (made === commit) git(["branch", "-D", "--quiet", "--", branch]); // another one was made meanwhile by somebody else
    throw new Error(`git could not make the worktree: ${whyFailed(added)}`);
  }
  const record: TreeRecord = {
    ...{ team, agent, path: realPath(path), branch, from: checkout.top, commonDir: checkout.common },
    isOurBranch: known?.isOurBranch ?? !exists,
    base: known?.base ?? commit,
    baseName: known?.baseName ?? base.name,
    at: now.toISOString(),
  };
  writeTree(wanted.paths, record);
  const files = copyIncluded(git, checkout.top, path, wanted.include, wanted.paths.tmp);
  const notes = [`worktree ${record.path}`, beginning(branch, exists, commit, base), ...copyNotes(files)];
  return madeOf(record, wanted, checkout, notes, true);
}

/** What may stand in a file's name, but not in a branch's. */
const refPart = (name: string) => name.replace(/[\s~^[]|\.\.|@\{/g, "-").replace(/\.lock$/, "-lock");

const beginning = (branch: string, exists: boolean, commit: string, base: Base) =>
  exists
    ? `branch ${branch} as it is, at ${commit.slice(0, 7)}`
    : `branch ${branch} from ${base.name} ${base.text}`;

const MOST_NAMED = 5;

function copyNotes({ copied, leftOut }: Copied): string[] {
  return [
    ...(copied.length > 0 ? [`copied: ${firstNames(copied, MOST_NAMED)}`] : []),
    ...(leftOut.length > 0 ? [`not copied: ${firstNames(leftOut, MOST_NAMED)}`] : []),
  ];
}

/** The client starts in the folder that answers to the caller's. */
function madeOf(
  record: TreeRecord,
  { cwd }: NewTree,
  { top }: Tree,
  notes: string[],
  isNew: boolean,
): MadeTree {
  const place = join(record.path, relative(top, realPath(cwd)));
  return { record, cwd: statIfThere(place)?.isDirectory() ? place : record.path, notes, isNew };
}

/** `~/.swarm/worktrees/<repository>-<hash>/<team>/<agent>`. Not below `.claude`, where the client asks before each write. */
function treePlace({ paths, place, team, agent }: NewTree, { common }: Tree): string {
  const name = basename(common) === ".git" ? basename(dirname(common)) : basename(common, ".git");
  const hash = sha256(common).slice(0, 8);
  const readable = `${name.slice(0, 60)}-${hash}`;
  const repository = whyNotSegment(readable) ? hash : readable;
  const root = place
    ? resolve(
        paths.home,
        place.replace(/^~(?=\/|$)/, () => paths.home),
      )
    : join(paths.home, ".swarm", "worktrees");
  return join(root, segment(repository), segment(team), segment(agent));
}
