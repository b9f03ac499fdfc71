// Which repository and which of its trees a path belongs to, from git's own files: no git is started. A repository is its common
// directory, whatever worktree and whatever link leads to it; a submodule and a nested repository are repositories of their own.
import { existsSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { readHead, realPath, statIfThere } from "../../core/files.ts";
import { type Paths, swarmPath } from "../../core/paths.ts";
import { oncePer } from "../../core/process.ts";

export interface Tree {
  /** The directory that all worktrees of the repository share; it names the repository. */
  common: string;
  /** This tree's own part of it: its HEAD and its index. */
  gitDir: string;
  /** The top level of the working tree, with every link followed. */
  top: string;
}

const LONGEST_POINTER = 4_096;

/** The tree around a directory, which need not exist; nothing outside a repository and in a bare one. */
export const treeOf = (directory: string): Tree | undefined => treeAround(realPath(directory));

/** The same for a path whose links are followed already. */
function treeAround(directory: string): Tree | undefined {
  for (let at = directory; ; at = dirname(at)) {
    const stat = statIfThere(`${at}/.git`);
    const gitDir = stat?.isDirectory() ? `${at}/.git` : stat?.isFile() ? pointedAt(at) : undefined;
    if (gitDir !== undefined) return { top: at, gitDir, common: commonOf(gitDir, at) };
    if (at === dirname(at)) return undefined;
  }
}

/** `.git` as a file, in a linked worktree or a submodule: `gitdir: <path>`. */
function pointedAt(top: string): string | undefined {
  const [, path] = /^gitdir: ([^\n]+)/.exec(firstLines(`${top}/.git`)) ?? [];
  const gitDir = path === undefined ? undefined : resolve(top, path.trim());
  return gitDir !== undefined && existsSync(`${gitDir}/HEAD`) ? realPath(gitDir) : undefined;
}

/** A directory that only says it is a worktree of some repository, which does not list it, is one of its own. */
function commonOf(gitDir: string, top: string): string {
  const common = firstLines(`${gitDir}/commondir`).trim();
  if (common === "") return realPath(gitDir);
  const back = firstLines(`${gitDir}/gitdir`).trim();
  const isListed = realPath(resolve(gitDir, back)) === `${top}${sep}.git`;
  return isListed ? realPath(resolve(gitDir, common)) : gitDir;
}

const firstLines = (path: string): string => readHead(path, LONGEST_POINTER)?.text ?? "";

/** The branch that is checked out, as its short name; nothing on a detached HEAD, in the middle of a rebase, and where reftables hold it. */
export const branchOf = ({ gitDir }: Pick<Tree, "gitDir">): string | undefined =>
  /^ref: refs\/heads\/(?!\.invalid$)([^\n]+)/m.exec(firstLines(`${gitDir}/HEAD`))?.[1];

/** One file of a repository: its tree, and its path below the top level, the same in every worktree. */
export interface Located {
  tree: Tree;
  file: string;
}

/** Links are followed: the file that really changes. Nothing outside repositories and for git's own files. */
export function locate(path: string): Located | undefined {
  const real = realPath(path);
  const tree = treeAround(dirname(real));
  if (!tree || isAtOrBelow(real, tree.gitDir)) return undefined;
  const below = real.slice(tree.top.length).split(sep);
  return { tree, file: below.filter(Boolean).join("/").normalize("NFC") };
}

const isAtOrBelow = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory}${sep}`);

/** Whether names that differ only in case are one file there. */
export function ignoresCase({ common }: Pick<Tree, "common">): boolean {
  const [upper, lower] = [`${common}/HEAD`, `${common}/head`].map((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  return upper !== undefined && lower !== undefined && upper.ino === lower.ino;
}

export const repositoriesDir = (paths: Paths): string => swarmPath(paths, "repositories");

/** Swarm's own directory for a repository. */
export const repositoryPath = (paths: Paths, { common }: Pick<Tree, "common">, ...parts: string[]): string =>
  swarmPath(paths, "repositories", keyOf(common), ...parts);

/** A readable part and a hash: a path is too long for a name, and node:crypto too dear for every call. */
const keyOf = oncePer((common: string): string => {
  const name = common.split(sep).findLast((part) => part !== "" && part !== ".git") ?? "";
  return `${name.replace(/[^A-Za-z0-9_-]/g, "-").slice(0, 40)}-${hashOf(common)}`;
});

/** 64 bits: two rounds of FNV-1a with different beginnings. */
export const hashOf = (text: string): string => fnv(text, 0x811c9dc5) + fnv(text, 0x1000193);

function fnv(text: string, start: number): string {
  let hash = start;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
