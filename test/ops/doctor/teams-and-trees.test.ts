// What the doctor says of relays and worktrees, from their files alone.
import { rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { relayDir } from "../../../lib/machines/store/paths.ts";
import { type Finding, inWords, ok, some, warn, warnIfAny } from "../../../lib/ops/doctor/finding.ts";
import { relayFindings, treeFindings } from "../../../lib/ops/doctor/teams.ts";
import { startOf } from "../../../lib/system/processes.ts";
import { writeForecast } from "../../../lib/worktrees/store/forecast.ts";
import { writeTree } from "../../../lib/worktrees/store/trees.ts";
import { NOON } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { aRepository } from "../../support/a-repository.ts";
import { aTeam, TEAM } from "../../support/a-team.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});
const said = (all: Finding[]) => all.map(({ level, what }) => `${level} ${what}`);

test("evidence: five of it and how many more, and none is no finding", () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);
  expect(some(many(5))).toEqual(many(5));
  expect(some(many(7))).toEqual([...many(5), "and 2 more"]);
  expect(warnIfAny([], "w", "a")).toEqual([]);
  expect(warnIfAny(["e"], "w", "a")).toEqual(warn("w", ["e"], "a"));
});

test("a finding in words", () => {
  expect(warn("it is so\u001b", ["one", "two\nlines"], "do that").map(inWords)).toEqual([
    "warn  it is so\n      one\n      two lines\n      -> do that",
  ]);
  expect(ok("fine").map(inWords)).toEqual(["ok    fine"]);
});

const tree = (agent: string, path: string) =>
  writeTree(home.paths, {
    ...{ team: TEAM, agent, path, branch: agent, from: home.project, commonDir: home.path("project/.git") },
    ...{ base: "0".repeat(40), at: NOON.toISOString() },
  });

test("worktrees: none, one that is gone, and one whose teammate runs", () => {
  expect(treeFindings(home.paths, {})).toEqual([]);
  tree("bob", home.path("gone"));
  expect(treeFindings(home.paths, {})).toMatchObject([
    {
      level: "warn",
      what: "1 worktree of teammates: the directory is gone",
      evidence: [`bob@${TEAM}: ${home.path("gone")}`],
    },
  ]);
  home.write("there/.git", "gitdir: nowhere");
  aTeam(home, [{ name: "bob", pid: process.pid, pidStartedAt: startOf(process.pid), sessionId: "s" }]);
  tree("bob", home.path("there"));
  expect(said(treeFindings(home.paths, {}))).toEqual(["ok 1 worktree of teammates"]);
});

const WORK = "1 worktree with work that is nowhere else, and its teammate does not run";

test("worktrees that nobody is at: what git cannot tell counts as work, and its words stay out", () => {
  const path = home.path("there");
  home.write("there/.git", "gitdir: nowhere");
  tree("bob", path);
  const evidence = [`bob@${TEAM}, ${path}: git could not say what it holds`];
  expect(treeFindings(home.paths, {})).toMatchObject([{ level: "warn", what: WORK, evidence }]);
  aTeam(home, [{ name: "bob", pid: 4_194_300, pidStartedAt: "1", sessionId: "s" }]);
  expect(treeFindings(home.paths, {})).toMatchObject([{ level: "warn", what: WORK, evidence }]);
});

test("a worktree that holds nothing of its own is in order, and a git that makes no forecast is named", () => {
  const repository = aRepository();
  home = repository.home;
  const path = home.path("tree");
  repository.git(["worktree", "add", "-q", "-b", "bob", path]);
  tree("bob", path);
  expect(said(treeFindings(home.paths, {}))).toEqual(["ok 1 worktree of teammates"]);
  const forecast = { at: NOON.toISOString(), trees: [], conflicts: [], leftOut: [], why: "git 2.30 cannot" };
  writeForecast(home.paths, { common: home.path("project/.git") }, forecast);
  expect(treeFindings(home.paths, {})).toMatchObject([
    { level: "warn", what: "there is no merge forecast", evidence: ["git 2.30 cannot"] },
  ]);
});

const relay = { url: "nats://127.0.0.1:1", team: TEAM, machine: "laptop", secret: "s", replicas: 1 };
const RELAY = `.claude/swarm/relay/teams/${TEAM}.json`;

test("a relay: none, unreadable, and one without a courier", () => {
  expect(relayFindings(home.paths, NOON)).toEqual([]);
  home.write(RELAY, "{");
  expect(said(relayFindings(home.paths, NOON))).toEqual([
    `warn the relay settings of ${TEAM} cannot be read`,
  ]);
  rmSync(relayDir(home.paths), { recursive: true });
  home.write(RELAY, { ...relay, joinedAt: NOON.toISOString() });
  expect(relayFindings(home.paths, NOON)).toMatchObject([
    { level: "ok", evidence: ["this machine is laptop; no courier runs; a session starts one"] },
  ]);
});
