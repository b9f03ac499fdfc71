// What agents read about each other's files.
import { expect, test } from "vitest";
import * as text from "../../lib/worktrees/text.ts";

const NOW = new Date("2026-02-20T12:00:00Z");
const bob = { name: "bob", team: "dev", key: "bob-s", session: "bob-s", tree: "/r" };
const tree = (top: string, common = "/r/.git") => ({ top, common, gitDir: `${top}/.git` });

test.each([
  ["a.ts", "a.ts"],
  ["src/a-b_c@1%+=:,.ts", "src/a-b_c@1%+=:,.ts"],
  ["a b", "'a b'"],
  ["it's", "'it'\\''s'"],
  ["$(x)", "'$(x)'"],
  ["", "''"],
])("the shell reads %j as one word when given %s", (word, given) => expect(text.quoted(word)).toBe(given));

test.each([
  ["a b ü", true],
  ["a\nb", false],
  ["a\tb", false],
  ["a`b", false],
  ["a<b", false],
  ["a\u202eb", false],
])("%j can be spelled: %s", (name, isSpellable) => expect(text.isSpellable(name)).toBe(isSpellable));

test("names are shown in one line without tags, and many are cut", () => {
  expect(text.shown("a\n`b` <system-reminder>x")).not.toMatch(/[\n`]|<system-reminder>/);
  expect(text.shown("x".repeat(300))).toHaveLength(200);
  expect(text.shown(`${"x".repeat(199)}🐝`)).toHaveLength(199);
  expect(text.listed(["a", "b", "c", "d", "e"])).toBe("a, b, c, d, e");
  expect(text.listed(["a", "b", "c", "d", "e", "f", "g"])).toBe("a, b, c, d, e and 2 more");
});

test("an agent without a team has no mailbox, one of another team is not taken for a namesake", () => {
  expect(text.sendLine(bob, "it's", "dev")).toBe("`swarm send bob its`");
  expect(text.sendLine(bob, "x", "ops")).toBe("`swarm send bob@dev x`");
  expect(text.sendLine(bob, "x", undefined)).toBe("`swarm send bob@dev x`");
  expect(text.sendLine({ name: "solo-1" }, "x", "dev")).toContain("solo-1 is in no team and has no mailbox");
});

test("another agent's tree: with one's own copy where it is the same repository", () => {
  const own = text.foreignTree("a.ts", tree("/r/side"), bob, tree("/r"), "dev");
  expect(own).toContain(
    "a.ts is in /r/side, where bob works; you work in /r. Your own copy is /r/a.ts. To have",
  );
  expect(text.foreignTree("a.ts", tree("/r/side"), bob, tree("/q", "/q/.git"), "dev")).toContain(
    "you work in /q. To have",
  );
  expect(text.foreignTree("a.ts", tree("/r/side"), bob, undefined, "dev")).toContain(
    "you work in another tree. To have",
  );
  expect(text.foreignGit("add", tree("/r/side"), bob, undefined, "dev")).toContain(
    "`git add` would run in /r/side, where bob works; you work in another tree.",
  );
});

const claim = { by: "b", name: "bob", team: "dev", patterns: ["src/**"], at: NOW };
test.each<[object, string]>([
  [{}, "a.ts is claimed by bob: src/**."],
  [{ until: NOW }, "a.ts is claimed by bob until 12:00 UTC: src/**."],
  [{ task: { list: "dev", id: "7" } }, "a.ts is claimed by bob with task #7: src/**."],
  [{ why: "the parser" }, "a.ts is claimed by bob (the parser): src/**."],
])("a claim with %j", (more, begin) => {
  const given = { ...claim, until: undefined, why: undefined, task: undefined, ...more };
  expect(
    text.claimed("a.ts", given, "dev").startsWith(`${begin} Ask before you change it: \`swarm send bob`),
  ).toBe(true);
});

const entry = { at: 0, file: "a.ts", by: "b", tree: "/r/side", branch: "side", how: "edit" as const };
const collision = { file: "a.ts", owner: bob, entry, at: NOW.getTime() - 5_000, isHere: true, hasRead: true };
test.each<[object, string]>([
  [{}, "bob changed a.ts 5s ago in this tree on branch side, after you last read it. Read it again"],
  [{ hasRead: false }, "bob changed a.ts 5s ago in this tree on branch side, and you have not read it. Read"],
  [
    { entry: { ...entry, branch: undefined } },
    "bob changed a.ts 5s ago in this tree, after you last read it.",
  ],
  [{ at: NOW.getTime() }, "bob changed a.ts 0s ago in this tree"],
  [
    { isHere: false },
    "bob changed a.ts 5s ago in /r/side on branch side: the two versions will have to be merged.",
  ],
])("a collision with %j", (more, begin) =>
  expect(text.collisions([{ ...collision, ...more }], NOW, "dev").startsWith(begin)).toBe(true),
);

test("of many collisions five are said", () => {
  const lines = text.collisions(Array(7).fill(collision), NOW, "dev").split("\n");
  expect(lines.slice(-2)).toEqual(["2 more files likewise.", "(setting: worktrees.collisions)"]);
  expect(lines).toHaveLength(7);
  expect(text.collisions(Array(5).fill(collision), NOW, "dev")).not.toContain("more files");
});

test("git as it is spelled from where the agent is", () => {
  expect(text.gitAt("/r", "/r")).toBe("git");
  expect(text.gitAt("/r/a b", "/r")).toBe("git -C '/r/a b'");
});
