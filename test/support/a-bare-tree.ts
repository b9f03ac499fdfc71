// A repository of git's own files alone, without git: enough for everything that does not start it, and much quicker.
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import type { Home } from "./a-home.ts";

export function aBareTree(home: Home, branch = "main"): Tree {
  home.write("project/.git/HEAD", `ref: refs/heads/${branch}\n`);
  return treeOf(home.project) as Tree;
}

/** A linked worktree of it. */
export function aLinkedTree(home: Home, name: string): Tree {
  const own = `project/.git/worktrees/${name}`;
  home.write(`${own}/HEAD`, `ref: refs/heads/${name}\n`);
  home.write(`${own}/commondir`, "../..\n");
  home.write(`${own}/gitdir`, `${home.path(name)}/.git\n`);
  home.write(`${name}/.git`, `gitdir: ${home.path(own)}\n`);
  return treeOf(home.path(name)) as Tree;
}
