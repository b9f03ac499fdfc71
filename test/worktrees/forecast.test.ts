// The merge forecast over real repositories: what would conflict, who is notified, and that the repository stays as it was.
import { createHash } from "node:crypto";
import { chmodSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { stop } from "../../lib/worktrees/hooks/forecast.ts";
import {
  claimForecast,
  isForecastDue,
  readForecast,
  writeForecast,
} from "../../lib/worktrees/store/forecast.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aLinkedTree } from "../support/a-bare-tree.ts";
import { aCheckout } from "../support/a-checkout.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { aPair, arrive, conflictsOf, type Pair } from "./a-pair.ts";

test("uncommitted changes of two trees are merged, and the repository does not change by one byte", () => {
  const { home, ada, bob, forecast } = aPair();
  ada.write("a.txt", "one\nADA\nthree\n");
  bob.write("a.txt", "one\nBOB\nthree\n");
  ada.write("new file.txt", "ada");
  bob.write("new file.txt", "bob");
  bob.write("b.txt", "only bob\n");
  const before = [contentOf(ada.path), contentOf(bob.path)];
  const made = forecast();
  expect(conflictsOf(made)).toEqual([["a.txt", "new file.txt"]]);
  expect(made.forecast.trees).toMatchObject([
    { branch: "bob", agents: ["bob"], changed: 3, ahead: 0, behind: 0, against: "main" },
    { branch: "main", agents: ["ada"], changed: 2 },
  ]);
  expect(made.forecast.ratio).toBeGreaterThan(0);
  expect([contentOf(ada.path), contentOf(bob.path)]).toEqual(before);
  expect(readdirSync(home.path("tmp"))).toEqual([]);
});

test("a tree that git cannot read does not have the others merged again each time", () => {
  const { home, forecast } = aPair();
  arrive(home, "s-3", undefined, aLinkedTree(home, "zoo").top);
  home.write("project/.git/worktrees/zoo/HEAD", "damaged\n");
  expect(forecast().forecast.trees).toMatchObject([
    { agents: ["bob"], fingerprint: expect.any(String) },
    { agents: ["ada"], fingerprint: expect.any(String) },
    { agents: ["solo-s-3"], why: expect.any(String) },
  ]);
});

/** All in one pair of trees, each with a file of its own. */
const EDITS: Record<string, [edit: (pair: Pair, file: string) => void, isConflict: boolean]> = {
  "changed by one": [({ ada }, file) => ada.write(file, "x\n"), false],
  "changed alike": [
    ({ ada, bob }, file) => {
      ada.write(file, "x\n");
      bob.write(file, "x\n");
    },
    false,
  ],
  "deleted against changed": [
    ({ ada, bob }, file) => {
      rmSync(join(ada.path, file));
      bob.write(file, "y\n");
    },
    true,
  ],
  "renamed against changed, which git merges": [
    ({ ada, bob }, file) => {
      ada.git("mv", file, `${file}.new`);
      bob.write(file, `${readFileSync(join(bob.path, file), "utf8")}four\n`);
    },
    false,
  ],
  "staged against unstaged": [
    ({ ada, bob }, file) => {
      ada.write(file, "x\n");
      ada.git("add", file);
      bob.write(file, "y\n");
    },
    true,
  ],
  "odd ü ñ/'x y'.txt": [
    ({ ada, bob }, file) => {
      ada.write(file, "1\n");
      bob.write(file, "2\n");
    },
    true,
  ],
  ignored: [
    ({ ada, bob }) => {
      for (const tree of [ada, bob]) tree.write(".gitignore", "not-counted\n");
      ada.write("not-counted", "1");
      bob.write("not-counted", "2");
    },
    false,
  ],
  "a nested repository is left alone": [
    ({ ada, bob }) => {
      aCheckout(join(ada.path, "inner"));
      bob.write("inner", "a file");
    },
    false,
  ],
};

test(`uncommitted: ${Object.keys(EDITS).join("; ")}`, () => {
  const files = Object.keys(EDITS);
  const pair = aPair(Object.fromEntries(files.map((file) => [file, `${file}\none\ntwo\nthree\n`])));
  for (const [file, [edit]] of Object.entries(EDITS)) edit(pair, file);
  expect(conflictsOf(pair.forecast()).flat().sort()).toEqual(files.filter((file) => EDITS[file]?.[1]).sort());
});

test.each<[string, (pair: Pair) => void, string[][]]>([
  [
    "commits only",
    ({ ada, bob }) => {
      ada.commit("a", { "a.txt": "x\n" });
      bob.commit("b", { "a.txt": "y\n" });
    },
    [["a.txt"]],
  ],
  [
    "a commit against an edit",
    ({ ada, bob }) => {
      ada.commit("a", { "a.txt": "x\n" });
      bob.write("a.txt", "y\n");
    },
    [["a.txt"]],
  ],
])("%s", (_, work, expected) => {
  const pair = aPair();
  work(pair);
  expect(conflictsOf(pair.forecast())).toEqual(expected);
});

test("a repository without a commit, and a git that is too old, say why", () => {
  const { home, ada, bob, forecast } = aPair();
  bob.git("checkout", "-q", "--orphan", "empty");
  ada.write("a.txt", "x");
  expect(forecast().forecast.trees[0]?.why).toBe("it has no commit yet");
  chmodSync(
    home.write(
      "bin/git",
      '#!/bin/sh\ncase "$*" in *" version") echo git version 2.30.2;; *) exec /usr/bin/env -u x PATH=$REAL git "$@";; esac\n',
    ),
    0o755,
  );
  bob.git("checkout", "-q", "bob", "--force");
  const REAL = process.env["PATH"] ?? "";
  const env = { PATH: `${home.path("bin")}:${REAL}`, REAL, HOME: home.root };
  const { forecast: old } = renewForecast({ paths: home.paths, env, now: NOON }, treeOf(ada.path) as Tree);
  expect(old.why).toBe("git version 2.30.2 cannot merge without a working tree; 2.38 and later can");
});

test("after a turn a helper is started only with two trees, and at most every two minutes", () => {
  const { home, repository } = aPair();
  const ends = (now: Date) => stop(aContext(home, events.Stop, { session_id: "s-1" }, { now }));
  const now = new Date();
  expect(ends(now)).toHaveProperty("after");
  expect(claimForecast(home.paths, repository, now)).toBe(true);
  expect(claimForecast(home.paths, repository, now)).toBe(false);
  expect(isForecastDue(home.paths, repository, now)).toBe(false);
  writeForecast(home.paths, repository, { at: now.toISOString(), trees: [], conflicts: [], leftOut: ["x"] });
  expect(claimForecast(home.paths, repository, new Date(now.getTime() + 130_000))).toBe(true);
  // Its age is that of its content, also while the next one is made.
  expect(readForecast(home.paths, repository)).toMatchObject({ at: now.toISOString(), leftOut: ["x"] });
  expect(ends(now)).toBeUndefined();
  expect(ends(new Date(now.getTime() + 130_000))).toHaveProperty("after");
  const setBack = new Date(now.getTime() - 3_600_000);
  expect(ends(setBack)).toHaveProperty("after");
  expect(claimForecast(home.paths, repository, setBack)).toBe(true);
  const alone = aHome();
  aCheckout(alone.project);
  arrive(alone, "s-1", undefined, alone.project);
  arrive(alone, "s-2", undefined, alone.project);
  expect(stop(aContext(alone, events.Stop, {}))).toBeUndefined();
});

/** Every file below, git's own included, with its time. */
function contentOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .sort()
    .filter((name) => statSync(join(path, name)).isFile())
    .map((name) => {
      const content = createHash("sha1")
        .update(readFileSync(join(path, name)))
        .digest("hex");
      return `${name} ${content} ${statSync(join(path, name)).mtimeMs}`;
    });
}
