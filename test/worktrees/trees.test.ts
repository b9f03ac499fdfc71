// Worktrees of teammates, with real repositories: where they begin, what is copied, what their removal would lose.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addTree, type NewTree } from "../../lib/worktrees/store/add-tree.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { mayHoldSecret } from "../../lib/worktrees/store/included-files.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { removeTree, whatWouldBeLost, workIn } from "../../lib/worktrees/store/tree-work.ts";
import { readTree, readTrees } from "../../lib/worktrees/store/trees.ts";
import { aCheckout, type Checkout, checkoutAt } from "../support/a-checkout.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anAgent } from "../support/a-repository.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { aTreeIn, callIn, envOf, expectKept, type Work, wantedIn } from "./a-teammates-tree.ts";

describe("a new worktree", () => {
  test("has one known place, a branch of its own and a record; the checkout is unchanged", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, cwd, notes, tree } = aTreeIn(home);
    expect(cwd).toBe(record.path);
    expect(record.path).toMatch(/\/\.swarm\/worktrees\/project-[0-9a-f]{8}\/alpha\/ada$/);
    expect(tree.git("branch", "--show-current")).toBe("swarm/alpha/ada");
    expect(tree.git("rev-parse", "HEAD")).toBe(main.git("rev-parse", "HEAD"));
    expect(notes[1]).toMatch(/^branch swarm\/alpha\/ada from HEAD [0-9a-f]{7} \(\d+s old\)$/);
    expect(main.git("branch", "--show-current")).toBe("main");
    expect(main.git("status", "--porcelain")).toBe("");
    expect(readTree(home.paths, "alpha", "ada")).toEqual(record);
    expect(statSync(join(record.path, "..")).mode & 0o077).toBe(0);
  });

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

  test("answers to the folder the lead is in, also through a link to the checkout", () => {
    const home = aHome();
    aCheckout(home.project, { "packages/ünï code/x": "1" });
    symlinkSync(home.project, home.path("link"));
    const { cwd, record } = addTree(wantedIn(home, { cwd: home.path("link/packages/ünï code") }));
    expect(cwd).toBe(join(record.path, "packages/ünï code"));
    expect(record.from).toBe(home.project);
  });

  test.each<[string, Partial<NewTree>, RegExp]>([
    ["a branch that is no name", { branch: "a..b" }, /"a\.\.b" is no name for a branch/],
    ["a branch that looks like an option", { branch: "--force" }, /is no name for a branch/],
    ["a base that is not there", { base: "nowhere" }, /there is no commit "nowhere"/],
    ["a base that looks like an option", { base: "--all" }, /there is no commit "--all"/],
    [
      "a branch that is checked out",
      { branch: "main" },
      /git could not make the worktree: 'main' is already/,
    ],
  ])("is refused for %s, and nothing is left", (_, more, why) => {
    const home = aHome();
    const main = aCheckout(home.project);
    expect(() => addTree(wantedIn(home, more))).toThrow(why);
    expect(main.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(readTrees(home.paths)).toEqual([]);
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

  test("is listed however long the name of its agent", () => {
    const home = aHome();
    aCheckout(home.project);
    const agent = "a".repeat(100);
    aTreeIn(home, { agent });
    expect(readTrees(home.paths).map((one) => one.agent)).toEqual([agent]);
  });

  test("is listed also beside a directory in the place of another's record", () => {
    const home = aHome();
    aCheckout(home.project);
    const { record } = aTreeIn(home);
    mkdirSync(home.path(".claude/swarm/trees", record.team, "amy.json"));
    expect(readTrees(home.paths)).toEqual([record]);
  });

  test("needs a commit, a repository and a working tree", () => {
    const home = aHome();
    expect(() =>
      addTree(wantedIn(home, { env: { ...envOf(home), GIT_CEILING_DIRECTORIES: home.root } })),
    ).toThrow(/is not in a git repository with a working tree/);
    checkoutAt(home.project).git("init", "-q");
    expect(() => addTree(wantedIn(home))).toThrow(/has no commit yet/);
    checkoutAt(home.path("bare.git")).git("init", "-q", "--bare");
    expect(() => addTree(wantedIn(home, { cwd: home.path("bare.git") }))).toThrow(/with a working tree/);
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

describe("its base is fresh", () => {
  function cloned(home: Home): { remote: Checkout; main: Checkout } {
    const remote = aCheckout(home.path("remote"));
    remote.git("clone", "-q", home.path("remote"), home.project);
    return { remote, main: checkoutAt(home.project) };
  }

  test("the remote has more: it is fetched and taken", () => {
    const home = aHome();
    const { remote } = cloned(home);
    const newest = remote.commit("theirs", { "b.txt": "b" });
    const { record, notes } = aTreeIn(home);
    expect(record).toMatchObject({ base: newest, baseName: "origin/main" });
    expect(notes[1]).toMatch(/from origin\/main [0-9a-f]{7} \(\d+s old, origin\/main fetched now\)/);
    expect(existsSync(join(home.project, ".git/FETCH_HEAD"))).toBe(false);
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

  test("--base names any commit; a remote branch is fetched too", () => {
    const home = aHome();
    const { remote, main } = cloned(home);
    const first = main.git("rev-parse", "HEAD");
    remote.commit("theirs");
    expect(aTreeIn(home, { base: first.slice(0, 10) }).record.base).toBe(first);
    const bob = aTreeIn(home, { agent: "bob", base: "origin/main" }).record;
    expect(bob.base).toBe(remote.git("rev-parse", "HEAD"));
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

describe("extra files", () => {
  test("ignored files of .worktreeinclude are copied, tracked ones and links are not, secrets only for the person", () => {
    const home = aHome();
    const main = aCheckout(home.project, {
      "a.txt": "1",
      ".gitignore": "local/\n.env\nlink\n*.pem\n",
      ".worktreeinclude": "local/\n.env\nlink\na.txt\n*.pem\nuntracked\n",
    });
    for (const [name, text] of [
      ["local/x y.json", "{}"],
      [".env", "KEY=1"],
      ["k.pem", "k"],
      ["untracked", "u"],
      ["other", "o"],
    ] as const)
      main.write(name, text);
    chmodSync(join(home.project, "local/x y.json"), 0o755);
    symlinkSync("/etc/passwd", join(home.project, "link"));
    const { tree, notes } = aTreeIn(home);
    expect(tree.git("status", "--porcelain", "--ignored").split("\n")).toEqual(["!! local/"]);
    expect(statSync(join(tree.path, "local/x y.json")).mode & 0o777).toBe(0o755);
    expect(notes[2]).toBe("copied: local/x y.json");
    expect(notes[3]).toContain(".env: may hold a secret; teammates.worktree_include copies it");
    expect(notes[3]).toContain("link: no regular file");

    const bob = aTreeIn(home, { agent: "bob", include: [".env"] });
    expect(readFileSync(join(bob.record.path, ".env"), "utf8")).toBe("KEY=1");
    expect(existsSync(join(bob.record.path, "k.pem"))).toBe(false);
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

  test.each([
    [".env", true],
    [".env.local", true],
    ["config/prod.env", true],
    ["a/.aws/config", true],
    ["certs/server.pem", true],
    ["my-secrets/x.json", true],
    ["environment.ts", false],
    ["local/settings.json", false],
    ["keyboard.json", false],
  ])("%s may hold a secret: %s", (path, expected) => expect(mayHoldSecret(path)).toBe(expected));
});

describe("removal", () => {
  test("clean and merged: the worktree, its branch and its record go", () => {
    const home = aHome();
    const main = aCheckout(home.project);
    const { record, tree } = aTreeIn(home);
    tree.commit("work", { "b.txt": "b" });
    main.git("merge", "-q", "swarm/alpha/ada");
    expect(removeTree(callIn(home), record, { force: false })).toEqual({ patch: undefined });
    expect(existsSync(record.path)).toBe(false);
    expect(main.git("branch", "--list", "swarm/*")).toBe("");
    expect(readTrees(home.paths)).toEqual([]);
  });

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

  test("also after its team is gone, but not while another live session works in it", async () => {
    const home = aHome();
    aCheckout(home.project);
    const { record } = aTreeIn(home);
    const session = anAgent(home, "zoe");
    writePresence(home.paths, treeOf(record.path) as Tree, { session }, new Date());
    const remove = () => callSwarm(home, ["worktree", "remove", "ada", "--team", "alpha", "--force"]);
    expect((await remove()).stderr).toContain("zoe works in it");
    expect(existsSync(record.path)).toBe(true);
    writePresence(home.paths, treeOf(home.project) as Tree, { session }, new Date());
    expect((await remove()).exitCode).toBe(0);
    expect(existsSync(record.path)).toBe(false);
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
