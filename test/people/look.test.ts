// What a look at everything finds, and what it passes over.
import { rmSync, truncateSync } from "node:fs";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { readErrors } from "../../lib/core/journal.ts";
import { readSettings } from "../../lib/core/settings.ts";
import { look } from "../../lib/people/notify/look.ts";
import { claimBudgetNotice } from "../../lib/people/store/budget.ts";
import {
  markSent,
  noteOutcomes,
  notifyState,
  readTargets,
  waitingSaidAt,
} from "../../lib/people/store/moments.ts";
import { costLine, dollars, tokens } from "../../lib/people/store/summary.ts";
import { startOf } from "../../lib/system/processes.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { answer, append, mainFile } from "./transcripts.ts";

const SELF = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const GONE = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
const ago = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000).toISOString();

const record = (home: Home, session: string, more: object = {}) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, state: "idle", status: "done", startedAt: ago(60), lastSeen: ago(1), ...SELF, ...more },
  });
const task = (home: Home, id: string, status: string) =>
  home.write(`.claude/tasks/${TEAM}/${id}.json`, { id, subject: "s", status, blocks: [], blockedBy: [] });

const found = (home: Home) => {
  const loaded = readSettings(home.paths, home.project, undefined);
  return look({ paths: home.paths, now: NOON, loaded }).map(({ event, text }) => `${event}: ${text}`);
};

const ALICE = { team: TEAM, agent: "alice" };
const BOB = { name: "bob", sessionId: "bob-session" };

/** alice in a team, with one open task, an hour after she began. */
function aTeamAtWork(more: object = {}, config: object = {}): Home {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "alice", sessionId: "alice-session" }]);
  home.write(CONFIG, { ...home.json(CONFIG), ...config });
  record(home, "alice-session", { ...ALICE, ...more });
  task(home, "1", "pending");
  return home;
}

test.each<[string, object, object, string[]]>([
  ["idle with work left", {}, {}, ["idle: team atm-dev is idle with 1 open task"]],
  ["a suspended team", {}, { status: "suspended" }, []],
  ["an archived team", {}, { status: "archived" }, []],
  ["in a turn", { state: "active", status: "working" }, {}, []],
  ["ended", { endedAt: ago(1) }, {}, []],
  ["nobody has done anything for half an hour", { lastSeen: ago(31) }, {}, []],
  ["gone", GONE, {}, [`gone: alice@atm-dev is gone: process ${GONE.pid} has ended`]],
  ["gone for more than a day", { ...GONE, lastSeen: ago(24 * 60 + 1) }, {}, []],
])("a team: %s", (_, more, config, expected) =>
  expect(
    found(aTeamAtWork(more, config)).map((line) =>
      line.replace(/(is gone).*/, `$1: process ${GONE.pid} has ended`),
    ),
  ).toEqual(expected),
);

test("a task that cannot be read hides neither the others nor who is gone, and is named where the others are done", () => {
  const home = aTeamAtWork();
  home.write(CONFIG, { ...home.json(CONFIG), members: [...home.json(CONFIG).members, BOB] });
  record(home, "bob-session", { team: TEAM, agent: "bob", ...GONE });
  home.write(`.claude/tasks/${TEAM}/2.json/in-its-place`, "");
  const gone = expect.stringMatching(/^gone: bob@atm-dev is gone/);
  expect(found(home)).toEqual([gone, "idle: team atm-dev is idle with 1 open task"]);
  const { error } = readErrors(home.paths).at(-1) ?? {};
  expect(error).toMatch(/^task #2 of atm-dev was left out: .* is not a regular file$/);
  task(home, "1", "completed");
  expect(found(home)).toEqual([gone, "done: team atm-dev: the task is done; 1 cannot be read"]);
});

test("a team: what is done, and how many; another team's sessions and ended ones do not keep it lively", () => {
  const home = aTeamAtWork();
  task(home, "1", "completed");
  expect(found(home)).toEqual(["done: team atm-dev: the task is done"]);
  task(home, "2", "completed");
  expect(found(home)).toEqual(["done: team atm-dev: all 2 tasks are done"]);
  task(home, "3", "pending");
  task(home, "4", "pending");
  expect(found(home)).toEqual(["idle: team atm-dev is idle with 2 open tasks"]);
  record(home, "alice-session", { ...ALICE, endedAt: ago(1) });
  record(home, "other-session", { team: "other", agent: "bob" });
  expect(found(home)).toEqual([]);
});

test.each<[string, object, number]>([
  ["running", {}, 0],
  ["gone", GONE, 1],
  ["gone, and its end on record", { ...GONE, endedAt: ago(1) }, 0],
  ["gone for more than a day", { ...GONE, lastSeen: ago(24 * 60 + 1) }, 0],
  ["gone on under another id", { ...GONE, next: "s-2" }, 0],
])("a session of no team: %s", (_, more, count) => {
  const home = aHome();
  record(home, "s-1", more);
  expect(found(home)).toHaveLength(count);
});

const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const lookAt = (home: Home, minutes = 0) =>
  look({ paths: home.paths, now: at(minutes), loaded: readSettings(home.paths, home.project, undefined) });

test("a lead whom only the team's own entry ties to its session is looked for too", () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "alice", sessionId: "alice-session" }]);
  home.write(CONFIG, { ...home.json(CONFIG), leadSessionId: "lead-session" });
  record(home, "alice-session", ALICE);
  record(home, "lead-session", { team: TEAM, agent: "team-lead", isLead: true, ...GONE });
  expect(found(home)).toEqual([
    expect.stringMatching(/^gone: team-lead@atm-dev is gone: process \d+ has ended$/),
  ]);
});

test("a member is followed through /clear", () => {
  const home = aTeamAtWork({ next: "alice-next" });
  record(home, "alice-next", { ...ALICE, state: "active", status: "working", lastSeen: ago(25) });
  expect(found(home)).toEqual([expect.stringMatching(/^silent: alice@atm-dev is silent: /)]);
});

test("the same end, silence and idleness have one key, others another", () => {
  const home = aTeamAtWork(GONE);
  const key = (minutes?: number) => lookAt(home, minutes)[0]?.key;
  const gone = key();
  expect(key(5)).toBe(gone);
  record(home, "alice-session", { ...ALICE, ...GONE, pid: GONE.pid - 1 });
  expect(key(5)).not.toBe(gone);
  const working = { ...ALICE, state: "active", status: "working", turnStartedAt: ago(60) };
  record(home, "alice-session", { ...working, lastSeen: ago(25) });
  const silent = key();
  expect([lookAt(home)[0]?.event, key(1)]).toEqual(["silent", silent]);
  record(home, "alice-session", { ...working, lastSeen: ago(20) });
  expect(key(5)).not.toBe(silent);
  record(home, "alice-session", ALICE);
  const idle = key();
  expect([lookAt(home)[0]?.event, key(1)]).toEqual(["idle", idle]);
  record(home, "bob-session", { team: TEAM, agent: "bob", lastSeen: ago(0.5) });
  expect(key()).not.toBe(idle);
});

test("tasks that are done have one key until there are more", () => {
  const home = aTeamAtWork();
  task(home, "1", "completed");
  const first = lookAt(home)[0];
  expect(first).toEqual({ key: lookAt(home, 1)[0]?.key, event: "done", text: expect.anything() });
  task(home, "2", "completed");
  const second = lookAt(home)[0];
  expect(second?.key).not.toBe(first?.key);
  rmSync(home.path(`.claude/tasks/${TEAM}/1.json`));
  task(home, "3", "completed");
  expect(lookAt(home)[0]?.key).not.toBe(second?.key);
});

test("whose end it was goes along, so that its terminal can be found", () => {
  const home = aTeamAtWork({ ...GONE, tmux: "/a/socket,1,0" });
  expect(lookAt(home)[0]).toMatchObject({ session: "alice-session", pid: GONE.pid, tmux: "/a/socket,1,0" });
});

test.each<[string, object]>([
  ["that is offline", { status: "offline" }],
  ["whose session is no name", { sessionId: "../alice-session" }],
  ["without a session", { sessionId: undefined }],
])("a member %s is not looked for", (_, more) => {
  const home = aTeamAtWork(GONE);
  aTeam(home, ["team-lead", { name: "alice", sessionId: "alice-session", ...more }]);
  expect(found(home)).toEqual([]);
});

test.each<[string, object, string[]]>([
  ["works", { state: "active", status: "working" }, []],
  ["waits", { state: "idle", status: "done" }, ["idle"]],
  ["has ended", { state: "active", status: "working", endedAt: ago(1) }, ["idle"]],
])("a team whose only subagent %s", (_, more, expected) => {
  const home = aTeamAtWork();
  home.write(".claude/swarm/agents/alice-session/a1.json", {
    ...{ session: "alice-session", agentId: "a1", startedAt: ago(5), lastSeen: ago(1), ...more },
  });
  expect(lookAt(home).map(({ event }) => event)).toEqual(expected);
});

test("a limit that stopped an agent is no news here: it was said when it was hit", () => {
  const home = aTeamAtWork({ failure: "rate_limit", status: "error" });
  expect(lookAt(home).map(({ event }) => event)).toEqual(["idle"]);
});

describe("budgets", () => {
  const OTHER = "other";
  const NATIVE = "session-0a1b2c3d";
  const inbox = (home: Home, team: string) => {
    const path = `.claude/teams/${team}/inboxes/team-lead.json`;
    return home.has(path) ? home.json(path).map(({ text }: { text: string }) => text) : [];
  };

  /** alice has spent three dollars on task 1. */
  function aSpendingTeam(budget: string): Home {
    const home = aTeamAtWork();
    for (const name of [OTHER, NATIVE])
      home.write(`.claude/teams/${name}/config.json`, { name, members: [{ name: "team-lead" }] });
    home.write(`.claude/tasks/${TEAM}/1.json`, {
      ...{ id: "1", subject: "s", status: "in_progress", owner: "alice", blocks: [], blockedBy: [] },
      metadata: { swarm: { lease: { at: ago(10) } } },
    });
    append(
      home,
      mainFile("alice-session"),
      answer({ id: "m1", session: "alice-session", at: ago(1), input: 1_000_000 }),
    );
    home.write(".claude/swarm/settings.toml", `[budget]\n${budget}\n`);
    return home;
  }
  const budgets = (home: Home) => lookAt(home).filter(({ event }) => event === "budget");

  test.each<[string, string, string[]]>([
    ["task", `task ${TEAM} #1`, [TEAM]],
    ["agent", `agent alice@${TEAM}`, [TEAM]],
    ["team", `team ${TEAM}`, [TEAM]],
    ["day", "day 2026-02-20", [TEAM, OTHER]],
  ])("of a %s: its leads get a message, and what is over is found", (scope, name, teams) => {
    const home = aSpendingTeam(`${scope} = 3`);
    const text = `${name} has cost $3.00, 100 % of its budget of $3.00 (budget.${scope})`;
    expect(budgets(home)).toMatchObject([{ event: "budget", text }]);
    expect([TEAM, OTHER, NATIVE].filter((team) => inbox(home, team).length > 0)).toEqual(teams);
    expect(inbox(home, TEAM)).toEqual([text]);
    budgets(home);
    expect(inbox(home, TEAM)).toHaveLength(1);
  });

  test("of a day: a lead whose inbox cannot be written keeps it neither from the other leads nor from the person", () => {
    const home = aSpendingTeam("day = 3");
    home.write(`.claude/teams/${TEAM}/inboxes/team-lead.json/in-its-place`, "");
    home.write(".claude/teams/zoo/config.json", { name: "zoo", members: [{ name: "team-lead" }] });
    expect(budgets(home)).toHaveLength(1);
    expect([OTHER, "zoo"].map((team) => inbox(home, team).length)).toEqual([1, 1]);
  });

  test("below it only the lead hears of it, and again when it is over", () => {
    const home = aSpendingTeam("agent = 3.5");
    expect([budgets(home), inbox(home, TEAM).length]).toEqual([[], 1]);
    expect(home.json(".claude/swarm/cost/budget.json")).toEqual({ [`agent alice@${TEAM}`]: "80 of 3.5" });
    home.write(".claude/swarm/settings.toml", "[budget]\nagent = 2\n");
    expect(budgets(home)).toHaveLength(1);
    expect(inbox(home, TEAM)).toHaveLength(2);
  });

  test("none is looked for where there is none", () => {
    const home = aSpendingTeam("");
    expect(budgets(home)).toEqual([]);
    expect(home.has(".claude/swarm/cost")).toBe(false);
  });
});

test("a budget's notice is for one caller, again when its level or limit is another", () => {
  const { paths } = aHome();
  const notice = { scope: "day", name: "2026-02-20", limit: 5, level: 80 as 80 | 100 };
  expect([claimBudgetNotice(paths, notice), claimBudgetNotice(paths, notice)]).toEqual([true, false]);
  expect(claimBudgetNotice(paths, { ...notice, level: 100 })).toBe(true);
  expect(claimBudgetNotice(paths, { ...notice, limit: 6, level: 100 })).toBe(true);
  expect(claimBudgetNotice(paths, { ...notice, name: "other" })).toBe(true);
});

test("only a session that waits is remembered as called for", () => {
  const { paths } = aHome();
  const moment = { key: "k", event: "waiting", text: "", at: 1, due: 1, session: "s-1" };
  markSent(paths, [{ ...moment, event: "failed", session: "s-2" }, moment], 7);
  expect([waitingSaidAt(paths, "s-1"), waitingSaidAt(paths, "s-2")]).toEqual([7, 0]);
});

test.each<[string, object, string, number]>([
  ["never used", {}, "not used yet", 0],
  ["worked", { ok: "2026-01-02T00:00:00Z" }, "worked ", 0],
  ["failed", { failed: "2026-01-02T00:00:00Z", error: "no route" }, "failed ", 1],
  ["failed and works again", { failed: "2026-01-01T00:00:00Z", ok: "2026-01-02T00:00:00Z" }, "worked ", 0],
  ["worked and fails now", { ok: "2026-01-01T00:00:00Z", failed: "2026-01-02T00:00:00Z" }, "failed ", 1],
])("a target that %s", async (_, state, text, failing) => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[notify]\ntargets = ["desktop"]\nquiet = "22:00-07:00"\n');
  home.write(".claude/swarm/notify/targets.json", { desktop: state });
  const { stdout } = await callSwarm(home, ["notify"]);
  expect(stdout).toContain(`desktop: ${text}`);
  expect(stdout).toContain("s, quiet 22:00-07:00, for ");
  const { values } = readSettings(home.paths, home.project, undefined);
  const { failing: lines } = notifyState(home.paths, { values });
  expect(lines).toHaveLength(failing);
  if ("error" in state) expect(lines[0]).toContain("desktop: no route (");
  else if (failing) expect(lines[0]).toContain("desktop: failed (");
});

test.each([
  [0, "0"],
  [999.4, "999"],
  [1_000, "1.0k"],
  [12_345, "12.3k"],
  [999_949, "999.9k"],
  [999_950, "1.00M"],
  [1_000_000, "1.00M"],
])("%d tokens are %s", (n, text) => expect(tokens(n)).toBe(text));

test.each([
  [0, "$0.00"],
  [0.05, "$0.0500"],
  [-0.05, "$-0.0500"],
  [0.1, "$0.10"],
  [12.345, "$12.35"],
])("%d dollars are %s", (usd, text) => expect(dollars(usd)).toBe(text));

test("a board does not wait for a large index", () => {
  const home = aHome();
  home.write(".claude/projects/p/s-1.jsonl", `${JSON.stringify(ANSWER)}\n`);
  const asking = { paths: home.paths, now: NOON, loaded: readSettings(home.paths, home.project, undefined) };
  expect(costLine(asking, undefined)).toEqual([expect.stringMatching(/^cost in 24 h: \$\d/)]);
});

test("a board's line says what is missing in it", () => {
  const home = aHome();
  const asking = { paths: home.paths, now: NOON, loaded: readSettings(home.paths, home.project, undefined) };
  const line = () => costLine(asking, undefined);
  expect(line()).toEqual([]);
  append(home, mainFile("s-1"), answer({ id: "m1", session: "s-1", at: ago(1), output: 1, model: "gpt-9" }));
  expect(line()).toEqual(["cost in 24 h: no price, some models without a price (swarm cost)"]);
  append(home, mainFile("s-2"), answer({ id: "m2", session: "s-2", at: ago(1), input: 1_000_000 }));
  append(home, mainFile("s-3"), answer({ id: "m3", session: "s-3", at: ago(1), input: 1_000_000 }));
  const clock = vi.spyOn(Date, "now").mockReturnValueOnce(0);
  onTestFinished(() => clock.mockRestore());
  expect(line()).toEqual(["cost in 24 h: $3.00, not all read yet (swarm cost)"]);
  expect(line()).toEqual(["cost in 24 h: $6.00, some models without a price (swarm cost)"]);
  truncateSync(home.path(".claude/swarm/cost/index.jsonl"), 4 * 1024 * 1024 + 1);
  expect(line()).toEqual([]);
});

test.each([
  [{ target: "t", error: "no" }, { target: "t" }],
  [{ target: "t" }, { target: "t", error: "no" }],
])("of two targets of one name the one that failed is remembered: %j %j", (...outcomes) => {
  const { paths } = aHome();
  noteOutcomes(paths, [{ target: "t" }], new Date(ago(5)));
  noteOutcomes(paths, outcomes, NOON);
  expect(readTargets(paths)).toEqual({ t: { ok: ago(5), failed: NOON.toISOString(), error: "no" } });
  noteOutcomes(paths, [{ target: "t" }], NOON);
  expect(readTargets(paths)).toEqual({ t: { ok: NOON.toISOString() } });
});

const ANSWER = {
  ...{ type: "assistant", sessionId: "s-1", timestamp: ago(1), requestId: "r" },
  message: {
    id: "m",
    model: "claude-sonnet-4-5",
    role: "assistant",
    usage: { input_tokens: 1_000_000, output_tokens: 1 },
  },
};
