// Clashes in one checkout that need longer histories: merges, rebases, partly staged files, three agents.
import { describe, expect, test } from "vitest";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aRepository, gitIn } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { aScene, FILES } from "./a-scene.ts";

test("three agents' file: each of the others is named once", () => {
  const scene = aScene();
  const cid = anActor(scene, "cid");
  for (const one of [scene.bob, scene.ada, scene.bob, cid]) one.edit("src/c.ts");
  const { deny = "" } = cid.ask("git restore src/c.ts");
  expect(deny).toContain("ada has src/c.ts; bob has src/c.ts, uncommitted");
});

test("the way out of git reset is to unstage one's own files", () => {
  const { ada, bob, git, home } = aScene();
  bob.sh("git add b.ts");
  ada.sh("git add a.ts");
  const { deny = "" } = ada.ask("git reset HEAD", `${home.project}/src`);
  const [, command = ""] = /Unstage only your own: `([^`]+)`/.exec(deny) ?? [];
  ada.sh(command, `${home.project}/src`);
  expect(git(["diff", "--cached", "--name-only"]).trim()).toBe("b.ts");
});

test("where a file is staged in part, the command that is spelled out says that it takes it whole", () => {
  const { ada, bob } = aScene();
  bob.sh("git add b.ts");
  ada.sh("git add a.ts");
  expect(ada.ask("git commit -m x").deny).not.toContain("whole");
  ada.edit("a.ts");
  expect(ada.ask("git commit -m x").deny).toContain("-- a.ts`. It takes these files whole");
});

test("of a file's live writers the last can commit it, although one that ended wrote it since", () => {
  const scene = aScene();
  const cid = anActor(scene, "cid");
  for (const one of [scene.bob, scene.ada, cid]) one.edit("src/c.ts");
  const record = ".claude/swarm/sessions/cid-session/session.json";
  scene.home.write(record, { ...scene.home.json(record), endedAt: new Date().toISOString(), state: "ended" });
  expect(scene.ada.ask("git commit -m x -- src/c.ts")).toEqual({});
  expect(scene.bob.ask("git commit -m x -- src/c.ts").deny).toContain("ada has src/c.ts");
});

test("what was committed has no owner any more, however many files it is", () => {
  const { ada, bob, git, home, put } = aScene();
  const tree = treeOf(home.project) as Tree;
  const many = Array.from({ length: 501 }, (_, n) => `many/f${n}.ts`);
  for (const file of many) put(file, "bob's\n");
  const now = new Date(Date.now() - 5_000);
  const files = many.map((file) => ({ tree, file }));
  noteFiles(home.paths, files, { by: bob.session, how: "shell", call: "x", now });
  git(["add", "many"]);
  git(["commit", "-qm", "many"]);
  for (const file of many) put(file, "ada's\n");
  expect(ada.ask("git add many").deny).toBeUndefined();
});

test("the end of a rebase that resets hard would lose others' files, staged or not", () => {
  const { ada, bob, git, put, home } = aScene();
  git(["stash", "-qu"]); // a rebase begins in a clean tree
  git(["checkout", "-q", "topic"]);
  put("a.ts", "topic\n");
  git(["commit", "-qam", "topic"]);
  git(["checkout", "-q", "main"]);
  put("a.ts", "main\n");
  git(["commit", "-qam", "main"]);
  expect(() => gitIn(home.project, ["rebase", "topic"])).toThrow(/could not apply/);
  bob.edit("b.ts");
  for (const command of ["git rebase --abort", "git rebase --skip"])
    expect(ada.ask(command).deny).toContain("bob has b.ts");
  expect(ada.ask("git rebase --quit").deny).toBeUndefined();
});

test("what git ignores is lost by git clean -x and -X", () => {
  const { ada, bob, put } = aScene();
  put(".gitignore", "build/\n");
  bob.edit("build/notes.txt");
  expect(ada.ask("git clean -f -- build").deny).toBeUndefined();
  for (const command of ["git clean -fdx -- build", "git clean -fdX"])
    expect(ada.ask(command).deny).toContain("bob has build/notes.txt");
});

describe("a teammate's branch, merged by the lead", () => {
  const LONG_AGO = "GIT_COMMITTER_DATE=2026-01-02T00:00:00Z";
  const merging = (how: string) => {
    const repository = aRepository(FILES);
    const side = repository.home.path("side");
    repository.git(["worktree", "add", "-q", "-b", "side", side]);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
    ada.edit("a.ts");
    ada.sh(`${LONG_AGO} git commit -qam mine`);
    bob.edit("b.ts", side);
    if (how.includes("conflict")) bob.edit("a.ts", side);
    bob.sh(`${LONG_AGO} git commit -qam his`, side);
    ada.sh(how);
    return { ada, cid: anActor(repository, "cid") };
  };

  test.each([
    "git merge -q --no-commit --no-ff side",
    "git merge -q --squash side",
    "git cherry-pick -n side",
    "git checkout -q side -- b.ts",
  ])("%s, and then the commit", (how) => expect(merging(how).ada.ask("git commit -m x")).toEqual({}));

  test("with a conflict: its resolution is committed, and is then no one's uncommitted work", () => {
    const { ada, cid } = merging("git merge -q side || true # conflict");
    expect(ada.ask("git merge --abort")).toEqual({});
    ada.edit("a.ts");
    ada.sh("git add a.ts");
    ada.sh("git commit -qm merged");
    cid.edit("a.ts");
    expect(cid.ask("git add -A")).toEqual({});
  });
});
