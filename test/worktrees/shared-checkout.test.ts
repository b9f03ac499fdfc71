// Clashes in one checkout and across worktrees, with real git: what is planted is caught, what is harmless is left alone.
import { mkdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { repositoryPath, type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { virtualTime } from "../support/in-no-time.ts";
import { aScene } from "./a-scene.ts";

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

const HARMLESS = [
  "git status",
  "git add a.ts",
  "git add a.ts && git commit -m x",
  "git add -A -- a.ts",
  "git add -A -- ':!b.ts' ':!new by bob.ts'",
  "git commit -m x -- a.ts",
  "git commit -m x a.ts",
  "git checkout main",
  "git checkout HEAD",
  "git checkout src/c.ts",
  "git commit --amend --only -m x",
  "git switch main",
  "git diff && git log --oneline -3",
  "git restore a.ts",
  "git checkout -- a.ts",
  "git stash list",
  "git clean -n",
  "git branch other",
  "git fetch",
  "git push origin main",
  "git tag v1",
  "git stash push -- a.ts",
  "git rm --cached a.ts",
  "git worktree add ../x topic",
  "git restore --staged .",
  "cd src && git clean -fd",
  "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
];

test("what takes only one's own work, or only looks, is left alone", () => {
  const { ada } = aScene();
  ada.sh("rm src/c.ts");
  expect(HARMLESS.flatMap((command) => ada.ask(command).deny ?? [])).toEqual([]);
}, 60_000);

/** The command between backticks behind "Take only your own:". */
const spelledIn = ({ deny = "" }: { deny?: string }): string =>
  /Take only your own: `([^`]+)`/.exec(deny)?.[1] ?? `no command in: ${deny}`;

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

test("the command that is spelled out commits exactly one's own files, whatever others have staged", () => {
  const { ada, bob, git } = aScene();
  bob.sh("git add b.ts 'new by bob.ts'");
  ada.edit("fresh.ts");
  ada.sh("git add a.ts fresh.ts");
  const command = spelledIn(ada.ask("git commit -m 'it is \"mine\"'"));
  ada.sh(command);
  expect(
    git(["show", "--name-only", "--format=%s", "-z"]).replace(/\0/g, "\n").split("\n").filter(Boolean),
  ).toEqual(['it is "mine"', "a.ts", "fresh.ts"]);
  expect(git(["diff", "--cached", "--name-only"]).trim().split("\n")).toEqual(["b.ts", "new by bob.ts"]);
  ada.edit("a.ts");
  ada.sh(spelledIn(ada.ask("git commit -qam second")));
  expect(git(["show", "--name-only", "--format="]).trim()).toBe("a.ts");
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

test("a worktree is not removed by the end of its path while another agent works in it", () => {
  const scene = aScene();
  const side = scene.home.path("trees/side");
  scene.git(["worktree", "add", "-q", "-b", "side", side]);
  const cid = anActor(scene, "cid");
  cid.edit("a.ts", side);
  for (const name of ["side", "trees/side", "side/", side, "../trees/side"])
    expect(scene.ada.ask(`git worktree remove --force ${name}`).deny).toContain("where cid works");
  expect(scene.ada.ask("git worktree remove ide").deny).toBeUndefined();
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

test.each([
  ["before", true],
  ["after", false],
])("a write %s a commit of the file in the same second: committed %s", (order, isCommitted) => {
  const scene = aScene();
  const { ada, bob, git, home } = scene;
  const second = Math.floor(Date.now() / 1000 - 60) * 1000;
  ada.sh(`GIT_COMMITTER_DATE='${second / 1000} +0000' git commit -qm x -- a.ts`);
  const hash = git(["rev-parse", "HEAD"]).trim();
  utimesSync(
    home.path(`project/.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`),
    new Date(),
    new Date(second + 500),
  );
  const tree = treeOf(home.project) as Tree;
  const now = new Date(second + (order === "before" ? 400 : 600));
  noteFiles(home.paths, [{ tree, file: "a.ts" }], { by: "cid-session", how: "edit", call: "x", now });
  anActor(scene, "cid");
  writePresence(home.paths, tree, { session: "cid-session" }, now);
  ada.edit("a.ts");
  expect(bob.ask("git stash -- a.ts").deny).toContain(
    isCommitted ? "ada has a.ts, uncommitted" : "ada has a.ts; cid has a.ts",
  );
});

test("a command that is refused for another reason gives the index back", () => {
  onTestFinished(virtualTime());
  const { ada, bob, home } = aScene();
  home.write(".claude/swarm/settings.toml", '[worktrees]\ncollisions = "deny"\n');
  expect(ada.ask("git add a.ts; echo x >> b.ts")).toMatchObject({ rule: "worktrees:collision" });
  expect(bob.ask("git add b.ts")).toEqual({});
});

test.each([
  ["git add .github", true],
  ["git add src/c.ts", false],
])("%s takes whatever it finds: %s", (command, isWide) => {
  const { ada, home, put } = aScene();
  put(".github/a.yml", "a\n");
  const tree = treeOf(home.project) as Tree;
  expect(ada.ask(command).deny).toBeUndefined();
  const turns = JSON.parse(readFileSync(repositoryPath(home.paths, tree, "index-turns.json"), "utf8"));
  expect(turns[tree.top].isWide).toBe(isWide);
});

test("what is to be asked about is refused where nobody can answer", () => {
  const scene = aScene();
  scene.home.write(".claude/swarm/settings.toml", '[worktrees]\nshared_checkout = "ask"\n');
  expect(scene.ada.ask("git add -A").ask).toContain("bob has b.ts");
  const cid = anActor(scene, "cid", { CLAUDE_CODE_SESSION_ATTENDED: "0" });
  expect(cid.ask("git add -A")).toMatchObject({ deny: expect.stringContaining("bob has b.ts") });
});

test("where several want the index at this very moment, the command is refused and asked for again", () => {
  onTestFinished(virtualTime());
  const { ada, home } = aScene();
  const turns = repositoryPath(home.paths, treeOf(home.project) as Tree, "index-turns.json");
  mkdirSync(`${turns}.lock/mark`, { recursive: true });
  expect(ada.ask("git add a.ts")).toMatchObject({
    rule: "worktrees:busy-index",
    deny: expect.stringContaining("another agent is running a git command"),
  });
});
