// Worktrees of teammates, with real repositories: where they begin, what is copied, what their removal would lose.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { addTree, type NewTree } from "../../lib/worktrees/store/add-tree.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { mayHoldSecret } from "../../lib/worktrees/store/included-files.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { removeTree } from "../../lib/worktrees/store/tree-work.ts";
import { readTree, readTrees } from "../../lib/worktrees/store/trees.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aHome } from "../support/a-home.ts";
import { anAgent } from "../support/a-repository.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { aTreeIn, callIn, cloned, envOf, expectKept, wantedIn } from "./a-teammates-tree.ts";

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
});

describe("its base is fresh", () => {
  test("the remote has more: it is fetched and taken", () => {
    const home = aHome();
    const { remote } = cloned(home);
    const newest = remote.commit("theirs", { "b.txt": "b" });
    const { record, notes } = aTreeIn(home);
    expect(record).toMatchObject({ base: newest, baseName: "origin/main" });
    expect(notes[1]).toMatch(/from origin\/main [0-9a-f]{7} \(\d+s old, origin\/main fetched now\)/);
    expect(existsSync(join(home.project, ".git/FETCH_HEAD"))).toBe(false);
  });
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

  test("a changed file and a commit: refused with what would be lost, and a patch with --force", () =>
    expectKept((tree) => {
      tree.commit("only here", { b: "b" });
      tree.write("a.txt", "two\n");
    }, /1 changed file: a\.txt/));

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
});
