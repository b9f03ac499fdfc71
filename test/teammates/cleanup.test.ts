import { expect, test } from "vitest";
import { type Life, startOf } from "../../lib/system/processes.ts";
import { cleanUp, planCleanup, whyKept } from "../../lib/teammates/cleanup.ts";
import { readTeam, type Team } from "../../lib/teams/store/config.ts";
import { aCall } from "../support/a-call.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { callSwarm } from "../support/call-swarm.ts";

interface Facts {
  name?: string;
  life?: Life;
  isSuspended?: boolean;
  isNamed?: boolean;
  force?: boolean;
}

const kept = ({ name = "ann", life = "gone", isSuspended, isNamed, force }: Facts) =>
  whyKept({ status: isSuspended ? "suspended" : "active", members: [] }, { name }, life, {
    force,
    agent: isNamed ? name : undefined,
  });

test.each<[string, Facts, boolean]>([
  ["dead", {}, false],
  ["alive", { life: "alive" }, true],
  ["alive, by force", { life: "alive", force: true }, true],
  ["unknown", { life: "unknown" }, true],
  ["unknown, by force", { life: "unknown", force: true }, false],
  ["the dead lead, by force", { name: "team-lead", force: true }, true],
  ["dead, but only suspended", { isSuspended: true }, true],
  ["suspended, and named", { isSuspended: true, isNamed: true }, false],
])("kept or not: %s", (_, more, isKept) => expect(kept(more) !== undefined).toBe(isKept));

const TEAM = ".claude/teams/atm-dev";
const dead = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
const alive = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const members = [
  { name: "team-lead", sessionId: "lead", ...dead },
  { name: "ann", sessionId: "ann-sess" },
  { name: "ben", ...dead },
  { name: "cat", ...alive },
  { name: "dan" },
];
const record = {
  team: "atm-dev",
  state: "ended",
  status: "done",
  startedAt: "",
  lastSeen: "",
  endReason: "other",
};

function aTeam(more: object = {}): Home {
  const home = aHome();
  home.write(`${TEAM}/config.json`, { name: "atm-dev", leadSessionId: "lead", extra: 1, members, ...more });
  const session = (id: string, endedAt: string) =>
    home.write(`.claude/swarm/sessions/${id}/session.json`, { session: id, ...record, endedAt });
  session("ann-sess", "2026-02-20T11:00:00Z");
  session("long-ago", "2026-01-20T11:00:00Z");
  session("lately", "2026-02-19T11:00:00Z");
  home.write(".claude/swarm/spawns/long-ago.jsonl", "");
  home.write(".claude/swarm/agents/long-ago/a1.json", { session: "long-ago" });
  for (const name of ["ann", "cat", "zoe"])
    home.write(`${TEAM}/inboxes/${name}.json`, [{ text: `mail for ${name}` }]);
  return home;
}

const plan = (home: Home, flags = {}) =>
  planCleanup(aCall(home, [], flags), "atm-dev", readTeam(home.paths, "atm-dev") as Team);
const short = (steps: { what: string; subject: string }[]) =>
  steps.map(({ what, subject }) => `${what} ${subject}`);

const EXPECTED = [
  "skip team-lead",
  "roster-remove ann",
  "roster-remove ben",
  "skip cat",
  "skip dan",
  "mailbox-archive ann",
  "mailbox-archive zoe",
  "session-prune long-ago",
];
const DONE = EXPECTED.filter((step) => !step.startsWith("skip"));

test("the plan names each step with its evidence and touches nothing", () => {
  const home = aTeam();
  const before = home.read(`${TEAM}/config.json`);
  const steps = plan(home);
  expect(short(steps)).toEqual(EXPECTED);
  expect(steps[1]?.why).toBe("its session ended at 2026-02-20T11:00:00Z");
  expect(steps[2]?.why).toBe(`process ${dead.pid} has ended`);
  expect(steps[4]?.why).toContain("not proven dead; --force removes it");
  expect(home.read(`${TEAM}/config.json`)).toBe(before);
  expect(home.has(".claude/swarm/journal")).toBe(false);
});

test("doing it removes exactly that, loses no mail, and records each removal", () => {
  const home = aTeam();
  const call = aCall(home, [], {}, { env: { CLAUDE_CODE_SESSION_ID: "me" } });
  expect(short(cleanUp(call, "atm-dev"))).toEqual(EXPECTED);
  const config = home.json(`${TEAM}/config.json`);
  expect(config.members.map((one: any) => one.name)).toEqual(["team-lead", "cat", "dan"]);
  expect(config.extra).toBe(1);
  expect(home.json(`${TEAM}/archive/ann.removed-2026-02-20T12-00-00-000Z.json`)).toEqual([
    { text: "mail for ann" },
  ]);
  const gone = [`${TEAM}/inboxes/ann.json`, `${TEAM}/inboxes/zoe.json`].concat(
    ["sessions/long-ago.json", "spawns/long-ago.jsonl", "agents/long-ago"].map((it) => `.claude/swarm/${it}`),
  );
  expect(gone.filter(home.has)).toEqual([]);
  const kept = [`${TEAM}/inboxes/cat.json`, ".claude/swarm/sessions/lately/session.json"];
  expect(kept.filter(home.has)).toEqual(kept);
  const lines = home.lines(".claude/swarm/journal/2026-02-20.jsonl");
  expect(short(lines)).toEqual(DONE);
  expect(lines[0]).toMatchObject({
    feature: "cleanup",
    team: "atm-dev",
    session: "me",
    why: expect.any(String),
  });
  const again = short(plan(home));
  expect(again.filter((step) => !step.startsWith("skip"))).toEqual([]);
});

test("the mailbox of a lead that the roster does not list stays", () => {
  const home = aTeam({ members: [{ name: "cat", ...alive }] });
  home.write(`${TEAM}/inboxes/team-lead.json`, [{ text: "mail for the lead" }]);
  expect(short(plan(home))).not.toContain("mailbox-archive team-lead");
});

test("one member alone", () => {
  const home = aTeam();
  expect(short(plan(home, { agent: "ann" }))).toEqual(["roster-remove ann", "mailbox-archive ann"]);
  expect(() => plan(home, { agent: "nobody" })).toThrow("there is no nobody in team atm-dev");
});

test("a suspended team keeps its members, since resuming needs them", () => {
  const steps = short(plan(aTeam({ status: "suspended" })));
  expect(steps.filter((step) => step.startsWith("roster"))).toEqual([]);
});

test("native and unknown teams are refused", async () => {
  const home = aTeam();
  const cleanup = async (team: string) =>
    (await callSwarm(home, ["cleanup", team, "--members", "--yes"])).stderr;
  expect(await cleanup("session-0123abcd")).toContain("a team of the client");
  expect(await cleanup("nope")).toContain("there is no team nope");
  expect(home.has(".claude/teams/nope")).toBe(false);
});
