// Writes to files that another live agent has changed, in the same tree and in another worktree, by tool and by shell.
import { describe, expect, test } from "vitest";
import { addClaim, bindTask } from "../../lib/worktrees/store/claims.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import { locate, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aRepository } from "../support/a-repository.ts";
import { anActor } from "../support/agents-in-a-checkout.ts";
import { FILES, said } from "./collisions.ts";

describe("the same tree", () => {
  test("a change after one's last read is said once, with who, when, where and what to do", () => {
    const repository = aRepository(FILES);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
    bob.edit("src/b.ts"); // from here on two agents share the repository
    ada.read("a.ts");
    expect(said(ada.edit("a.ts"))).toBe("");
    expect(said(bob.edit("a.ts"))).toMatch(
      /^ada changed a\.ts \d+s ago in this tree on branch main, and you have not read it\. Read it again .*`swarm send ada 'I am about to change a\.ts'`/,
    );
    expect(said(ada.edit("a.ts"))).toContain("bob changed a.ts");
    expect(said(ada.edit("a.ts"))).toBe("");
    bob.read("a.ts");
    expect(said(bob.edit("a.ts"))).toBe("");
  });

  test("a lone agent hears nothing, and nothing of an agent that is gone", () => {
    const repository = aRepository(FILES);
    const ada = anActor(repository, "ada");
    expect([ada.edit("a.ts"), ada.edit("a.ts"), ada.sh("echo x >> a.ts")].map(said)).toEqual(["", "", ""]);
    const bob = anActor(repository, "bob");
    const record = `.claude/swarm/sessions/${ada.session}/session.json`;
    repository.home.write(record, { ...repository.home.json(record), endedAt: new Date().toISOString() });
    expect(said(bob.edit("a.ts"))).toBe("");
  });

  test("an edit that was announced but never made changed nothing", () => {
    const repository = aRepository(FILES);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
    ada.edit("src/b.ts");
    const file = locate(`${repository.home.project}/a.ts`);
    const later = new Date(Date.now() + 60_000); // after the file's last change
    noteFiles(repository.home.paths, file ? [file] : [], { by: ada.session, how: "edit", now: later });
    expect(said(bob.edit("a.ts"))).toBe("");
  });

  test("the setting makes it a question or a refusal; reading the file is the way out", () => {
    const repository = aRepository(FILES);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
    bob.edit("src/b.ts");
    ada.edit("a.ts");
    repository.home.write(".claude/swarm/settings.toml", '[worktrees]\ncollisions = "ask"\n');
    expect(bob.ask("echo x > a.ts").ask).toContain("ada changed a.ts");
    expect(bob.ask("echo x > a.ts").ask).toContain("ada changed a.ts"); // it was asked about, not done
    repository.home.write(".claude/swarm/settings.toml", '[worktrees]\ncollisions = "deny"\n');
    expect(bob.edit("a.ts").deny).toContain("ada changed a.ts");
    expect(bob.edit("a.ts").deny).toContain("ada changed a.ts");
    bob.read("a.ts");
    expect(said(bob.edit("a.ts"))).toBe("");
  });
});

describe("another worktree", () => {
  function twoTrees() {
    const repository = aRepository(FILES);
    const side = repository.home.path("side tree");
    repository.git(["worktree", "add", "-q", "-b", "side", side]);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob", {})];
    ada.edit("src/b.ts");
    bob.edit("with space ü.ts", side);
    return { ...repository, side, ada, bob };
  }

  test("the same file there is said, with its tree; each change once", () => {
    const { ada, bob, side } = twoTrees();
    expect(said(bob.edit("src/b.ts", side))).toMatch(
      /^ada changed src\/b\.ts \d+s ago in .*project on branch main: the two versions will have to be merged/,
    );
    expect(said(bob.edit("src/b.ts", side))).toBe("");
    expect(said(ada.sh("echo x >> src/b.ts"))).toContain("bob changed src/b.ts");
  });

  test("a refusal for it comes once, since nothing here can be read to settle it", () => {
    const { home, bob, side } = twoTrees();
    home.write(".claude/swarm/settings.toml", '[worktrees]\ncollisions = "deny"\n');
    expect(bob.edit("src/b.ts", side).deny).toContain("ada changed src/b.ts");
    expect(bob.edit("src/b.ts", side).deny).toBeUndefined();
  });

  test("writes and git commands that reach into the other's tree are refused; looking is not", () => {
    const { ada, bob, side, home } = twoTrees();
    expect(ada.edit("a.ts", home.project).deny).toBeUndefined();
    const fromAda = (command: string) => ada.ask(command).deny ?? "";
    const refused = [
      `echo x > '${side}/a.ts'`,
      `cd '${side}' && git commit -am x`,
      `git -C '${side}' add a.ts`,
      `git --work-tree='${side}' checkout main`,
      `git --git-dir='${side}/.git' --work-tree '${side}' commit -m x`,
      `GIT_WORK_TREE='${side}' git add a.ts`,
      `cd '${side}'; sed -i s/a/b/ a.ts`,
      `rm -rf '${side}/src'`,
      `git worktree remove --force '${side}'`,
    ];
    expect(refused.filter((command) => !fromAda(command).includes("where bob works"))).toEqual([]);
    const allowed = [
      `git -C '${side}' status`,
      `cd '${side}' && git log --oneline`,
      `cat '${side}/a.ts'`,
      `git -C '${side}' diff main`,
    ];
    expect(allowed.flatMap(fromAda).filter(Boolean)).toEqual([]);
    expect(ada.ask("git add src/b.ts", side).deny).toContain("where bob works"); // after a cd that lasted
    expect(bob.ask("echo x > a.ts", side).deny).toBeUndefined();
    expect(bob.ask(`echo x > ${home.project}/a.ts`, side).deny).toContain("where ada works");
  });

  test("a branch that moved under a stale index: its commit would undo the other's work", () => {
    const { git, ada, bob, side, home } = twoTrees();
    bob.edit("a.ts", side);
    bob.sh("git commit -qam side", side);
    git(["update-ref", "refs/heads/main", "side"]); // main moves, ada's index does not
    expect(ada.ask("git commit -m x", home.project).deny).toContain("bob has ");
  });
});

describe("claims", () => {
  test("others are asked where a person is and refused elsewhere, by tool and by shell; the owner is not", () => {
    const repository = aRepository(FILES);
    const ada = anActor(repository, "ada");
    const [bob, pane] = [
      anActor(repository, "bob"),
      anActor(repository, "cid", { CLAUDE_CODE_SESSION_ATTENDED: "0" }),
    ];
    for (const one of [ada, bob, pane]) one.edit(`${one.session}.txt`);
    const tree = treeOf(repository.home.project);
    if (!tree) throw new Error("no tree");
    const claim = (until: Date | undefined, now = new Date()) =>
      addClaim(repository.home.paths, tree, now, {
        by: ada.session,
        patterns: ["src/**"],
        until,
        why: "the parser",
      });
    expect(claim(new Date(Date.now() + 60_000))).toEqual([]);
    expect(bob.ask("echo x > src/b.ts").ask).toMatch(
      /^src\/b\.ts is claimed by ada until .* \(the parser\).*`swarm send ada 'may I change src\/b\.ts\?'`/,
    );
    expect(pane.edit("src/b.ts").deny).toContain("claimed by ada");
    expect(said(ada.edit("src/b.ts"))).toBe("");
    expect(said(bob.edit("a.ts"))).toBe("");
    expect(
      addClaim(repository.home.paths, tree, new Date(), {
        by: bob.session,
        patterns: ["src/b.ts"],
        until: undefined,
        why: undefined,
      }).map(({ name }) => name),
    ).toEqual(["ada"]);
    claim(new Date(Date.now() - 1)); // its time is over
    expect(bob.ask("echo x > src/b.ts").ask).toBeUndefined();
    claim(undefined);
    expect(bob.ask("echo x > src/b.ts").ask).toContain("claimed by ada");
    const record = `.claude/swarm/sessions/${ada.session}/session.json`;
    repository.home.write(record, { ...repository.home.json(record), endedAt: new Date().toISOString() });
    expect(bob.ask("echo x > src/b.ts").ask).toBeUndefined();
  });

  test("the files of a task are claimed while its owner works on it", () => {
    const repository = aRepository(FILES);
    const [ada, bob] = [anActor(repository, "ada"), anActor(repository, "bob")];
    for (const one of [ada, bob]) one.edit(`${one.session}.txt`);
    const tree = treeOf(repository.home.project);
    if (!tree) throw new Error("no tree");
    const task = (more: object) =>
      repository.home.write(".claude/tasks/dev/7.json", {
        id: "7",
        subject: "parser",
        blocks: [],
        blockedBy: [],
        ...more,
      });
    task({ status: "pending" });
    bindTask(repository.home.paths, tree, new Date(), { list: "dev", id: "7" }, ["src/**"]);
    expect(said(bob.edit("src/b.ts"))).toBe("");
    task({ status: "in_progress", owner: "ada" });
    expect(bob.ask("echo x > src/b.ts").ask).toContain("claimed by ada with task #7");
    expect(ada.ask("echo x > src/b.ts").ask).toBeUndefined();
    task({ status: "completed", owner: "ada" });
    expect(bob.ask("echo x > src/b.ts").ask).toBeUndefined();
  });
});
