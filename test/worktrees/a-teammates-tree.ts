// A teammate's worktree of a real repository, and what its removal must keep.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { addTree, type NewTree } from "../../lib/worktrees/store/add-tree.ts";
import { removeTree } from "../../lib/worktrees/store/tree-work.ts";
import { aCheckout, type Checkout, checkoutAt } from "../support/a-checkout.ts";
import { aHome, type Home } from "../support/a-home.ts";

const NOW = new Date();
export const envOf = (home: Home) => ({
  PATH: process.env["PATH"],
  HOME: home.root,
  GIT_CONFIG_NOSYSTEM: "1",
});
export const wantedIn = (home: Home, more: Partial<NewTree> = {}): NewTree => ({
  ...{
    paths: home.paths,
    env: envOf(home),
    now: NOW,
    cwd: home.project,
    team: "alpha",
    agent: "ada",
    include: [],
  },
  ...more,
});
export const callIn = (home: Home) => ({ paths: home.paths, env: envOf(home), now: NOW });

export function aTreeIn(home: Home, more: Partial<NewTree> = {}) {
  const made = addTree(wantedIn(home, more));
  return { ...made, tree: checkoutAt(made.record.path) };
}

/** The project is a clone of a repository that it can reach. */
export function cloned(home: Home): { remote: Checkout; main: Checkout } {
  const remote = aCheckout(home.path("remote"));
  remote.git("clone", "-q", home.path("remote"), home.project);
  return { remote, main: checkoutAt(home.project) };
}

/** What makes a removal lose something, and the words of the refusal. */
export type Work = [what: string, work: (tree: Checkout, main: Checkout) => void, why: RegExp];

/** Refused, and with --force in a patch from which everything can be made again. */
export function expectKept(work: Work[1], why: RegExp): void {
  const home = aHome();
  const main = aCheckout(home.project);
  const { record, tree } = aTreeIn(home);
  work(tree, main);
  const before = stateOf(record.path);
  expect(() => removeTree(callIn(home), record, { force: false })).toThrow(why);
  expect(stateOf(record.path)).toEqual(before);
  const { patch = "" } = removeTree(callIn(home), record, { force: true });
  expect(existsSync(record.path)).toBe(false);
  const again = checkoutAt(home.path("again"));
  again.git("clone", "-q", home.project, ".");
  again.git("checkout", "-q", record.base);
  if (readFileSync(patch, "utf8") !== "") again.git("apply", "--index", patch);
  expect(stateOf(again.path)).toEqual(before);
  expect(statSync(patch).mode & 0o777).toBe(0o600);
}

/** Every file with its content, without git's own. */
const stateOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--deduplicate"], {
      cwd: path,
      encoding: "utf8",
    })
      .split("\0")
      .filter((name) => name && existsSync(join(path, name)))
      .map((name) => [name, readFileSync(join(path, name), "utf8")]),
  );
