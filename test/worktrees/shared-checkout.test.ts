// Clashes in one checkout and across worktrees, with real git: what is planted is caught, what is harmless is left alone.
import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { repositoryPath, type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { virtualTime } from "../support/in-no-time.ts";
import { aScene, spelledIn } from "./a-scene.ts";

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
