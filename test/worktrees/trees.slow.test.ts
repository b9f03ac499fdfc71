// More of worktrees of teammates, with real repositories: remotes, odd places, and everything that a removal could lose.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addTree } from "../../lib/worktrees/store/add-tree.ts";
import { removeTree, whatWouldBeLost, workIn } from "../../lib/worktrees/store/tree-work.ts";
import { readTrees } from "../../lib/worktrees/store/trees.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aHome } from "../support/a-home.ts";
import { aTreeIn, callIn, cloned, envOf, expectKept, type Work, wantedIn } from "./a-teammates-tree.ts";

describe("a new worktree", () => {
  test("is the same one the second time, and again after its directory was deleted", () => {
    const home = aHome();
    aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    tree.commit("work", { "b.txt": "b" });
    expect(addTree(wantedIn(home))).toMatchObject({ record, isNew: false });
    rmSync(record.path, { recursive: true });
    expect(addTree(wantedIn(home)).record).toMatchObject({
      path: record.path,
      base: record.base,
      isOurBranch: true,
    });
    expect(readFileSync(join(record.path, "b.txt"), "utf8")).toBe("b");
  });

  test("of a member whose directory is gone leaves the worktrees of others alone, also those that are not there", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    main.git("worktree", "add", "-q", "-b", "other", home.path("disk"));
    renameSync(home.path("disk"), home.path("unmounted"));
    const { record } = aTreeIn(home);
    rmSync(record.path, { recursive: true });
    expect(aTreeIn(home).tree.git("branch", "--show-current")).toBe(record.branch);
    rmSync(record.path, { recursive: true });
    removeTree(callIn(home), record, { force: false });
    expect(main.git("branch", "--list", record.branch)).toBe("");
    renameSync(home.path("unmounted"), home.path("disk"));
    expect(checkoutAt(home.path("disk")).git("status", "--porcelain")).toBe("");
  });

  test("of a repository whose long name has more bytes than letters; a home with signs of a replacement", () => {
    const home = aHome();
    const place = home.path("倉".repeat(32));
    aCheckout(place);
    expect(aTreeIn(home, { cwd: place }).record.path).toMatch(
      /\/\.swarm\/worktrees\/[0-9a-f]{8}\/alpha\/ada$/,
    );
    const paths = { ...home.paths, home: home.path("a$&b") };
    const { record } = aTreeIn(home, { paths, cwd: place, agent: "bob", place: "~/trees" });
    expect(record.path).toContain("/a$&b/trees/");
  });

  test("runs no hook and no filter of the repository", () => {
    const home = aHome();
    const main = aCheckout(home.project, { "a.txt": "1", ".gitattributes": "*.txt filter=evil\n" });
    const trap = home.path("trapped");
    main.git("config", "filter.evil.smudge", `touch ${trap}; cat`);
    main.git("config", "filter.evil.clean", `touch ${trap}; cat`);
    main.write(".git/hooks/post-checkout", `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(join(home.project, ".git/hooks/post-checkout"), 0o755);
    const { record } = aTreeIn(home);
    writeFileSync(join(record.path, "a.txt"), "2");
    expect(workIn(envOf(home), record).changed).toEqual(["a.txt"]);
    removeTree(callIn(home), record, { force: true });
    expect(existsSync(trap)).toBe(false);
  });
});

test.each([
  ["my team", "ada", "swarm/my-team/ada"],
  ["a~1^[x", "b..c@{1}", "swarm/a-1--x/b-c-1}"],
  ["dev", "ada.lock", "swarm/dev/ada-lock"],
])("the branch of a team and a name that cannot stand in one: %s, %s", (team, agent, branch) => {
  const home = aHome();
  aCheckout(home.project);
  const { record, tree } = aTreeIn(home, { team, agent });
  expect([record.branch, tree.git("branch", "--show-current")]).toEqual([branch, branch]);
});

describe("its base is fresh", () => {
  test("--base names any commit; a remote branch is fetched too", () => {
    const home = aHome();
    const { remote, main } = cloned(home);
    const first = main.git("rev-parse", "HEAD");
    remote.commit("theirs");
    expect(aTreeIn(home, { base: first.slice(0, 10) }).record.base).toBe(first);
    const bob = aTreeIn(home, { agent: "bob", base: "origin/main" }).record;
    expect(bob.base).toBe(remote.git("rev-parse", "HEAD"));
  });

  test.each([undefined, "main"])("its upstream counts, not the remote branch of its name: %s", (base) => {
    const home = aHome();
    const { remote, main } = cloned(home);
    remote.git("checkout", "-q", "-b", "develop");
    main.git("fetch", "-q");
    main.git("branch", "-q", "--set-upstream-to=origin/develop");
    const newest = remote.commit("theirs", { "b.txt": "b" });
    expect(aTreeIn(home, { base }).record).toMatchObject({ base: newest, baseName: "origin/develop" });
  });

  test("commits that exist only here are taken along, and it says how far behind they are", () => {
    const home = aHome();
    const { remote, main } = cloned(home);
    remote.commit("theirs", { "b.txt": "b" });
    const mine = main.commit("mine", { "c.txt": "c" });
    const { record, notes } = aTreeIn(home);
    expect(record).toMatchObject({ base: mine, baseName: "HEAD" });
    expect(notes[1]).toContain("1 commit behind origin/main");
  });

  test("a remote that does not answer is named", () => {
    const home = aHome();
    const { main } = cloned(home);
    rmSync(home.path("remote"), { recursive: true });
    const { record, notes } = aTreeIn(home);
    expect(record.base).toBe(main.git("rev-parse", "HEAD"));
    expect(notes[1]).toContain("origin did not answer, so origin/main may be old");
  });

  test("--base with a remote branch that was rewritten takes it as it is now", () => {
    const home = aHome();
    const { remote } = cloned(home);
    remote.git("commit", "-q", "--amend", "-m", "rewritten");
    const { record, notes } = aTreeIn(home, { base: "origin/main" });
    expect(record).toMatchObject({ base: remote.git("rev-parse", "HEAD"), baseName: "origin/main" });
    expect(notes[1]).toMatch(/ old, origin\/main fetched now\)$/);
  });
});

describe("extra files", () => {
  test("nothing is written through a link that the base brings", () => {
    const home = aHome();
    const main = aCheckout(home.project, {
      ".gitignore": "conf/local\n",
      ".worktreeinclude": "conf/local\n",
      "conf/x": "1",
    });
    main.git("checkout", "-q", "-b", "evil");
    rmSync(join(home.project, "conf"), { recursive: true });
    mkdirSync(home.path("outside"));
    symlinkSync(home.path("outside"), join(home.project, "conf"));
    main.commit("a link");
    main.git("checkout", "-q", "main");
    main.write("conf/local", "secret");
    const { notes } = aTreeIn(home, { base: "evil" });
    expect(notes[2]).toContain("behind a link in the worktree");
    expect(existsSync(home.path("outside/local"))).toBe(false);
  });

  test("are copied although more is ignored than git can list; a list that is too long is named", () => {
    const home = aHome();
    const main = aCheckout(home.project, {
      ".gitignore": "node_modules/\nlocal\n",
      ".worktreeinclude": "local\n",
    });
    main.write("local", "x");
    const deep = `node_modules/${Array.from({ length: 15 }, () => "d".repeat(120)).join("/")}`;
    for (let n = 0; n < 2_500; n++) main.write(`${deep}/${n}`, "");
    expect(aTreeIn(home).notes[2]).toBe("copied: local");
    const { notes } = aTreeIn(home, { agent: "bob", include: ["node_modules/"] });
    expect(notes.slice(2)).toEqual([
      "copied: local",
      "not copied: what teammates.worktree_include names: git said too much",
    ]);
  });

  test("one that cannot be copied does not keep the others from it", () => {
    const home = aHome();
    const main = aCheckout(home.project, {
      ".gitignore": "conf/local\nlocal\n",
      ".worktreeinclude": "local\n",
    });
    main.git("checkout", "-q", "-b", "file");
    main.commit("a file", { conf: "x" });
    main.git("checkout", "-q", "main");
    main.write("conf/local", "1");
    main.write("local", "2");
    const { notes, tree } = aTreeIn(home, { base: "file" });
    expect(notes[2]).toBe("copied: local");
    expect(notes[3]).toContain("not copied: conf/local: ");
    expect(readFileSync(join(tree.path, "local"), "utf8")).toBe("2");
  });
});

describe("removal", () => {
  const WORK: Work[] = [
    ["a changed file", (tree) => tree.write("a.txt", "two\n"), /1 changed file: a\.txt/],
    ["an untracked file", (tree) => tree.write("new dir/ü.txt", "x"), /1 changed file: new dir\/ü\.txt/],
    [
      "a deleted and a renamed file",
      (tree) => tree.git("mv", "a.txt", "z.txt"),
      /2 changed files: a\.txt, z\.txt/,
    ],
    [
      "a commit",
      (tree) => tree.commit("only here", { b: "b" }),
      /1 commit on no other branch, tag or remote: [0-9a-f]+ only here/,
    ],
  ];

  test.each(WORK)("%s: refused with what would be lost, and a patch with --force", (_, work, why) =>
    expectKept(work, why),
  );

  test("a repository inside it that was added as a link is never removed", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    aCheckout(join(record.path, "inner"));
    const expectRefused = () => {
      expect(workIn(envOf(home), record).opaque).toEqual(["inner"]);
      for (const force of [false, true])
        expect(() => removeTree(callIn(home), record, { force })).toThrow(
          /repositories inside it.*: inner\n/,
        );
    };
    tree.git("add", "inner");
    expectRefused();
    tree.git("commit", "-q", "-m", "with a repository inside");
    main.git("merge", "-q", "swarm/alpha/ada");
    expectRefused();
    rmSync(join(record.path, "inner/.git"), { recursive: true });
    expect(workIn(envOf(home), record).changed).toEqual([]); // git looks behind no link
    expectRefused();
    rmSync(join(record.path, "inner/a.txt"));
    removeTree(callIn(home), record, { force: false });
    expect([existsSync(record.path), main.git("branch", "--list", "swarm/*")]).toEqual([false, ""]);
  });

  test("commits of its branch are seen from an orphan branch without a commit", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    tree.commit("only here", { b: "b" });
    tree.git("switch", "-q", "--orphan", "fresh");
    expect(() => removeTree(callIn(home), record, { force: false })).toThrow(/1 commit on no other branch/);
    removeTree(callIn(home), record, { force: true });
    expect(main.git("log", "-1", "--format=%s", record.branch)).toBe("only here");
  });

  test("where git cannot say which commits it holds, nothing goes", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    tree.commit("only here", { b: "b" });
    main.write(".git/refs/heads/broken", `${"1".repeat(40)}\n`);
    expect(() => removeTree(callIn(home), record, { force: false })).toThrow(/git could not say/);
    expect(main.git("log", "-1", "--format=%s", record.branch)).toBe("only here");
  });

  test("the checkout that it was made from is gone: commits of its branch are still seen", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    main.git("worktree", "add", "-q", "-b", "lead", home.path("lead"));
    const { record, tree } = aTreeIn(home, { cwd: home.path("lead") });
    tree.commit("only here", { b: "b" });
    for (const path of [record.path, home.path("lead")]) rmSync(path, { recursive: true });
    expect(() => removeTree(callIn(home), record, { force: false })).toThrow(/1 commit on no other branch/);
    expect(removeTree(callIn(home), record, { force: true })).toEqual({ keptBranch: record.branch });
    const { record: bob } = aTreeIn(home, { agent: "bob" });
    rmSync(bob.path, { recursive: true });
    rmSync(home.project, { recursive: true });
    expect(removeTree(callIn(home), bob, { force: false })).toEqual({ patch: undefined });
    expect(readTrees(home.paths)).toEqual([]);
  });

  test("no working tree of its repository is left: only --force forgets it, and the branch stays", () => {
    const home = aHome();
    const first = aCheckout(home.path("first"));
    first.git("clone", "-q", "--bare", home.path("first"), home.path("store.git"));
    first.git("--git-dir", home.path("store.git"), "worktree", "add", "-q", home.path("lead"));
    const { record } = aTreeIn(home, { cwd: home.path("lead") });
    for (const path of [record.path, home.path("lead")]) rmSync(path, { recursive: true });
    expect(() => removeTree(callIn(home), record, { force: false })).toThrow(/no working tree is left/);
    expect(removeTree(callIn(home), record, { force: true })).toEqual({ keptBranch: record.branch });
    expect(readTrees(home.paths)).toEqual([]);
  });

  test("the patch is of the usual form and name, whatever the person's configuration and the names", () => {
    const home = aHome();
    aCheckout(home.project);
    home.write(".gitconfig", "[diff]\n\tnoprefix = true\n\tcontext = 0\n");
    const [team, agent] = ["日本".repeat(16), "b".repeat(100)];
    const { record, tree } = aTreeIn(home, { team, agent, branch: "x" });
    tree.write("dir/new.txt", "x\n");
    const { patch = "" } = removeTree(callIn(home), record, { force: true });
    const again = aCheckout(home.path("again"));
    again.git("apply", patch);
    expect(readFileSync(join(again.path, "dir/new.txt"), "utf8")).toBe("x\n");
  });

  test("the patch holds bytes of any encoding", () => {
    const home = aHome();
    aCheckout(home.project);
    const { record } = aTreeIn(home);
    const latin = Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x0a]);
    writeFileSync(join(record.path, "latin.txt"), latin);
    const { patch = "" } = removeTree(callIn(home), record, { force: true });
    const again = aCheckout(home.path("again"));
    again.git("apply", patch);
    expect(readFileSync(join(again.path, "latin.txt"))).toEqual(latin);
  });

  test("what no patch can hold is never removed", () => {
    const home = aHome();
    aCheckout(home.project);
    const { record } = aTreeIn(home);
    aCheckout(join(record.path, "nested"));
    expect(() => removeTree(callIn(home), record, { force: true })).toThrow(
      /nested\/[\s\S]*look at it yourself/,
    );
    expect(existsSync(join(record.path, "nested/a.txt"))).toBe(true);
  });

  test("commits on a remote count as kept; a branch that was there before stays", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    checkoutAt(home.path("remote")).git("init", "-q", "--bare");
    main.git("remote", "add", "origin", home.path("remote"));
    main.git("branch", "feature");
    const { record, tree } = aTreeIn(home, { branch: "feature" });
    tree.commit("pushed", { b: "b" });
    expect(whatWouldBeLost(workIn(envOf(home), record))).toHaveLength(1);
    tree.git("push", "-q", "-u", "origin", "feature");
    removeTree(callIn(home), record, { force: false });
    expect(main.git("branch", "--list", "feature")).toContain("feature");
  });

  test("a directory that is gone already: its branch with commits stays", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    tree.commit("work", { b: "b" });
    rmSync(record.path, { recursive: true });
    expect(() => removeTree(callIn(home), record, { force: false })).toThrow(/1 commit on no other branch/);
    expect(removeTree(callIn(home), record, { force: true })).toEqual({ keptBranch: "swarm/alpha/ada" });
    expect(main.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(main.git("branch", "--list", "swarm/*")).toContain("swarm/alpha/ada");
  });
});
