// The merge forecast step by step, with a git that says what a test wants: what it makes of each answer, and of none.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { readJournal } from "../../lib/core/journal.ts";
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { noteFiles } from "../../lib/worktrees/store/ledger.ts";
import type { Tree } from "../../lib/worktrees/store/repository.ts";
import { aBareTree, aLinkedTree } from "../support/a-bare-tree.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { type Answers, fails, HEAD, scriptGit } from "../support/a-scripted-git.ts";
import { aTeam, inboxOf } from "../support/a-team.ts";
import { arrive, conflictsOf } from "./a-pair.ts";

/** ada and bob in two trees that git itself never sees. */
function twoTrees(): {
  home: Home;
  ada: Tree;
  bob: Tree;
  forecast: (answers?: Answers) => ReturnType<typeof renewForecast>;
} {
  const home = aHome();
  aTeam(home, ["team-lead", "ada", "bob"]);
  const [ada, bob] = [aBareTree(home), aLinkedTree(home, "bob")];
  arrive(home, "s-1", "ada", ada.top);
  arrive(home, "s-2", "bob", bob.top);
  const forecast = (answers: Answers = {}) => {
    scriptGit(answers);
    return renewForecast({ paths: home.paths, env: {}, now: NOON }, ada);
  };
  return { home, ada, bob, forecast };
}

test("what git says of each tree is kept, and what would conflict", () => {
  const { forecast, ada, bob } = twoTrees();
  const made = forecast();
  expect(conflictsOf(made)).toEqual([["a.txt"]]);
  expect(made.forecast.conflicts[0]?.trees).toEqual([bob.top, ada.top]);
  expect(made.forecast.trees).toMatchObject([
    { agents: ["bob"], changed: 1 },
    { agents: ["ada"], changed: 1 },
  ]);
  expect(made.forecast).toMatchObject({ leftOut: [], ratio: expect.any(Number) });
});

const unable = (git: string) => `${git} cannot merge without a working tree; 2.38 and later can`;
test.each<[string, Answers[string], string | undefined]>([
  ["2.38", "git version 2.38.0\n", undefined],
  ["3.0", "git version 3.0.1\n", undefined],
  ["2.37", "git version 2.37.9\n", unable("git version 2.37.9")],
  ["1.99", "git version 1.99.0\n", unable("git version 1.99.0")],
  ["a version that is none", "git of my own\n", unable("git of my own")],
  ["no answer", fails(1), unable("this git")],
])("git that can merge without a working tree: %s", (_, version, why) => {
  const made = twoTrees().forecast({ version });
  expect(made.forecast.why).toBe(why);
  expect(conflictsOf(made)).toEqual(why ? [] : [["a.txt"]]);
});

test.each<[string, Answers, { whys?: (string | undefined)[]; leftOut?: string[]; conflicts?: string[][] }]>([
  ["no state", { status: fails(128, "fatal: no\n") }, { whys: ["fatal: no", "fatal: no"] }],
  [
    "no commit",
    { status: "# branch.oid (initial)\0? a.txt\0" },
    { whys: ["it has no commit yet", "it has no commit yet"] },
  ],
  ["no index", { "update-index": fails(1, "fatal: full") }, { whys: ["fatal: full", "fatal: full"] }],
  [
    "no commit object",
    { "hash-object": fails(1) },
    { whys: ["its state could not be written", "its state could not be written"] },
  ],
  ["a clean merge", { "merge-tree": "abc\n" }, {}],
  ["no merge, as of unrelated histories", { "merge-tree": fails(128) }, {}],
  ["a file that a program makes", { "check-attr": "a.txt\0filter\0lfs\0" }, { leftOut: ["a.txt"] }],
  ["attributes that git does not tell", { "check-attr": fails(1) }, { leftOut: ["a.txt"] }],
  ["an attribute of git's own", { "check-attr": "a.txt\0merge\0union\0" }, { conflicts: [["a.txt"]] }],
  [
    "nothing uncommitted",
    { status: `# branch.oid ${HEAD}\0`, "hash-object": fails(1) },
    { conflicts: [["a.txt"]] },
  ],
])("%s", (_, answers, { whys = [undefined, undefined], leftOut = [], conflicts = [] }) => {
  const made = twoTrees().forecast(answers);
  expect(made.forecast.trees.map(({ why }) => why)).toEqual(whys);
  expect(made.forecast.leftOut).toEqual(leftOut);
  expect(conflictsOf(made)).toEqual(conflicts);
});

test("a pair that has not changed is not merged again; one that git did not answer for is", () => {
  const answered = twoTrees();
  answered.forecast({ "merge-tree": fails(128) });
  expect(conflictsOf(answered.forecast())).toEqual([]);
  const killed = twoTrees();
  expect(conflictsOf(killed.forecast({ "merge-tree": fails(null) }))).toEqual([]);
  expect(conflictsOf(killed.forecast())).toEqual([["a.txt"]]);
  expect(conflictsOf(killed.forecast({ "merge-tree": "abc\n" }))).toEqual([["a.txt"]]);
});

test.each<[string, Answers]>([
  ["no merge in time", { status: `# branch.oid ${HEAD}\0? a.txt\0? b.txt\0`, "merge-tree": fails(null) }],
  ["no state in time", { status: fails(null) }],
  ["no index", { status: `# branch.oid ${HEAD}\0? a.txt\0? b.txt\0`, "update-index": fails(1) }],
])("%s: a conflict that was found before stands, and is not reported again", (_, answers) => {
  const { forecast } = twoTrees();
  expect(forecast().notified).toEqual(["ada", "bob"]);
  const between = forecast(answers);
  expect([conflictsOf(between), between.notified]).toEqual([[["a.txt"]], []]);
  expect(forecast().notified).toEqual([]);
  expect(conflictsOf(forecast({ status: `# branch.oid ${HEAD}\0`, "merge-tree": "abc\n" }))).toEqual([]);
});

test("what was left out stays so with a pair that has not changed", () => {
  const { forecast } = twoTrees();
  const withProgram = { "check-attr": "a.txt\0filter\0lfs\0" };
  expect(forecast(withProgram).forecast.leftOut).toEqual(["a.txt"]);
  expect(forecast({ "merge-tree": "abc\n" }).forecast.leftOut).toEqual(["a.txt"]);
});

test("a conflict is reported with when the other side last wrote, five files by name", () => {
  const { home, ada, bob, forecast } = twoTrees();
  const ago = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000);
  const wrote = (tree: Tree, file: string, by: string, how: "edit" | "read", minutes: number) =>
    noteFiles(home.paths, [{ tree, file }], { by, how, now: ago(minutes) });
  wrote(bob, "f1", "s-2", "edit", 9);
  wrote(bob, "f1", "s-2", "edit", 5);
  wrote(bob, "f1", "s-2", "read", 1);
  wrote(ada, "f1", "s-1", "edit", 3);
  const files = ["f1", "f2", "f3", "f4", "f5", "f6", "f7"];
  const made = forecast({ "merge-tree": { status: 1, stdout: `abc\0${files.join("\0")}\0` } });
  expect(made.notified).toEqual(["ada", "bob"]);
  const said = (agent: string): string => home.json(inboxOf(agent))[0].text;
  expect(said("ada")).toContain(
    "conflict in f1 (changed there 5m ago), f2, f3, f4, f5 and 2 more. Nothing was merged.",
  );
  expect(said("bob")).toContain("conflict in f1 (changed there 3m ago), f2,");
  expect(readJournal(home.paths, "2026-02-20")).toMatchObject([
    {
      ...{ what: "conflict-forecast", feature: "forecast", agent: "main", files },
      ...{ session: expect.stringMatching(/^s-[12]$/), agents: expect.arrayContaining(["ada", "bob"]) },
    },
  ]);
});

test("agents of one tree are named together; a tree that is gone is not merged", () => {
  const { home, bob, forecast } = twoTrees();
  arrive(home, "s-3", undefined, bob.top);
  arrive(home, "s-4", undefined, aLinkedTree(home, "eve").top);
  rmSync(home.path("eve"), { recursive: true });
  const made = forecast();
  expect(made.forecast.trees.map(({ agents }) => agents.sort())).toEqual([["bob", "solo-s-3"], ["ada"]]);
  expect(home.json(inboxOf("ada"))[0].text).toMatch(/that of (bob and solo-s-3|solo-s-3 and bob) /);
  expect(home.json(inboxOf("bob"))[0].text).toContain("swarm send ada '");
});
