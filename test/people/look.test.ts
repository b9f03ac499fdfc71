// What a look at everything finds, and what it passes over.
import { expect, test } from "vitest";
import { readSettings } from "../../lib/core/settings.ts";
import { look } from "../../lib/people/notify/look.ts";
import { claimBudgetNotice } from "../../lib/people/store/budget.ts";
import { markSent, notifyState, waitingSaidAt } from "../../lib/people/store/moments.ts";
import { costLine, dollars, tokens } from "../../lib/people/store/summary.ts";
import { startOf } from "../../lib/system/processes.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

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

const ANSWER = {
  ...{ type: "assistant", sessionId: "s-1", timestamp: ago(1), requestId: "r" },
  message: {
    id: "m",
    model: "claude-sonnet-4-5",
    role: "assistant",
    usage: { input_tokens: 1_000_000, output_tokens: 1 },
  },
};
