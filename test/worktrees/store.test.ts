import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentOf, liveAgentsIn, presenceIn, writePresence } from "../../lib/worktrees/store/agents.ts";
import { entriesOf, noteFiles, writesSince } from "../../lib/worktrees/store/ledger.ts";
import { branchOf, locate, repositoryPath, treeOf } from "../../lib/worktrees/store/repository.ts";
import { readTrees, type TreeRecord, writeTree } from "../../lib/worktrees/store/trees.ts";
import { aHome } from "../support/a-home.ts";
import { anAgent, aRepository, gitIn } from "../support/a-repository.ts";

const NOW = new Date();
const real = (path: string) => realpathSync.native(path);

describe("the tree around a directory", () => {
  test("a linked worktree, a symlinked checkout and a folder below share one repository", () => {
    const { home, git, put } = aRepository();
    put("src/deep/b.ts");
    git(["worktree", "add", "-q", "-b", "side", home.path("side tree ü")]);
    symlinkSync(home.project, home.path("link"));
    const main = treeOf(home.project);
    const side = treeOf(home.path("side tree ü"));
    expect(main).toEqual({
      top: real(home.project),
      gitDir: join(real(home.project), ".git"),
      common: join(real(home.project), ".git"),
    });
    expect(side?.common).toBe(main?.common);
    expect(side?.top).toBe(real(home.path("side tree ü")));
    expect(side && branchOf(side)).toBe("side");
    expect(treeOf(home.path("link"))).toEqual(main);
    expect(treeOf(join(home.project, "src", "deep"))).toEqual(main);
    expect(treeOf(join(home.project, "not", "there"))).toEqual(main);
  });

  test("no repository, a bare one, one without commits, a detached HEAD", () => {
    const { home, git } = aRepository({});
    expect(treeOf(home.root)).toBeUndefined();
    gitIn(home.root, ["init", "-q", "--bare", "bare.git"]);
    expect(treeOf(home.path("bare.git"))).toBeUndefined();
    const tree = treeOf(home.project);
    expect(tree && branchOf(tree)).toBe("main");
    git(["commit", "-q", "--allow-empty", "-m", "x"]);
    git(["checkout", "-q", "--detach"]);
    expect(tree && branchOf(tree)).toBeUndefined();
    writeFileSync(join(home.project, ".git/HEAD"), "ref: refs/heads/.invalid\n"); // with reftables
    expect(tree && branchOf(tree)).toBeUndefined();
  });

  test("worktrees of a bare repository share it", () => {
    const { home, git } = aRepository();
    git(["clone", "-q", "--bare", home.project, home.path("bare.git")]);
    for (const name of ["one", "two"])
      gitIn(home.path("bare.git"), ["worktree", "add", "-q", "-b", name, home.path(name)]);
    expect(treeOf(home.path("one"))?.common).toBe(real(home.path("bare.git")));
    expect(treeOf(home.path("two"))?.common).toBe(real(home.path("bare.git")));
  });

  test("nested repositories and submodules are repositories of their own", () => {
    const { home, git } = aRepository();
    gitIn(home.project, ["init", "-q", "vendor/nested"]);
    const other = aRepository();
    git(["-c", "protocol.file.allow=always", "submodule", "add", "-q", other.home.project, "sub"]);
    const tops = ["vendor/nested", "sub"].map((path) => treeOf(join(home.project, path)));
    expect(tops.map((tree) => tree?.top)).toEqual(
      ["vendor/nested", "sub"].map((path) => join(real(home.project), path)),
    );
    expect(new Set([...tops, treeOf(home.project)].map((tree) => tree?.common)).size).toBe(3);
  });

  test("a directory that pretends to be a worktree of another repository is not taken for one", () => {
    const { home, git } = aRepository();
    git(["worktree", "add", "-q", "-b", "side", home.path("side")]);
    mkdirSync(home.path("liar"));
    writeFileSync(home.path("liar/.git"), `gitdir: ${home.project}/.git/worktrees/side\n`);
    expect(treeOf(home.path("liar"))?.common).not.toBe(treeOf(home.project)?.common);
  });
});

test("a file has one name in every tree and by every path; git's own files have none", () => {
  const { home, git, put } = aRepository();
  git(["worktree", "add", "-q", "-b", "side", home.path("side")]);
  put("src/with space ü.ts");
  symlinkSync(join(home.project, "src"), home.path("side", "linked"));
  const file = "src/with space ü.ts";
  expect(locate(join(home.project, file))?.file).toBe(file);
  expect(locate(home.path("side", file))?.file).toBe(file);
  expect(locate(home.path("side", "linked", "with space ü.ts"))).toEqual(locate(join(home.project, file)));
  expect(locate(join(home.project, "src/with space u\u0308.ts"))?.file).toBe(file);
  expect(locate(join(home.project, ".git/config"))).toBeUndefined();
  expect(locate(home.path("outside.txt"))).toBeUndefined();
});

describe("agents in a repository", () => {
  test("live ones are listed with name and tree; a proven end removes the file; an agent is in one tree", () => {
    const { home, git } = aRepository();
    git(["worktree", "add", "-q", "-b", "side", home.path("side")]);
    const [main, side] = [treeOf(home.project), treeOf(home.path("side"))];
    if (!main || !side) throw new Error("no tree");
    for (const name of ["ada", "bob"]) writePresence(home.paths, main, { session: anAgent(home, name) }, NOW);
    const moved = writePresence(home.paths, side, { session: "bob-session" }, NOW);
    expect(moved.sort()).toEqual(presenceIn(home.paths, main).sort());
    const gone = anAgent(home, "cid", { endedAt: NOW.toISOString() });
    writePresence(home.paths, main, { session: gone }, NOW);
    expect(presenceIn(home.paths, main).length).toBe(3);
    const live = liveAgentsIn(home.paths, main, NOW);
    expect(live.map(({ name, tree }) => [name, tree]).sort()).toEqual([
      ["ada", main.top],
      ["bob", side.top],
    ]);
    expect(presenceIn(home.paths, main).length).toBe(2);
  });

  test("a session is the same agent after /clear; one of a process that is gone is not listed", () => {
    const { home } = aRepository();
    const main = treeOf(home.project);
    if (!main) throw new Error("no tree");
    writePresence(home.paths, main, { session: anAgent(home, "old", { next: "new-session" }) }, NOW);
    writePresence(home.paths, main, { session: anAgent(home, "new") }, NOW);
    writePresence(home.paths, main, { session: anAgent(home, "dead", { pidStartedAt: "1" }) }, NOW);
    expect(liveAgentsIn(home.paths, main, NOW).map(({ session }) => session)).toEqual(["new-session"]);
  });

  test.each([
    [{ session_id: "s" }, { session: "s" }],
    [{ session_id: "s", agent_id: "a123", agent_type: "Explore" }, { session: "s" }],
    [{ session_id: "s", agent_id: "aada-0123456789abcdef", agent_type: "Explore" }, { session: "s" }],
    [
      { session_id: "s", agent_id: "aada-0123456789abcdef", agent_type: "ada" },
      { session: "s", agentId: "aada-0123456789abcdef" },
    ],
  ])("payload %j is agent %j", (payload, agent) => expect(agentOf(payload)).toEqual(agent));
});

describe("the ledger", () => {
  const noted = (by: string, at: number, how: "edit" | "read" = "edit") => ({ by, how, now: new Date(at) });

  test("a file's entries come from every tree of its repository and from no other", () => {
    const { home, git } = aRepository();
    git(["worktree", "add", "-q", "-b", "side", home.path("side")]);
    const other = aRepository();
    const at = (path: string) => [locate(path)].flatMap((one) => one ?? []);
    noteFiles(home.paths, at(join(home.project, "a.ts")), noted("ada", 1));
    noteFiles(home.paths, at(home.path("side", "a.ts")), noted("bob", 2));
    noteFiles(home.paths, at(home.path("side", "a.ts")), noted("bob", 3, "read"));
    noteFiles(home.paths, at(join(other.home.project, "a.ts")), noted("cid", 4));
    const main = treeOf(home.project);
    if (!main) throw new Error("no tree");
    expect(entriesOf(home.paths, main, "a.ts").map(({ by, branch, how }) => [by, branch, how])).toEqual([
      ["ada", "main", "edit"],
      ["bob", "side", "edit"],
      ["bob", "side", "read"],
    ]);
    expect(writesSince(home.paths, main, new Date(2)).map(({ by }) => by)).toEqual(["bob"]);
    expect(writesSince(home.paths, main, new Date(0), main.top).map(({ by }) => by)).toEqual(["ada"]);
  });

  test("names that differ in case are two files where the system says so; torn lines are passed over", () => {
    const { home, put } = aRepository();
    const [one] = [locate(put("Name.ts"))];
    if (!one) throw new Error("no file");
    noteFiles(home.paths, [one], noted("ada", 1));
    noteFiles(home.paths, [{ ...one, file: "name.ts" }], noted("bob", 2));
    const found = entriesOf(home.paths, one.tree, "name.ts").map(({ by }) => by);
    expect(found).toEqual(process.platform === "linux" ? ["bob"] : ["ada", "bob"]);
    const ledger = repositoryPath(home.paths, one.tree, "ledger").slice(home.root.length + 1);
    renameSync(home.path(ledger), home.path(`${ledger}-away`));
    expect(entriesOf(home.paths, one.tree, "name.ts")).toEqual([]);
  });
});

test.each([
  ["/srv/shop/.git", "shop-"],
  ["/srv/my shop.git", "my-shop-git-"],
  ["/srv/shop/.git/", "shop-"],
])("the directory of %s begins with the repository's name", (common, start) => {
  const { paths } = aHome();
  const name = basename(repositoryPath(paths, { common }));
  expect(name).toMatch(new RegExp(`^${start}[0-9a-f]{16}$`));
});

test("the records of worktrees: of one team or of all, without files of others beside them", () => {
  const home = aHome();
  const record = (team: string, agent: string): TreeRecord => ({
    ...{ team, agent, path: home.path(agent), branch: `swarm/${agent}`, from: home.project },
    ...{ commonDir: home.path("project/.git"), base: "abc", at: NOW.toISOString() },
  });
  const [ada, bob] = [record("alpha", "ada"), record("beta", "bob")];
  for (const one of [ada, bob]) writeTree(home.paths, one);
  for (const name of [".DS_Store", "notes.txt", "..json"])
    home.write(`.claude/swarm/trees/alpha/${name}`, "not ours");
  mkdirSync(home.path(".claude/swarm/trees/.hidden"), { recursive: true });
  expect(readTrees(home.paths, "alpha")).toEqual([ada]);
  expect(readTrees(home.paths).map(({ agent }) => agent)).toEqual(["ada", "bob"]);
  expect(readTrees(home.paths, "../alpha")).toEqual([]);
});
