// `swarm gc --all`: nothing of Swarm is left, except what would be a loss.
import { existsSync, mkdirSync, readdirSync, utimesSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { writeTree } from "../../lib/worktrees/store/trees.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

const gone = { pid: 4_194_300, pidStartedAt: "1" };
const ended = { sessionId: "s-old", status: "offline", ...gone };

function aUsedHome(): Home {
  const home = aHome();
  aTeam(home, [
    { name: "team-lead", ...ended },
    { name: "bob", ...ended },
  ]);
  home.write(`.claude/tasks/${TEAM}/1.json`, {});
  home.write(".claude/swarm/journal/2026-01-01.jsonl", "{}\n");
  home.write(".claude/swarm/settings.toml", "");
  home.write(".claude/swarm/sessions/s-old/session.json", { session: "s-old", endedAt: "x" });
  home.write(".claude/archives/old-20260101T000000Z/team/config.json", {});
  home.write("tmp/swarm-heartbeat-x-y", "");
  home.write(".claude/settings.json", { model: "opus", statusLine: { type: "command", command: "mine" } });
  home.write(".claude/teams/session-0123abcd/config.json", { members: [] });
  home.write(".claude/projects/p/s.jsonl", "{}\n");
  return home;
}

/** Each run leaves one for the end of its process, which here is the end of all tests. */
let exitListeners: NodeJS.ExitListener[] = [];
beforeEach(() => {
  exitListeners = process.listeners("exit");
});
afterEach(() => {
  for (const one of process.listeners("exit"))
    if (!exitListeners.includes(one)) process.removeListener("exit", one);
});

const all = (home: Home, ...more: string[]) => callSwarm(home, ["gc", "--all", ...more]);

test("it lists first and changes nothing; --yes leaves the client's files as they were before", async () => {
  const home = aUsedHome();
  const before = home.read(".claude/settings.json");
  await callSwarm(home, ["statusline", "install"]);
  await callSwarm(home, ["setup", "permissions"]);
  await callSwarm(home, ["setup", "path"]);
  const listed = await all(home);
  expect(listed.stdout).toMatch(/^ {2}\d+ files in .*\.claude\/swarm: journal, records/m);
  expect(listed.stdout).not.toContain("It keeps");
  expect(JSON.parse((await all(home, "--json")).stdout)).toMatchObject({ done: false, kept: [] });
  expect(listed.stdout).toMatch(/Nothing was removed; `swarm gc --all --yes` removes it.\n$/);
  for (const path of [home.path(".claude/teams", TEAM), home.path(".claude/tasks", TEAM)])
    expect(listed.stdout).toContain(path);
  expect(home.has(CONFIG)).toBe(true);
  const done = await all(home, "--yes", "--json");
  expect(done.exitCode).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({ done: true, kept: [] });
  expect(readdirSync(home.path(".claude")).sort()).toEqual(["projects", "settings.json", "teams"]);
  expect(readdirSync(home.path(".claude/teams"))).toEqual(["session-0123abcd"]);
  expect(JSON.parse(home.read(".claude/settings.json"))).toEqual(JSON.parse(before));
  expect(readdirSync(home.path("tmp"))).toEqual([]);
  expect(existsSync(home.path(".local/bin/swarm"))).toBe(false);
});

test("empty directories and abandoned locks go too, a held lock stays", async () => {
  const home = aHome();
  const state = home.path(".claude/swarm");
  const [left, held] = [`${state}/a.json.lock`, `${state}/sessions/b.json.lock`];
  for (const directory of [left, held, `${state}/agents/s-1`]) mkdirSync(directory, { recursive: true });
  utimesSync(left, 1, 1);
  await all(home, "--yes");
  expect(readdirSync(state, { recursive: true }).sort()).toEqual(["sessions", "sessions/b.json.lock"]);
  utimesSync(held, 1, 1);
  await all(home, "--yes");
  expect(existsSync(state)).toBe(false);
});

test("the temporary directory stays where it is, also when it is empty now", async () => {
  const home = aHome();
  const tmp = "somewhere/with/a/name/longer/than/that/of/the/state";
  home.write(`${tmp}/swarm-heartbeat-x-y`, "");
  await callSwarm(home, ["gc", "--all", "--yes"], { env: { TMPDIR: home.path(tmp) } });
  expect(readdirSync(home.path(tmp))).toEqual([]);
});

test("where there is nothing it says so; many paths are cut short", async () => {
  const home = aHome();
  expect((await all(home)).stdout).toContain("and remove\n  nothing\nNothing was removed");
  for (let n = 0; n < 14; n++) home.write(`.claude/archives/old-2026010${n % 10}T0000${n + 10}Z/team/x`, "");
  const { stdout } = await all(home);
  expect(stdout).toContain("\n  and 2 more\n");
  expect(stdout).not.toContain("journal, records");
});

test("a team whose members are gone goes, also where their end is not on its roster", async () => {
  const home = aUsedHome();
  aTeam(home, [{ name: "bob", sessionId: "s-old", status: "active", ...gone }]);
  await all(home, "--yes");
  expect(home.has(CONFIG)).toBe(false);
});

test.each<[string, (home: Home) => unknown, string[]]>([
  [
    "unread mail",
    (home) => home.write(inboxOf("bob"), [aMessage("team-lead", "hi")]),
    [CONFIG, inboxOf("bob")],
  ],
  [
    "unread mail of an archived team",
    (home) =>
      home.write(".claude/archives/old-20260101T000000Z/team/inboxes/bob.json", [aMessage("x", "hi")]),
    [".claude/archives/old-20260101T000000Z/team/inboxes/bob.json"],
  ],
  ...[`.claude/teams/${TEAM}`, ".claude/archives/old-20260101T000000Z/team"].map(
    (team): [string, (home: Home) => unknown, string[]] => {
      const waiting = `${team}/broadcasts/000000000001-x+bob.json`;
      const write = (home: Home) => home.write(waiting, { messages: [aMessage("x", "hi")] });
      return [`unread mail that waits to be merged: ${team}`, write, [waiting]];
    },
  ),
  [
    "mail of an archived team that a person wrote by hand, without a mark",
    (home) =>
      home.write(".claude/archives/old-20260101T000000Z/team/inboxes/bob.json", [{ from: "x", text: "hi" }]),
    [".claude/archives/old-20260101T000000Z/team/inboxes/bob.json"],
  ],
  [
    "a team with a running member",
    (home) => {
      const alive = { status: "active", pid: process.pid, pidStartedAt: startOf(process.pid) };
      aTeam(home, [
        { name: "team-lead", ...ended },
        { name: "bob", sessionId: "s-bob", ...alive },
      ]);
    },
    [CONFIG, `.claude/tasks/${TEAM}/1.json`],
  ],
  [
    "a worktree's record",
    (home) => {
      home.write("tree/.git", "gitdir: nowhere");
      writeTree(home.paths, {
        ...{ team: TEAM, agent: "bob", path: home.path("tree"), branch: "b", from: home.project },
        ...{ commonDir: home.path("project/.git"), base: "0".repeat(40), at: "x" },
      });
    },
    [`.claude/swarm/trees/${TEAM}/bob.json`],
  ],
  [
    "the settings of a relay",
    (home) => home.write(`.claude/swarm/relay/teams/${TEAM}.json`, {}),
    [`.claude/swarm/relay/teams/${TEAM}.json`],
  ],
  [
    "the record of a running session",
    (home) =>
      home.write(".claude/swarm/sessions/s-live/session.json", {
        ...{ session: "s-live", state: "idle", status: "idle", startedAt: "x", lastSeen: "x" },
        ...{ pid: process.pid, pidStartedAt: startOf(process.pid) },
      }),
    [".claude/swarm/sessions/s-live/session.json"],
  ],
])("it never removes %s", async (_, prepare, files) => {
  const home = aUsedHome();
  prepare(home);
  expect((await all(home)).stdout).toContain("\nIt keeps\n  ");
  const { stdout } = await all(home, "--yes");
  expect(stdout.match(/^kept /gm)).toHaveLength(1);
  for (const file of files) expect({ file, isThere: home.has(file) }).toEqual({ file, isThere: true });
});

test("nor a team whose lead runs and is not on its roster", async () => {
  const home = aUsedHome();
  const alive = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  const lead = { session: "lead-session", state: "idle", status: "idle", startedAt: "x", lastSeen: "x" };
  writeSession(home.paths, { ...lead, ...alive });
  aTeam(home, [{ name: "bob", ...ended }]);
  const { stdout } = await all(home, "--yes");
  expect(stdout).toContain(`kept team ${TEAM}: its lead may be running\n`);
  expect([CONFIG, `.claude/tasks/${TEAM}/1.json`].filter((file) => !home.has(file))).toEqual([]);
});
