// Repositories in unusual states, and an agent alone: nothing is refused that should not be, and nothing breaks.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as guard from "../../lib/guard/hooks.ts";
import { PreToolUse } from "../../lib/hook/events.ts";
import * as worktrees from "../../lib/worktrees/hooks/shared.ts";
import { aContext } from "../support/a-context.ts";
import { anAgent, aRepository, gitIn, type Repository } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";

function two(repository: Repository) {
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  ada.edit("mine.ts");
  bob.edit("his.ts");
  return { ada, bob };
}

test("no commits yet: a sweep is refused, and the spelled-out command makes the first commit of one's own", () => {
  const repository = aRepository({});
  const { ada } = two(repository);
  expect(ada.ask("git add -A && git commit -m x").deny).toContain("`git add -- mine.ts`");
  ada.sh("git add -- mine.ts && git commit -qm first -- mine.ts");
  expect(repository.git(["show", "--name-only", "--format="]).trim()).toBe("mine.ts");
});

test("in the middle of a merge a commit takes all, so the owner is to be asked", () => {
  const repository = aRepository({ "a.ts": "a\n" });
  const { git, put } = repository;
  git(["checkout", "-q", "-b", "topic"]);
  put("a.ts", "topic\n");
  git(["commit", "-qam", "topic"]);
  git(["checkout", "-q", "main"]);
  put("a.ts", "main\n");
  git(["commit", "-qam", "main"]);
  spawnSync("git", ["merge", "topic"], { cwd: repository.home.project });
  const { ada, bob } = two(repository);
  bob.sh("git add his.ts");
  const { deny = "" } = ada.ask("git commit -m merged");
  expect(deny).toContain("bob has his.ts");
  expect(deny).toContain("A merge is under way here");
  expect(ada.ask("git merge --abort").deny).toContain("bob has his.ts");
});

test("in the middle of a rebase the branch is unknown, and sweeps are still refused", () => {
  const repository = aRepository({ "a.ts": "a\n" });
  const { git, put } = repository;
  git(["checkout", "-q", "-b", "topic"]);
  put("a.ts", "topic\n");
  git(["commit", "-qam", "topic"]);
  git(["checkout", "-q", "main"]);
  put("a.ts", "main\n");
  git(["commit", "-qam", "main"]);
  spawnSync("git", ["rebase", "topic"], { cwd: repository.home.project });
  const { ada } = two(repository);
  expect(ada.ask("git add -A").deny).toContain("bob has his.ts");
  expect(ada.ask("git rebase --continue").deny).toBeUndefined();
});

test("sparse and shallow repositories are judged like others", () => {
  const origin = aRepository({ "a.ts": "a\n", "far/b.ts": "b\n" });
  origin.put("a.ts", "second\n");
  origin.git(["commit", "-qam", "second"]);
  const repository = aRepository({});
  const { home } = repository;
  gitIn(home.project, ["fetch", "-q", "--depth=1", `file://${origin.home.project}`, "main"]);
  gitIn(home.project, ["sparse-checkout", "set", "near"]);
  gitIn(home.project, ["reset", "-q", "--hard", "FETCH_HEAD"]);
  const { ada } = two(repository);
  expect(ada.ask("git add -A").deny).toContain("bob has his.ts");
  expect(ada.ask("git sparse-checkout disable").deny).toContain("bob has his.ts");
});

test("a symlinked checkout is the same checkout", () => {
  const repository = aRepository();
  const { home } = repository;
  symlinkSync(home.project, home.path("link"));
  const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
  ada.edit("mine.ts");
  bob.edit("his.ts", home.path("link"));
  expect(ada.ask("git add -A", home.path("link")).deny).toContain("bob has his.ts");
  expect(ada.ask("echo x > his.ts").context).toBeDefined();
});

test("submodules and nested repositories are judged by their own state", () => {
  const repository = aRepository();
  const { home } = repository;
  gitIn(home.project, ["init", "-q", "nested"]);
  const { ada, bob } = two(repository);
  const nested = join(home.project, "nested");
  ada.sh("git add mine.ts && git commit -qm mine");
  bob.sh("git add his.ts && git commit -qm his");
  bob.edit("deep.ts", nested);
  expect(ada.ask("git add -A").deny).toBeUndefined();
  expect(ada.ask("git -C nested add -A").deny).toContain("bob has deep.ts");
  expect(ada.edit("other.ts", nested).deny).toBeUndefined();
});

test("renamed and deleted files have the one who renamed or deleted them", () => {
  const repository = aRepository({ "a.ts": "a\n", "b.ts": "b\n", "dir/c.ts": "c\n", "dir/d.ts": "d\n" });
  const { ada, bob } = two(repository);
  bob.sh("git mv a.ts renamed.ts && rm b.ts && rm -r dir");
  bob.sh("rm his.ts");
  const { deny = "" } = ada.ask("git add -A");
  for (const file of ["b.ts", "dir/c.ts", "dir/d.ts"]) expect(deny).toContain(file);
  expect(ada.ask("git commit -m x").deny).toContain("a.ts, renamed.ts");
});

test("what was committed since is no longer its writer's", () => {
  const repository = aRepository({ "a.ts": "a\n" });
  const { ada, bob } = two(repository);
  bob.edit("a.ts");
  bob.sh("git add a.ts his.ts && GIT_COMMITTER_DATE='2099-01-01T00:00:00Z' git commit -qm his");
  repository.put("a.ts", "by a formatter\n");
  expect(ada.ask("git add -A").deny).toBeUndefined();
});

test("a repository that git does not understand refuses nothing and says so", () => {
  const repository = aRepository();
  const { ada } = two(repository);
  repository.put(".git/index", "damaged");
  const { deny, context } = ada.ask("git add -A");
  expect(deny).toBeUndefined();
  expect(context).toContain("Not checked whether `git add`");
});

test("subagents act for their session, in-process teammates for themselves", () => {
  const repository = aRepository();
  const { home } = repository;
  const session = anAgent(home, "lead");
  const call = (tool_input: object, tool_name: string, more: object) => {
    const ctx = aContext(
      home,
      PreToolUse,
      { session_id: session, tool_name, tool_input, ...more },
      { now: new Date() },
    );
    guard.preToolUse(ctx);
    return worktrees.preToolUse(ctx)?.deny;
  };
  const mate = { agent_id: "aada-0123456789abcdef", agent_type: "ada" };
  home.write(`.claude/swarm/agents/${session}/${mate.agent_id}.json`, {
    ...home.json(`.claude/swarm/sessions/${session}/session.json`),
    agentId: mate.agent_id,
    agent: "ada",
  });
  const edit = (file: string, more: object) => {
    expect(call({ file_path: repository.put(file) }, "Edit", more)).toBeUndefined();
  };
  edit("mine.ts", {});
  edit("sub.ts", { agent_id: "a99", agent_type: "Explore" });
  expect(call({ command: "git add -A" }, "Bash", {})).toBeUndefined();
  edit("ada.ts", mate);
  expect(call({ command: "git add -A" }, "Bash", {})).toContain("ada has ada.ts");
  expect(call({ command: "git add -A" }, "Bash", mate)).toContain("lead has ");
});

/** Everyday calls of somebody who works alone, in many spellings. */
const EVERYDAY = [
  ...[
    "status",
    "status -sb",
    "log --oneline -5",
    "diff",
    "diff --cached",
    "show HEAD",
    "branch -a",
    "fetch --all",
  ],
  ...[
    "add -A",
    "add .",
    "add -u",
    "add a.ts",
    "add src/",
    "commit -m x",
    "commit -am x",
    "commit --amend --no-edit",
  ],
  ...[
    "checkout topic",
    "checkout -b new",
    "checkout -- a.ts",
    "switch main",
    "switch -c fresh",
    "restore a.ts",
  ],
  ...[
    "reset",
    "reset --soft HEAD~1",
    "reset --hard",
    "rebase main",
    "rebase --abort",
    "merge topic",
    "merge --abort",
  ],
  ...[
    "pull",
    "pull --rebase",
    "stash",
    "stash pop",
    "stash list",
    "clean -nd",
    "clean -fd",
    "rm a.ts",
    "mv a.ts b.ts",
  ],
  ...[
    "cherry-pick HEAD",
    "revert HEAD",
    "worktree add ../w topic",
    "worktree remove ../w",
    "tag v1",
    "push",
    "push -u origin x",
  ],
  ...["apply fix.patch", "bisect start", "sparse-checkout list", "submodule update --init"],
];
const AROUND = [
  (git: string) => `git ${git}`,
  (git: string) => `git -C . ${git}`,
  (git: string) => `cd src && git ${git}`,
  (git: string) => `git add -A && git ${git}`,
  (git: string) => `echo x > a.ts; git ${git}`,
  (git: string) => `npm test && git ${git}`,
  (git: string) => `bash -c 'git ${git}'`,
  (git: string) => `git ${git} | cat`,
  (git: string) => `if git ${git}; then echo done; fi`,
  (git: string) => `(git ${git})`,
  (git: string) => `git --no-pager ${git} 2>&1 | tail -5`,
];

test(`${EVERYDAY.length * AROUND.length} ordinary git commands of a lone agent: none is refused, none is answered, no git is started`, () => {
  const repository = aRepository({ "a.ts": "a\n", "src/b.ts": "b\n" });
  const ada = anActor(repository, "ada");
  const gone = anAgent(repository.home, "old", { endedAt: new Date().toISOString() });
  expect(gone).toBe("old-session");
  ada.edit("a.ts");
  const commands = EVERYDAY.flatMap((git) => AROUND.map((around) => around(git)));
  expect(commands.length).toBeGreaterThanOrEqual(500);
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere"; // a git that is started would be missed
  try {
    const answer = (command: string) => {
      const input = { session_id: ada.session, tool_name: "Bash", tool_input: { command } };
      const ctx = aContext(repository.home, PreToolUse, input, { now: new Date() });
      guard.preToolUse(ctx);
      return worktrees.preToolUse(ctx);
    };
    expect(commands.filter((command) => answer(command) !== undefined)).toEqual([]);
  } finally {
    process.env["PATH"] = path;
  }
  expect(existsSync(repository.home.path(".claude/swarm/errors.jsonl"))).toBe(false);
  expect(readFileSync(join(repository.home.project, "a.ts"), "utf8")).toMatch(/^ada/);
}, 60_000);
