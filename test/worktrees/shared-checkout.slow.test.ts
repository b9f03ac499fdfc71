// Clashes in one checkout: every planted command, each way out, and longer histories: merges, rebases, partly staged files, three agents.
import { symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aRepository, gitIn } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { aScene, FILES, spelledIn } from "./a-scene.ts";

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

/** One scene for a whole table: nothing in it is run. */
const PLANTED = [
  "git add -A",
  "git add .",
  "git add -u",
  "git add --all && git commit -m x",
  "git add *.ts",
  "git add b.ts",
  "git add $(git diff --name-only)",
  "cd src && git add -A",
  "git stage -A",
  "git commit -a -m x",
  "git commit -am 'x y'",
  "git commit -m x b.ts",
  "git checkout topic",
  "git checkout -b fresh",
  "git switch topic",
  "git switch -c fresh",
  "gh pr checkout 3",
  "git checkout -- b.ts",
  "git checkout .",
  "git restore b.ts",
  "git restore .",
  "git reset --hard",
  "git reset --hard HEAD~0",
  "git reset",
  "git rebase topic",
  "git merge topic",
  "git pull",
  "git pull --rebase origin main",
  "git stash",
  "git stash push -u -m wip",
  "git stash -- b.ts",
  "git clean -fd",
  "git rm -f b.ts",
  "git mv b.ts z.ts",
  "if true; then git stash; fi",
  "bash -c 'git add -A'",
  "git -c core.quotepath=off add -A",
  "git add ':(icase)B.TS'",
  "git add --pathspec-from-file=list",
  "git diff --name-only | git commit -m x --pathspec-from-file=-",
  "git restore --pathspec-from-file list",
  "git commit -p -m x",
  "git checkout -p",
  "git update-index --add b.ts",
  "git update-ref HEAD topic",
  "cd ../link && git add .",
  "git -C ../link commit -m x b.ts",
  "git add ../link/b.ts",
  "git add --a",
  "git commit --al -m x b.ts",
  "git reset --ha",
  "git checkout -f main --",
  "git update-ref -m why HEAD topic",
];

test("sweeps and moves over bob's uncommitted files are refused with his name and the setting", () => {
  const { ada, home } = aScene();
  symlinkSync(home.project, home.path("link"));
  const missed = PLANTED.filter((command) => {
    const { deny = "" } = ada.ask(command);
    return !deny.includes("bob has ") || !deny.includes("worktrees.shared_checkout");
  });
  expect(missed).toEqual([]);
}, 60_000);

test("words of a command that are not known are shown as such", () => {
  const { deny = "" } = aScene().ada.ask("git add $(git diff --name-only)");
  expect(deny).toMatch(/^`git add …` would stage others' work: bob has /);
});

/** bob has staged b.ts; ada has changed a.ts and made fresh.ts. */
test.each([
  ["git add a.ts && git commit -m x", "Take only your own: `git commit -m x -- a.ts`."],
  ["git add fresh.ts && git commit -m x", "`git add -- fresh.ts && git commit -m x -- fresh.ts`."],
  ['git commit -am"x y"', "`git commit -m 'x y' -- a.ts`."],
  ["git commit -a -mfeat", "`git commit -m feat -- a.ts`."],
  ["git commit --amend -a -m 'x\ny'", "`git commit --amend -m 'your message' -- a.ts`."],
  ["git commit -a -F - <<'X'\nhello\nX", "`git commit -m 'your message' -- a.ts`."],
  ["git commit -a --author='A <a@b>' -m x", "`git commit -m x -- a.ts`."],
  ["git commit --amend -m x", "To change only the last commit's message, add `--only`."],
  ["git checkout $BRANCH", "project-ada`. Or"],
  ["git add a.ts; git reset", "Name only your own files, or: `swarm send bob "],
])("the way out of %s", (command, expected) => {
  const { ada, bob } = aScene();
  ada.edit("fresh.ts");
  bob.sh("git add b.ts");
  expect(ada.ask(command).deny).toContain(expected);
});

test("a write that was announced and did not happen makes no owner", () => {
  const { ada, home } = aScene();
  const tree = treeOf(home.project) as Tree;
  const now = new Date(Date.now() + 10_000);
  noteFiles(home.paths, [{ tree, file: "a.ts" }], { by: "bob-session", how: "edit", call: "x", now });
  expect(ada.ask("git commit -m x -- a.ts")).toEqual({});
  expect(ada.ask("git stash push -- a.ts")).toEqual({});
});

test("an edit that did not happen takes no one's earlier, real one away", () => {
  const { ada, home } = aScene();
  const tree = treeOf(home.project) as Tree;
  const now = new Date(Date.now() + 10_000);
  noteFiles(home.paths, [{ tree, file: "b.ts" }], { by: "bob-session", how: "edit", call: "x", now });
  for (const command of ["git add -A", "git stash -- b.ts", "git restore b.ts"])
    expect(ada.ask(command).deny).toContain("bob has b.ts");
});

test("looking into a tree where another agent works is fine", () => {
  const scene = aScene();
  const side = scene.home.path("side");
  scene.git(["worktree", "add", "-q", "-b", "side", side]);
  const cid = anActor(scene, "cid");
  cid.edit("a.ts", side);
  for (const command of ["worktree list", "stash list", "stash show -p", "submodule status", "bisect log"])
    expect(scene.ada.ask(`git -C ${side} ${command}`).deny).toBeUndefined();
  for (const command of ["stash", "stash pop", "submodule update", "bisect start"])
    expect(scene.ada.ask(`git -C ${side} ${command}`).deny).toContain("where cid works");
});

test("the command that is spelled out stages exactly one's own files", () => {
  const { ada, bob, git, home } = aScene();
  bob.edit("i.ts"); // fits the pattern [id].ts
  for (const file of ["with space ü.ts", "[id].ts", "it's.ts", "src/c.ts"]) ada.edit(file);
  ada.sh("rm 'with space ü.ts'");
  const fromRoot = spelledIn(ada.ask("git add -A"));
  const fromBelow = spelledIn(ada.ask("git add -A", `${home.project}/src`));
  const byOption = spelledIn(ada.ask("git -C src add -A"));
  const expected = ["[id].ts", "a.ts", "it's.ts", "src/c.ts", "with space ü.ts"];
  for (const [command, at] of [
    [fromRoot, home.project],
    [fromBelow, `${home.project}/src`],
    [byOption, home.project],
  ] as const) {
    ada.sh(command, at);
    expect([
      command,
      git(["diff", "--cached", "--name-only", "-z"]).split("\0").filter(Boolean).sort(),
    ]).toEqual([command, expected]);
    git(["reset", "-q"]);
  }
}, 30_000);

const SWEEPS_AND_LOSSES = [
  "git add -A",
  "git add .",
  "git add *.ts",
  "git commit -am x",
  "git commit -m x .",
  "git switch -c fresh",
  "git reset --hard",
  "git stash",
  "git stash -- a.ts",
  "git restore a.ts",
  "git rm -f a.ts",
];

test("a file that two agents have changed is both's until it is committed, and its last writer's to commit by name", () => {
  const { ada, bob, git, home } = aScene();
  bob.edit("a.ts");
  const denials = SWEEPS_AND_LOSSES.map((command) => bob.ask(command).deny ?? `passed: ${command}`);
  expect(denials.filter((deny) => !deny.includes("ada has a.ts, uncommitted"))).toEqual([]);
  expect(denials[3]).toContain(
    "Take what is yours alone: `git commit -m x -- b.ts`. You changed a.ts last: to take it with the other's lines, name it; or: `swarm send ada ",
  );
  expect(ada.ask("git add a.ts").deny).toContain("bob has a.ts");
  expect(ada.ask("git commit -am x").deny).toContain("You changed a.ts too, but not last");
  expect(bob.ask("git add -- ../a.ts", `${home.project}/src`).deny).toBeUndefined();
  expect(bob.ask("git commit -m x -- a.ts b.ts").deny).toBeUndefined();
  bob.sh("git add a.ts");
  expect(bob.ask("git commit -m x").deny).toContain("ada has a.ts");
  expect(bob.ask("git restore --staged a.ts").deny).toContain("ada has a.ts");
  bob.sh("git commit -qm both -- a.ts");
  expect(git(["show", "--name-only", "--format="]).trim()).toBe("a.ts");
  bob.edit("a.ts");
  expect(bob.ask("git stash")).toEqual({});
  expect(bob.ask("git add -A").deny).toBeUndefined();
}, 30_000);
