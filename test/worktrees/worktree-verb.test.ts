// `swarm worktree` over records and git's answers: what it lists, what it refuses, what it says. No git runs.
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { SessionStart } from "../../lib/hook/events.ts";
import { startOf } from "../../lib/system/processes.ts";
import { ownTreeNote } from "../../lib/worktrees/own-tree.ts";
import { addTree, type NewTree } from "../../lib/worktrees/store/add-tree.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { removeTree, workIn } from "../../lib/worktrees/store/tree-work.ts";
import { readTrees, type TreeRecord, writeTree } from "../../lib/worktrees/store/trees.ts";
import { worktreeVerb } from "../../lib/worktrees/worktree-verb.ts";
import { aBareTree, aLinkedTree } from "../support/a-bare-tree.ts";
import { aCall } from "../support/a-call.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { type Answers, fails, HEAD, scriptGit } from "../support/a-scripted-git.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";
import { arrive } from "./a-pair.ts";

const CLEAN: Answers = {
  status: `# branch.oid ${HEAD}\0# branch.head swarm/x\0`,
  "show-ref": "",
  "rev-parse --git-dir": ".git\n",
  "ls-files": "",
  log: "",
  worktree: "",
  branch: "",
};

/** bob's worktree, an hour old. */
function aTree(home: Home, more: Partial<TreeRecord> = {}): TreeRecord {
  const main = treeOf(home.project) ?? aBareTree(home);
  const { top } = aLinkedTree(home, "bobs");
  const record: TreeRecord = {
    ...{ team: TEAM, agent: "bob", path: top, branch: "swarm/x", isOurBranch: true, from: main.top },
    ...{ commonDir: main.common, base: "0123456789", at: new Date(NOON.getTime() - 3_600_000).toISOString() },
    ...more,
  };
  writeTree(home.paths, record);
  return record;
}

interface Given {
  flags?: Record<string, string | boolean>;
  env?: Record<string, string>;
  answers?: Answers;
}
const said = (home: Home, words: string[], { flags, env = {}, answers }: Given = {}): string => {
  scriptGit({ ...CLEAN, ...answers });
  return (worktreeVerb(aCall(home, words, flags, { env }) as never) as { text: string }).text;
};

describe("list", () => {
  test("none here, none anywhere, and those of another repository", () => {
    const home = aHome();
    expect(said(home, ["list"])).toBe("There is no worktree of a teammate.");
    aBareTree(home);
    aTree(home, { commonDir: "/elsewhere/.git" });
    expect(said(home, ["list"])).toBe(
      "There is no worktree of a teammate of this repository; --all lists those of others.",
    );
    expect(said(home, ["list"], { flags: { all: true } })).toContain(`bob@${TEAM}  `);
    expect(said(home, ["list"], { flags: { all: true, team: "other" } })).toBe(
      "There is no worktree of a teammate.",
    );
  });

  test("its branch, its age, its place and what it holds", () => {
    const home = aHome();
    const { path } = aTree(home);
    expect(said(home, ["list"])).toBe(
      `bob@${TEAM}  no member any more  swarm/x, 60m old\n  ${path}\n  holds nothing that is not elsewhere`,
    );
  });

  test.each<[string, Answers, string]>([
    ["another branch", { status: `# branch.head other\0` }, "swarm/x (now on other), 60m old"],
    ["no branch", { status: `# branch.head (detached)\0` }, "swarm/x (now on no branch), 60m old"],
    ["changes", { status: "# branch.head swarm/x\0? a\0? b\0" }, "\n  2 changed files: a, b"],
    [
      "commits",
      { log: "abc one\ndef two\n" },
      "\n  2 commits on no other branch, tag or remote: abc one, def two",
    ],
    [
      "a git that does not know",
      { status: fails(128, "fatal: no") },
      "\n  git could not say what it holds: fatal: no",
    ],
    [
      "commits that git does not tell",
      { log: fails(128, "fatal: no") },
      "\n  git could not say what it holds: no",
    ],
  ])("%s", (_, answers, expected) => {
    const home = aHome();
    aTree(home);
    expect(said(home, ["list"], { answers })).toContain(expected);
  });

  test.each([
    ["rebase-merge", "a rebase"],
    ["MERGE_HEAD", "a merge"],
    ["BISECT_LOG", "a bisect"],
  ])("what has not ended: %s", (file, what) => {
    const home = aHome();
    aTree(home);
    home.write(`project/.git/worktrees/bobs/${file}`, "");
    const answers = { "rev-parse --git-dir": `${home.project}/.git/worktrees/bobs\n` };
    expect(said(home, ["list"], { answers })).toContain(`\n  ${what} that has not ended`);
  });

  test("a directory that is gone: its branch may still hold commits", () => {
    const home = aHome();
    const { path } = aTree(home);
    rmSync(path, { recursive: true });
    expect(said(home, ["list"], { answers: { log: "abc one\n", status: fails(1) } })).toContain(
      `  ${path} (gone)\n  1 commit on no other`,
    );
  });

  test.each<[string, object, string]>([
    ["its process runs", { pid: process.pid, pidStartedAt: startOf(process.pid) }, "running"],
    ["its process is gone", { pid: 2 ** 22 - 3, pidStartedAt: "1" }, "not running"],
    ["nothing is known", { pid: undefined }, "perhaps running"],
  ])("its teammate: %s", (_, record, expected) => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", sessionId: "bob-session" }]);
    aTree(home);
    home.write(".claude/swarm/sessions/bob-session/session.json", {
      ...{ session: "bob-session", team: TEAM, agent: "bob", state: "active", status: "working" },
      ...{ startedAt: NOON.toISOString(), lastSeen: NOON.toISOString(), ...record },
    });
    expect(said(home, ["list"])).toContain(`bob@${TEAM}  ${expected}  swarm/x`);
  });
});

test.each<[string, string, string]>([
  ["on its own branch", "swarm/x", "--exclude=swarm/x --branches"],
  ["on another", "other", "--exclude=swarm/x --exclude=other --branches"],
])("commits of the branch that is checked out are nowhere else: %s", (_, branch, expected) => {
  const record = aTree(aHome());
  const asked = scriptGit({ ...CLEAN, status: `# branch.head ${branch}\0` });
  workIn({}, record);
  expect(asked.find((words) => words.startsWith("log"))).toContain(` --not ${expected} `);
});

test.each<[string, Answers[string], string]>([
  ["where the branch left it", "0feed\n", "0feed"],
  ["where it began, if they have nothing in common", fails(1), "0123456789"],
])("a patch begins %s", (_, answer, since) => {
  const home = aHome();
  const record = aTree(home);
  const asked = scriptGit({ ...CLEAN, status: "? a\0", "merge-base": answer, diff: "" });
  home.write(`.claude/swarm/saved-patches/20260220T120000Z-${TEAM}-bob.patch`, ""); // git writes it
  removeTree({ paths: home.paths, env: {}, now: NOON }, record, { force: true });
  expect(asked.find((words) => words.startsWith("diff"))).toMatch(new RegExp(` ${since} abc$`));
});

describe("remove", () => {
  const RUNNING = { session: "bob-session", team: TEAM, agent: "bob", state: "active", status: "working" };
  test("not one's own, and not where its teammate runs", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", sessionId: "bob-session" }]);
    aTree(home);
    const remove = (agent: string) => () => said(home, ["remove", `bob@${TEAM}`], { env: as(agent) });
    expect(remove("bob")).toThrow("you work in this worktree: ask your lead to remove it");
    home.write(".claude/swarm/sessions/bob-session/session.json", {
      ...{
        ...RUNNING,
        pid: process.pid,
        pidStartedAt: startOf(process.pid),
        startedAt: NOON.toISOString(),
        lastSeen: NOON.toISOString(),
      },
    });
    expect(remove("team-lead")).toThrow(`bob is running in it: \`swarm kill bob --team ${TEAM}\` first`);
    expect(readTrees(home.paths)).toHaveLength(1);
  });

  test.each<[string, Partial<TreeRecord>, Answers, boolean, RegExp]>([
    ["clean", {}, {}, false, /^Removed \S+ and the branch swarm\/x\.$/],
    [
      "a branch of the person's",
      { isOurBranch: false },
      {},
      false,
      /^Removed \S+; the branch swarm\/x stays\.$/,
    ],
    [
      "with commits, by force",
      {},
      { log: "abc one\n", "merge-base": fails(1), diff: "" },
      true,
      /^Removed \S+; the branch swarm\/x stays\.\nIts work since 0123456 is saved in \S+\.patch$/,
    ],
  ])("%s", (_, record, answers, force, expected) => {
    const home = aHome();
    aTree(home, record);
    home.write(`.claude/swarm/saved-patches/20260220T120000Z-${TEAM}-bob.patch`, ""); // git writes it
    expect(said(home, ["remove", `bob@${TEAM}`], { answers, flags: { force } })).toMatch(expected);
    expect(readTrees(home.paths)).toEqual([]);
  });

  test.each<[string, Answers, boolean, string]>([
    [
      "work in it",
      { status: "? a\0" },
      false,
      "still holds work:\n  1 changed file: a\nMerge or push it first",
    ],
    ["what no patch holds", { status: "? inner/\0" }, true, "No patch can hold that: look at it yourself."],
    [
      "a git that does not know",
      { status: fails(1, "fatal: no") },
      true,
      "git could not say what it holds: fatal: no",
    ],
    [
      "a git that does not remove",
      { worktree: fails(1, "fatal: locked\n") },
      false,
      "git did not remove it: locked",
    ],
    [
      "no snapshot",
      { status: "? a\0", "update-index": fails(1, "fatal: full") },
      true,
      "no patch could be saved, so nothing was removed: fatal: full",
    ],
    [
      "no patch",
      { status: "? a\0", diff: fails(1), "merge-base": "0123\n" },
      true,
      "no patch could be saved, so nothing was removed: it did not say why",
    ],
  ])("refused: %s", (_, answers, force, why) => {
    const home = aHome();
    aTree(home);
    expect(() => said(home, ["remove", `bob@${TEAM}`], { answers, flags: { force } })).toThrow(why);
    expect(readTrees(home.paths)).toHaveLength(1);
  });

  test("a directory and a checkout that are gone: the record goes, git tidies up where it can", () => {
    const home = aHome();
    const record = aTree(home, { from: "/nowhere" });
    rmSync(record.path, { recursive: true });
    scriptGit({ ...CLEAN, worktree: fails(128, "fatal: no") });
    expect(workIn({}, record)).toMatchObject({ isThere: false, unmerged: [] });
    expect(removeTree({ paths: home.paths, env: {}, now: NOON }, record, { force: false })).toEqual({});
    expect(readTrees(home.paths)).toEqual([]);
  });
});

describe("a new worktree is refused", () => {
  const wanted = (home: Home, more: Partial<NewTree> = {}): NewTree => ({
    ...{ paths: home.paths, env: {}, now: NOON, cwd: home.project, team: TEAM, agent: "bob", include: [] },
    ...more,
  });
  const NEW: Answers = {
    "check-ref-format": "",
    "show-ref": fails(1),
    "rev-parse --verify": `${HEAD}\n`,
    log: "1\n",
  };
  test.each<[string, Partial<NewTree>, Partial<TreeRecord>, Answers, string]>([
    [
      "one of another repository",
      {},
      { commonDir: "/elsewhere/.git" },
      {},
      "bob has a worktree of another repository",
    ],
    ["one on another branch", { branch: "fix" }, {}, {}, "bob already has a worktree on swarm/x;"],
    [
      "a base for a branch that exists",
      { agent: "eve", base: "HEAD~1" },
      {},
      { ...NEW, "show-ref": "" },
      `the branch swarm/${TEAM}/eve exists already: leave --base out`,
    ],
    ["something else in its place", { agent: "eve", place: "taken" }, {}, NEW, "it is not a worktree of eve"],
    [
      "a git that does not make it",
      { agent: "eve" },
      {},
      { ...NEW, worktree: fails(1) },
      "git could not make the worktree: it did not say why",
    ],
  ])("%s", (_, more, record, answers, why) => {
    const home = aHome();
    const { path } = aTree(home, record);
    const { top, common } = treeOf(home.project) as Tree;
    const hash = createHash("sha256").update(common).digest("hex").slice(0, 8);
    if (more.place) home.write(`${more.place}/${basename(top)}-${hash}/${TEAM}/eve/x`, "");
    const asked = scriptGit(answers);
    expect(() => addTree(wanted(home, more))).toThrow(why);
    expect(asked.includes(`branch -D --quiet -- swarm/${TEAM}/eve`)).toBe("worktree" in answers);
    expect(readTrees(home.paths).map((one) => one.path)).toEqual([path]);
  });

  test("and its branch stays where somebody else has made it meanwhile", () => {
    const home = aHome();
    aTree(home);
    const others = { "rev-parse --verify --quiet --end-of-options refs/heads": `${"5".repeat(40)}\n` };
    const asked = scriptGit({ ...NEW, ...others, worktree: fails(128, "fatal: it already exists") });
    expect(() => addTree(wanted(home, { agent: "eve", branch: "fix" }))).toThrow("already exists");
    expect(asked.filter((said) => said.startsWith("branch"))).toEqual([]);
  });

  test("unless it is there already, on the branch that is named", () => {
    const home = aHome();
    const record = aTree(home);
    const asked = scriptGit();
    expect(addTree(wanted(home, { branch: "swarm/x" }))).toEqual({
      ...{ record, cwd: record.path, isNew: false },
      notes: [`worktree of before: ${record.path}, branch swarm/x`],
    });
    expect(asked).toEqual([]);
  });
});

test.each<[string, Partial<TreeRecord>, Record<string, string>, string | undefined]>([
  ["with its base by name", { baseName: "origin/main" }, as("bob"), "begun at 0123456 (origin/main). "],
  ["with its base alone", {}, as("bob"), "branch swarm/x, begun at 0123456. "],
  ["not in another's tree", {}, as("alice"), undefined],
  ["not in another tree than its own", { path: "/elsewhere" }, as("bob"), undefined],
  ["not without a name", {}, {}, undefined],
])("an agent in a worktree hears where it is: %s", (_, record, env, said) => {
  const home = aHome();
  aTeam(home);
  aTree(home, record);
  const note = ownTreeNote(aContext(home, SessionStart, {}, { env }), aLinkedTree(home, "bobs"));
  if (said === undefined) expect(note).toBeUndefined();
  else expect(note).toMatchObject({ context: { text: expect.stringContaining(said) } });
});

describe("forecast", () => {
  test("trees by their agents, conflicts with their age, and what was not looked at", () => {
    const home = aHome();
    aTeam(home, ["team-lead", "ada", "bob"]);
    arrive(home, "s-1", "ada", aBareTree(home).top);
    arrive(home, "s-2", "bob", aLinkedTree(home, "bob").top);
    const lines = (answers: Answers) =>
      said(home, ["forecast"], { answers: { status: USUAL, ...answers } }).split("\n");
    expect(lines({})).toEqual([
      "2 trees: bob (main), ada (main)",
      "bob and ada would conflict in a.txt (since 0s)",
      expect.stringMatching(/^It took [\d.]+ times as long as git status in these trees\.$/),
    ]);
    expect(lines({ status: "# branch.oid (initial)\0# branch.head (detached)\0" }).slice(0, 4)).toEqual([
      "2 trees: bob (no branch), ada (no branch)",
      "No two of them would conflict.",
      "left out: the tree of bob: it has no commit yet",
      "left out: the tree of ada: it has no commit yet",
    ]);
    expect(lines({ "check-attr": "a.txt\0filter\0lfs\0" })).toContain(
      "not looked at, because a filter or merge program makes them: a.txt",
    );
    expect(lines({ version: "git version 2.1\n" })).toEqual([
      "No forecast: git version 2.1 cannot merge without a working tree; 2.38 and later can.",
    ]);
  });
  const USUAL = `# branch.oid ${HEAD}\0# branch.head main\0? a.txt\0`;
});
