// The merge forecast over real repositories: what would conflict, who is notified, and that the repository stays as it was.
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { stop, userPromptSubmit } from "../../lib/worktrees/hooks/forecast.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { claimForecast, isForecastDue } from "../../lib/worktrees/store/forecast.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { aCheckout, type Checkout, checkoutAt } from "../support/a-checkout.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const BASE = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n" };
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

interface Pair {
  home: Home;
  ada: Checkout;
  bob: Checkout;
  repository: Tree;
  forecast: (now?: Date) => ReturnType<typeof renewForecast>;
}

/** ada in the main checkout, bob in a worktree of it; both alive. */
function aPair(files: Record<string, string> = BASE, { team = true, home = aHome() } = {}): Pair {
  const ada = aCheckout(home.project, files);
  ada.git("worktree", "add", "-q", "-b", "bob", home.path("bob's tree ü"));
  const bob = checkoutAt(home.path("bob's tree ü"));
  if (team) aTeam(home, ["team-lead", "ada", "bob"]);
  for (const [session, agent, tree] of [
    ["s-1", "ada", ada],
    ["s-2", "bob", bob],
  ] as const) {
    arrive(home, session, team ? agent : undefined, tree.path);
  }
  const repository = treeOf(ada.path) as Tree;
  const env = { PATH: process.env["PATH"], HOME: home.root };
  return {
    home,
    ada,
    bob,
    repository,
    forecast: (now = NOON) => renewForecast({ paths: home.paths, env, now }, repository),
  };
}

function arrive(home: Home, session: string, agent: string | undefined, path: string) {
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, agent, team: agent && TEAM, state: "active", status: "working", pid: process.pid },
    ...{ startedAt: NOON.toISOString(), lastSeen: NOON.toISOString() },
  });
  writePresence(home.paths, treeOf(path) as Tree, { session }, NOON);
}

const conflictsOf = ({ forecast }: ReturnType<typeof renewForecast>) =>
  forecast.conflicts.map(({ files }) => files.map(({ file }) => file));

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

test("both owners hear of a new conflict once, and again when it comes back", () => {
  const { home, ada, bob, forecast } = aPair();
  const inbox = (agent: string) => (home.has(inboxOf(agent)) ? home.json(inboxOf(agent)) : []);
  expect(forecast().notified).toEqual([]);
  ada.write("a.txt", "ADA\n");
  bob.write("a.txt", "BOB\n");
  expect(forecast(later(2)).notified).toEqual(["ada", "bob"]);
  expect(inbox("ada")[0].text).toContain("your tree and that of bob");
  expect(inbox("ada")[0].text).toContain("would now conflict in a.txt");
  expect(inbox("ada")[0].text).toContain('swarm send bob "…"');
  expect(inbox("bob")[0].text).toContain(`that of ada (${ada.path})`);
  expect(forecast(later(4))).toMatchObject({
    notified: [],
    forecast: { conflicts: [{ files: [{ since: later(2).toISOString() }] }] },
  });
  const again = forecast(later(5)).forecast;
  expect(again.conflicts).toHaveLength(1); // from the last one: nothing has changed
  ada.write("a.txt", "ADA again\n");
  expect(forecast(later(6)).notified).toEqual([]);
  bob.write("b.txt", "B\n");
  ada.write("b.txt", "A\n");
  expect(forecast(later(8)).notified).toEqual(["ada", "bob"]);
  expect(inbox("bob")[1].text).toContain("conflict in b.txt");
  ada.git("checkout", "-q", ".");
  expect(conflictsOf(forecast(later(10)))).toEqual([]);
  ada.write("a.txt", "ADA\n");
  expect(forecast(later(12)).notified).toEqual(["ada", "bob"]);
});

test("without a mailbox the note waits for the next prompt, and comes once", () => {
  const { home, ada, bob, forecast } = aPair(BASE, { team: false });
  ada.write("a.txt", "ADA\n");
  bob.write("a.txt", "BOB\n");
  expect(forecast().notified).toEqual(["solo-s-1", "solo-s-2"]);
  const said = () => userPromptSubmit(aContext(home, events.UserPromptSubmit, { session_id: "s-2" }));
  expect(said()).toMatchObject({ context: { text: expect.stringContaining("would now conflict in a.txt") } });
  expect(said()).toBeUndefined();
});

test.each<[string, (pair: Pair) => void, string[][]]>([
  [
    "different files",
    ({ ada, bob }) => {
      ada.write("a.txt", "x\n");
      bob.write("b.txt", "y\n");
    },
    [],
  ],
  [
    "the same change",
    ({ ada, bob }) => {
      ada.write("a.txt", "x\n");
      bob.write("a.txt", "x\n");
    },
    [],
  ],
  [
    "changes far apart",
    ({ ada, bob }) => {
      ada.write("c.txt", "");
      bob.write("d.txt", "");
    },
    [],
  ],
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
  [
    "deleted against changed",
    ({ ada, bob }) => {
      rmSync(join(ada.path, "a.txt"));
      bob.write("a.txt", "y\n");
    },
    [["a.txt"]],
  ],
  [
    "renamed against changed is merged by git",
    ({ ada, bob }) => {
      ada.git("mv", "a.txt", "z.txt");
      bob.write("a.txt", "one\ntwo\nthree\nfour\n");
    },
    [],
  ],
  [
    "staged against unstaged",
    ({ ada, bob }) => {
      ada.write("a.txt", "x\n");
      ada.git("add", ".");
      bob.write("a.txt", "y\n");
    },
    [["a.txt"]],
  ],
  [
    "odd names",
    ({ ada, bob }) => {
      ada.write("ü ñ/'x y'.txt", "1");
      bob.write("ü ñ/'x y'.txt", "2");
    },
    [["ü ñ/'x y'.txt"]],
  ],
  [
    "ignored files do not count",
    ({ ada, bob }) => {
      ada.write(".gitignore", "i\n");
      bob.write(".gitignore", "i\n");
      ada.write("i", "1");
      bob.write("i", "2");
    },
    [],
  ],
  [
    "in the middle of a merge",
    ({ ada, bob }) => {
      ada.git("checkout", "-q", "-b", "x");
      ada.commit("x", { "a.txt": "x\n" });
      ada.git("checkout", "-q", "main");
      ada.commit("m", { "a.txt": "m\n" });
      expect(() => ada.git("merge", "x")).toThrow();
      bob.write("a.txt", "y\n");
    },
    [["a.txt"]],
  ],
  [
    "a nested repository is left alone",
    ({ ada, bob }) => {
      aCheckout(join(ada.path, "inner"));
      bob.write("inner", "a file");
    },
    [],
  ],
])("%s", (_, work, expected) => {
  const pair = aPair();
  work(pair);
  expect(conflictsOf(pair.forecast())).toEqual(expected);
});

test("paths that a filter or a merge program makes are left out and named, and no such program runs", () => {
  const attributes = "*.bin filter=evil\n*.lock merge=evil\n";
  const { home, ada, bob, forecast } = aPair({
    ...BASE,
    ".gitattributes": attributes,
    "x.bin": "1",
    "only-ada.bin": "1",
    "y.lock": "1\n",
  });
  const trap = home.path("trapped");
  for (const key of ["filter.evil.clean", "filter.evil.smudge", "merge.evil.driver"])
    ada.git("config", key, `touch '${trap}'; cat`);
  ada.git("config", "core.fsmonitor", `touch '${trap}'`);
  mkdirSync(join(ada.path, ".git/hooks"), { recursive: true });
  for (const hook of ["post-index-change", "reference-transaction"]) {
    ada.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch '${trap}'\n`);
    chmodSync(join(ada.path, ".git/hooks", hook), 0o755);
  }
  for (const [tree, text] of [
    [ada, "A\n"],
    [bob, "B\n"],
  ] as const)
    for (const file of ["x.bin", "y.lock", "a.txt"]) tree.write(file, text);
  ada.write("only-ada.bin", "A\n");
  const made = forecast();
  expect(conflictsOf(made)).toEqual([["a.txt"]]);
  expect(made.forecast.leftOut).toEqual(["only-ada.bin", "x.bin", "y.lock"]);
  expect(existsSync(trap)).toBe(false);
});

test("a change in the same tick as the index, of the same size, is not missed", () => {
  const { ada, bob, forecast } = aPair();
  ada.git("config", "core.trustctime", "false");
  const then = Math.floor(Date.now() / 1_000) - 100;
  const inTick = (path: string) => utimesSync(path, then, then);
  inTick(join(ada.path, "b.txt"));
  ada.git("update-index", "--refresh");
  ada.write("b.txt", "A\n");
  inTick(join(ada.path, "b.txt"));
  inTick(join(ada.path, ".git/index"));
  bob.write("b.txt", "B\n");
  expect(conflictsOf(forecast())).toEqual([["b.txt"]]);
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
  const env = { PATH: home.path("bin"), REAL: process.env["PATH"], HOME: home.root };
  const { forecast: old } = renewForecast({ paths: home.paths, env, now: NOON }, treeOf(ada.path) as Tree);
  expect(old.why).toBe("git version 2.30.2 cannot merge without a working tree; 2.38 and later can");
});

test("with sparse and shallow trees it works like with any other", () => {
  const home = aHome();
  const first = aCheckout(home.path("first"), { "a/x": "1\n", "b/y": "2\n" });
  first.commit("second");
  first.git("clone", "-q", "--depth=1", `file://${home.path("first")}`, home.project);
  const ada = checkoutAt(home.project);
  ada.git("worktree", "add", "-q", "-b", "bob", home.path("bob"));
  const bob = checkoutAt(home.path("bob"));
  bob.git("sparse-checkout", "set", "a");
  arrive(home, "s-1", undefined, ada.path);
  arrive(home, "s-2", undefined, bob.path);
  ada.write("a/x", "ada\n");
  ada.write("b/y", "ada\n");
  bob.write("a/x", "bob\n");
  const env = { PATH: process.env["PATH"], HOME: home.root };
  const made = renewForecast({ paths: home.paths, env, now: NOON }, treeOf(ada.path) as Tree);
  expect(conflictsOf(made)).toEqual([["a/x"]]);
});

test("after a turn a helper is started only with two trees, and at most every two minutes", () => {
  const { home, repository } = aPair();
  const ends = (now: Date) => stop(aContext(home, events.Stop, { session_id: "s-1" }, { now }));
  const now = new Date();
  expect(ends(now)).toHaveProperty("after");
  expect(claimForecast(home.paths, repository, now)).toBe(true);
  expect(claimForecast(home.paths, repository, now)).toBe(false);
  expect(isForecastDue(home.paths, repository, now)).toBe(false);
  expect(ends(now)).toBeUndefined();
  expect(ends(new Date(now.getTime() + 130_000))).toHaveProperty("after");
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
