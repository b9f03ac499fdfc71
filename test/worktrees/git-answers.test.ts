// What is made of git's answers, by a git that is a function: a snapshot, the files that a worktree gets, the bill of what it holds.
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GitAnswer } from "../../lib/system/git.ts";
import type { Git } from "../../lib/worktrees/store/base.ts";
import { copyIncluded } from "../../lib/worktrees/store/included-files.ts";
import { writeSnapshot } from "../../lib/worktrees/store/snapshot.ts";
import { appendTreeNote, hasTreeNotes, takeTreeNotes } from "../../lib/worktrees/store/tree-notes.ts";
import { type TreeWork, whatWouldBeLost } from "../../lib/worktrees/store/tree-work.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { virtualTime } from "../support/in-no-time.ts";

type Answer = string | Partial<GitAnswer>;
const no = (more: Partial<GitAnswer> = {}): Partial<GitAnswer> => ({ ok: false, stderr: "", ...more });

/** Without an answer it is an empty yes. */
function aGit(answers: Record<string, Answer>): { git: Git; asked: [words: string, input?: string][] } {
  const asked: [string, string?][] = [];
  const git: Git = (args, { input } = {}) => {
    const words = args.join(" ");
    asked.push(input === undefined ? [words] : [words, input]);
    const [, answer = ""] =
      Object.entries(answers)
        .filter(([start]) => words.startsWith(start))
        .sort(([a], [b]) => b.length - a.length)[0] ?? [];
    const given = typeof answer === "string" ? { stdout: answer } : answer;
    return { ok: true, stdout: "", stderr: "", ...given };
  };
  return { git, asked };
}

describe("a snapshot", () => {
  const HEAD = "1".repeat(40);
  const USUAL = {
    "rev-parse --show-toplevel": "/top\n",
    "rev-parse --git-path index": "nowhere/index\n",
    "rev-parse HEAD": `${HEAD}\n`,
    "write-tree": "abc\n",
  };
  const state = (...paths: string[]) => ({ head: HEAD, paths, opaque: [] });
  const taken = (
    answers: Record<string, Answer>,
    more: Partial<Parameters<typeof writeSnapshot>[1]> = { state: state("a", "b c") },
  ) => {
    const { git, asked } = aGit({ ...USUAL, ...answers });
    return { made: writeSnapshot(git, { index: "/x/index", ...more }), asked };
  };

  test("takes every changed path, by its name alone", () => {
    const { made, asked } = taken({});
    expect(made).toEqual({ tree: "abc", changed: ["a", "b c"], leftOut: [] });
    expect(asked).toContainEqual(["update-index --add --remove -z --stdin", "a\0b c\0"]);
    expect(asked.some(([words]) => words.includes("--index-info"))).toBe(false);
  });

  test("of a tree without changes updates nothing", () => {
    const { made, asked } = taken({}, { state: state() });
    expect(made).toMatchObject({ tree: "abc", changed: [] });
    expect(asked.some(([words]) => words.startsWith("update-index"))).toBe(false);
  });

  test("asks for the state where it is not known", () => {
    expect(taken({ status: "? new\0" }, {}).made).toMatchObject({ changed: ["new"] });
    expect(taken({ status: no({ why: "too slow" }) }, {}).made).toEqual({ why: "too slow" });
  });

  test("what is left out stays as it was committed, or is not there", () => {
    const { made, asked } = taken(
      { "ls-tree": `100644 blob ${"2".repeat(40)}\tb c\0` },
      { state: state("a", "b c", "new"), leaveOut: () => ["b c", "new"] },
    );
    expect(made).toMatchObject({ leftOut: ["b c", "new"] });
    expect(asked).toContainEqual(["update-index --add --remove -z --stdin", "a\0"]);
    expect(asked).toContainEqual([
      "update-index -z --index-info",
      `100644 blob ${"2".repeat(40)}\tb c\0${`0 ${"0".repeat(40)}\tnew\0`}`,
    ]);
  });

  test("is not made where git does not tell what was committed", () => {
    const { made } = taken(
      { "ls-tree": no({ why: "git said too much" }) },
      { state: state("a", "b"), leaveOut: () => ["b"] },
    );
    expect(made).toEqual({ why: "git said too much" });
  });

  test.each<[string, Answer, number]>([
    ["without a HEAD", no(), 40],
    ["in a repository with longer names", "3".repeat(64), 64],
  ])("%s a path that is not there has a name of zeros", (_, head, length) => {
    const { asked } = taken({ "rev-parse HEAD": head }, { state: state("new"), leaveOut: (paths) => paths });
    expect(asked).toContainEqual(["update-index -z --index-info", `0 ${"0".repeat(length)}\tnew\0`]);
  });

  test.each<[string, Record<string, Answer>, string]>([
    ["no top level", { "rev-parse --show-toplevel": no() }, "git did not say where its index is"],
    ["no index", { "rev-parse --git-path index": "" }, "git did not say where its index is"],
    ["an update in vain", { "update-index": no({ stderr: "fatal: no\nmore" }) }, "fatal: no"],
    ["an update too late", { "update-index": no({ stderr: "x", why: "too slow" }) }, "too slow"],
    ["an update without a word", { "update-index": no() }, "git update-index failed"],
    ["no tree", { "write-tree": no() }, "git write-tree failed"],
  ])("%s: says why", (_, answers, why) => expect(taken(answers).made).toEqual({ why }));
});

describe("files that git ignores and a worktree needs", () => {
  interface Trees {
    home: Home;
    from: string;
    to: string;
    copied: (answers: Record<string, Answer>, own?: string[]) => ReturnType<typeof copyIncluded>;
  }
  function trees(files: string[] = []): Trees {
    const home = aHome();
    const [from, to] = [home.path("from"), home.path("to")];
    for (const path of [from, to]) mkdirSync(path);
    home.write("from/.worktreeinclude", "*");
    for (const file of files) home.write(`from/${file}`, file);
    const copied = (answers: Record<string, Answer>, own: string[] = []) =>
      copyIncluded(aGit(answers).git, from, to, own, home.path("tmp"));
    return { home, from, to, copied };
  }
  const listed = (...files: string[]) => files.map((file) => `${file}\0`).join("");
  const byProject = (from: string) => `ls-files -z --others --ignored --exclude-from=${from}`;
  const IGNORED = "check-ignore -z --stdin";

  test("are copied with their mode, if git ignores them", () => {
    const { home, from, copied } = trees(["a/b.json", "not-ignored"]);
    const all = listed("a/b.json", "not-ignored");
    chmodSync(home.path("from/a/b.json"), 0o640);
    expect(copied({ [byProject(from)]: all, [IGNORED]: listed("a/b.json") })).toEqual({
      copied: ["a/b.json"],
      leftOut: [],
    });
    expect(home.read("to/a/b.json")).toBe("a/b.json");
    expect(statSync(home.path("to/a/b.json")).mode & 0o777).toBe(0o640);
    expect(home.has("to/not-ignored")).toBe(false);
  });

  test("are none where git does not list them", () => {
    const { from, copied } = trees(["a"]);
    expect(copied({ [byProject(from)]: no(), [IGNORED]: listed("a") }).copied).toEqual([]);
    expect(copied({ [byProject(from)]: listed("a"), [IGNORED]: no() }).copied).toEqual([]);
  });

  test("a secret comes along only by the person's own patterns", () => {
    const { home, from, copied } = trees([".env"]);
    const answers = { [byProject(from)]: listed(".env"), [IGNORED]: listed(".env") };
    expect(copied(answers).leftOut).toEqual([
      ".env: may hold a secret; teammates.worktree_include copies it",
    ]);
    const byPerson = { ...answers, [byProject(home.path("tmp"))]: listed(".env") };
    expect(copied(byPerson, [".env"]).copied).toEqual([".env"]);
  });

  test.each<[string, (trees: Trees) => void, string]>([
    [
      "a directory in its place",
      ({ from }) => mkdirSync(join(from, "x/f"), { recursive: true }),
      "no regular file",
    ],
    [
      "behind a link",
      ({ home, from }) => {
        home.write("elsewhere/f", "");
        symlinkSync(home.path("elsewhere"), join(from, "x"));
      },
      "behind a link",
    ],
    [
      "too large",
      ({ home }) => truncateSync(home.write("from/x/f", ""), 64 * 1024 * 1024 + 1),
      "larger than 64 MB",
    ],
    [
      "one is there",
      ({ home }) => {
        home.write("from/x/f", "new");
        home.write("to/x/f", "old");
      },
      "f is there already",
    ],
  ])("stay where they are: %s", (_, prepare, why) => {
    const all = trees();
    prepare(all);
    const answers = { [byProject(all.from)]: listed("x/f"), [IGNORED]: listed("x/f") };
    expect(all.copied(answers)).toEqual({ copied: [], leftOut: [`x/f: ${why}`] });
    if (all.home.has("to/x/f")) expect(all.home.read("to/x/f")).toBe("old");
  });
});

describe("what would be lost with a worktree", () => {
  const NOTHING: TreeWork = { isThere: true, changed: [], unmerged: [], opaque: [] };
  const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
  test.each<[Partial<TreeWork>, string[]]>([
    [{}, []],
    [{ why: "too slow" }, ["git could not say what it holds: too slow"]],
    [{ changed: ["a"] }, ["1 changed file: a"]],
    [{ changed: names(5) }, ["5 changed files: f0, f1, f2, f3, f4"]],
    [{ changed: names(7) }, ["7 changed files: f0, f1, f2, f3, f4, and 2 more"]],
    [{ changed: names(50) }, ["50 changed files: f0, f1, f2, f3, f4, and 45 more"]],
    [{ unmerged: ["abc x"] }, ["1 commit on no other branch, tag or remote: abc x"]],
    [
      { unmerged: names(50) },
      ["50 or more commits on no other branch, tag or remote: f0, f1, f2, f3, f4, and 45 more"],
    ],
    [{ unfinished: "a rebase" }, ["a rebase that has not ended"]],
    [{ opaque: ["inner/"] }, ["repositories inside it, or names that are not UTF-8: inner/"]],
  ])("%j", (work, lines) => expect(whatWouldBeLost({ ...NOTHING, ...work })).toEqual(lines));
});

test("notes about trees are not taken while one is being written", () => {
  const home = aHome();
  appendTreeNote(home.paths, "s-1", "one");
  onTestFinished(virtualTime());
  mkdirSync(home.path(".claude/swarm/tree-notes/s-1.jsonl.lock/mark"), { recursive: true });
  expect(() => takeTreeNotes(home.paths, "s-1")).toThrow();
  rmSync(home.path(".claude/swarm/tree-notes/s-1.jsonl.lock"), { recursive: true });
  expect(takeTreeNotes(home.paths, "s-1")).toEqual(["one"]);
});

test("notes about trees are taken once; a line that is none of ours is passed over", () => {
  const home = aHome();
  expect([hasTreeNotes(home.paths, "s-1"), takeTreeNotes(home.paths, "s-1")]).toEqual([false, []]);
  home.write(".claude/swarm/tree-notes/s-1.jsonl", '{"text":7}\n{"other":"x"}\nno line\n');
  appendTreeNote(home.paths, "s-1", "one");
  appendTreeNote(home.paths, "s-1", "two");
  expect(takeTreeNotes(home.paths, "s-1")).toEqual(["one", "two"]);
  expect(hasTreeNotes(home.paths, "s-1")).toBe(false);
});
