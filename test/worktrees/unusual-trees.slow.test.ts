// Worktrees of repositories in unusual states.
import { expect, test } from "vitest";
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { removeTree } from "../../lib/worktrees/store/tree-work.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { aPair, arrive, conflictsOf } from "./a-pair.ts";
import { aTreeIn, callIn, expectKept, type Work } from "./a-teammates-tree.ts";

test("a worktree of a bare repository's worktree, a sparse and a shallow one works like any other", () => {
  const home = aHome();
  const first = aCheckout(home.path("first"), { "a/x": "1", "b/y": "2" });
  first.commit("second", { "a/x": "3" });
  first.git("clone", "-q", "--bare", home.path("first"), home.path("store.git"));
  first.git("--git-dir", home.path("store.git"), "worktree", "add", "-q", home.path("of-bare"));
  expect(aTreeIn(home, { cwd: home.path("of-bare") }).tree.git("status", "--porcelain")).toBe("");
  first.git("clone", "-q", "--depth=1", `file://${home.path("first")}`, home.path("shallow"));
  expect(
    aTreeIn(home, { cwd: home.path("shallow"), agent: "bob" })
      .tree.git("log", "--oneline")
      .split("\n"),
  ).toHaveLength(1);
  const sparse = checkoutAt(home.path("shallow"));
  sparse.git("sparse-checkout", "set", "a");
  expect(aTreeIn(home, { cwd: home.path("shallow"), agent: "eve" }).tree.git("status", "--porcelain")).toBe(
    "",
  );
});

const WORK: Work[] = [
  [
    "a commit on no branch",
    (tree) => {
      tree.git("checkout", "-q", "--detach");
      tree.commit("lost", { b: "b" });
    },
    /1 commit on no other branch/,
  ],
  [
    "a merge that has not ended",
    (tree, main) => {
      main.commit("theirs", { "a.txt": "theirs\n" });
      tree.commit("ours", { "a.txt": "ours\n" });
      expect(() => tree.git("merge", "main")).toThrow();
    },
    /a merge that has not ended/,
  ],
  [
    "a rebase that has not ended",
    (tree, main) => {
      main.commit("theirs", { "a.txt": "theirs\n" });
      tree.commit("ours", { "a.txt": "ours\n" });
      expect(() => tree.git("rebase", "main")).toThrow();
    },
    /a rebase that has not ended/,
  ],
];
test.each(WORK)("%s: refused with what would be lost, and a patch with --force", (_, work, why) =>
  expectKept(work, why),
);

test("a checked-out submodule is never removed", () => {
  const home = aHome();
  aCheckout(home.path("sub"));
  const main = aCheckout(home.project);
  main.git("submodule", "--quiet", "add", home.path("sub"), "lib");
  main.commit("a submodule");
  const { record, tree } = aTreeIn(home);
  tree.git("submodule", "--quiet", "update", "--init");
  expect(() => removeTree(callIn(home), record, { force: true })).toThrow(/repositories inside it/);
});

test("the forecast works with sparse and shallow trees", () => {
  const home = aHome();
  const first = aCheckout(home.path("first"), { "a/x": "1\n", "b/y": "2\n" });
  first.commit("second");
  first.git("clone", "-q", "--depth=1", `file://${home.path("first")}`, home.project);
  const ada = checkoutAt(home.project);
  ada.git("worktree", "add", "-q", "-b", "bob", home.path("bob"));
  const bob = checkoutAt(home.path("bob"));
  bob.git("sparse-checkout", "set", "a");
  arrive(home, "s-1", undefined, ada.path);
  arrive(home, "s-2", undefined, bob.path);
  ada.write("a/x", "ada\n");
  ada.write("b/y", "ada\n");
  bob.write("a/x", "bob\n");
  const env = { PATH: process.env["PATH"], HOME: home.root };
  const made = renewForecast({ paths: home.paths, env, now: NOON }, treeOf(ada.path) as Tree);
  expect(conflictsOf(made)).toEqual([["a/x"]]);
});

test("the forecast in the middle of a merge", () => {
  const { ada, bob, forecast } = aPair();
  ada.git("checkout", "-q", "-b", "x");
  ada.commit("x", { "a.txt": "x\n" });
  ada.git("checkout", "-q", "main");
  ada.commit("m", { "a.txt": "m\n" });
  expect(() => ada.git("merge", "x")).toThrow();
  bob.write("a.txt", "y\n");
  expect(conflictsOf(forecast())).toEqual([["a.txt"]]);
});
