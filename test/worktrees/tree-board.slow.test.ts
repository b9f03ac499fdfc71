// The trees on `swarm status`, in the doctor and at a teammate's start.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import { treeFindings } from "../../lib/ops/doctor/teams.ts";
import { renewForecast } from "../../lib/worktrees/forecast-news.ts";
import { sessionStart } from "../../lib/worktrees/hooks/shared.ts";
import { addTree } from "../../lib/worktrees/store/add-tree.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { addClaim } from "../../lib/worktrees/store/claims.ts";
import { type Tree, treeOf } from "../../lib/worktrees/store/repository.ts";
import { type BoardCall, boardTrees, treeLines } from "../../lib/worktrees/store/tree-board.ts";
import { aCheckout, checkoutAt } from "../support/a-checkout.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, TEAM } from "../support/a-team.ts";

const envOf = (home: Home) => ({ PATH: process.env["PATH"], HOME: home.root });
const callIn = (home: Home, fresh: boolean): BoardCall => ({
  paths: home.paths,
  env: envOf(home),
  now: NOON,
  fresh,
});

function arrive(home: Home, session: string, agent: string, path: string) {
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, agent, team: TEAM, state: "active", status: "working", pid: process.pid },
    ...{ startedAt: NOON.toISOString(), lastSeen: NOON.toISOString() },
  });
  writePresence(home.paths, treeOf(path) as Tree, { session }, NOON);
}

function aWorktreeOf(home: Home, agent: string) {
  const { paths } = home;
  return addTree({ paths, env: envOf(home), now: NOON, cwd: home.project, team: TEAM, agent, include: [] })
    .record;
}

test("the board has each tree with branch, changes, distance, claims and forecast; git is asked only for a fresh one", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "alice", "bob"]);
  const main = aCheckout(home.project);
  const bob = checkoutAt(aWorktreeOf(home, "bob").path);
  arrive(home, "alice-session", "alice", home.project);
  arrive(home, "bob-session", "bob", bob.path);
  bob.commit("work", { "b.txt": "b" });
  main.write("a.txt", "A\n");
  bob.write("a.txt", "B\n");
  addClaim(home.paths, treeOf(home.project) as Tree, NOON, {
    by: "bob-session",
    patterns: ["src/**"],
    until: undefined,
    why: undefined,
  });
  const noGit = { ...callIn(home, false), env: { PATH: "" } };
  expect(boardTrees(noGit, [home.project])).toMatchObject([
    { agents: ["bob"], branch: `swarm/${TEAM}/bob`, conflicts: [], claims: ["src/**"] },
    { agents: ["alice"], branch: "main", conflicts: [] },
  ]);
  const fresh = boardTrees(callIn(home, true), [home.project]);
  expect(fresh).toMatchObject([{ changed: 1, ahead: 1, behind: 0, against: "main" }, { changed: 1 }]);
  expect(fresh[1]).not.toHaveProperty("against"); // nothing is ahead of itself
  renewForecast({ paths: home.paths, env: envOf(home), now: NOON }, treeOf(home.project) as Tree);
  const lines = treeLines(boardTrees(noGit, [home.project, bob.path, "/nowhere"]), NOON);
  expect(lines).toHaveLength(3);
  expect(lines[1]).toBe(
    `  bob: swarm/${TEAM}/bob; 1 changed (0s ago); 1 ahead of main, 0 behind; claims src/**; would conflict with alice in a.txt (since 0s); ${bob.path}`,
  );
});

test("alone there is nothing to show", () => {
  const home = aHome();
  aTeam(home);
  aCheckout(home.project);
  arrive(home, "alice-session", "alice", home.project);
  expect(boardTrees(callIn(home, true), [home.project])).toEqual([]);
  expect(treeLines([], NOON)).toEqual([]);
});

test("the doctor names worktrees that are gone, and those with work nobody is at, without its content", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob", "eve"]);
  aCheckout(home.project);
  expect(treeFindings(home.paths, envOf(home))).toEqual([]);
  const bob = aWorktreeOf(home, "bob");
  const eve = aWorktreeOf(home, "eve");
  expect(treeFindings(home.paths, envOf(home))).toMatchObject([
    { level: "ok", what: "2 worktrees of teammates" },
  ]);
  checkoutAt(bob.path).write("secret-name.txt", "x");
  rmSync(eve.path, { recursive: true });
  const findings = treeFindings(home.paths, envOf(home));
  expect(findings.map(({ level, what }) => [level, what])).toEqual([
    ["warn", "1 worktree of teammates: the directory is gone"],
    ["warn", "1 worktree with work that is nowhere else, and its teammate does not run"],
  ]);
  expect(findings[1]?.evidence[0]).toContain("1 changed file");
  expect(JSON.stringify(findings)).not.toContain("secret-name");
});

test("a teammate in its own worktree learns where it is, in another tree not", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  aCheckout(home.project);
  const { path } = aWorktreeOf(home, "bob");
  const begin = (cwd: string, agent: string) =>
    sessionStart(
      aContext(home, events.SessionStart, { cwd, session_id: `${agent}-session` }, { env: as(agent) }),
    );
  expect(begin(path, "bob")).toMatchObject({
    context: {
      text: expect.stringContaining(
        `a git worktree of your own: ${path}, branch swarm/${TEAM}/bob, begun at`,
      ),
    },
  });
  expect(begin(home.project, "bob")).toBeUndefined();
  expect(begin(path, "team-lead")).toBeUndefined();
});

test("a branch whose upstream is gone is counted against the branch of the main checkout", () => {
  const home = aHome();
  aTeam(home, ["team-lead", "bob"]);
  aCheckout(home.project);
  const bob = checkoutAt(aWorktreeOf(home, "bob").path);
  bob.commit("work", { "b.txt": "b" });
  bob.git("config", `branch.swarm/${TEAM}/bob.remote`, "origin");
  bob.git("config", `branch.swarm/${TEAM}/bob.merge`, "refs/heads/merged-and-deleted");
  bob.git("config", "remote.origin.url", home.path("nowhere"));
  bob.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*");
  const [, line = ""] = treeLines(boardTrees(callIn(home, true), [home.project]), NOON);
  expect(line).toContain("clean (0s ago); 1 ahead of main, 0 behind;");
});
