// What the relay says becomes the local config, and only where it is well formed.
import { mkdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { applyTasks, applyTeam, nothingSeen, take } from "../../lib/machines/mirror.ts";
import { KEYS } from "../../lib/machines/names.ts";
import { whyLost } from "../../lib/tasks/leases.ts";
import { lastId } from "../../lib/tasks/store.ts";
import { leadOf } from "../../lib/teams/store/config.ts";
import { aHome } from "../support/a-home.ts";
import { aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";

const change = (key: string, value: unknown, revision = 1) => ({
  key,
  text: typeof value === "string" ? value : JSON.stringify(value),
  revision,
  at: Date.now(),
});
const CLOCK = { clockMs: 0 };

describe("from the wire", () => {
  test.each([
    ["no JSON", change("task.1", "{")],
    ["another version", change("task.1", { v: 2, task: { subject: "s", status: "pending" } })],
    ["an unknown key", change("other.1", { v: 1 })],
    ["a member with a path for a name", change("roster.cloud.=2E=2E=2Fx", { v: 1 })],
    ["a state with an escape sequence", change("roster.cloud.bob", { v: 1, state: "\u001b[2J" })],
    ["a clock that no machine has", change("roster.cloud.bob", { v: 1, clockMs: 1e300 })],
    ["a member that is called like one of another machine", change("roster.evil.bob=40cloud", { v: 1 })],
    ["a member that is called like a person", change("roster.evil.person", { v: 1 })],
    ["a member that is called like a session without a team", change("roster.evil.Solo-1a2b", { v: 1 })],
    [
      "a lead whose machine is a text",
      change("lead", { v: 1, machine: "x. Run this now", agent: "y", at: "2026-02-20T12:00:00Z" }),
    ],
    [
      "a lead whose name is a path",
      change("lead", { v: 1, machine: "x", agent: "../y", at: "2026-02-20T12:00:00Z" }),
    ],
    ["a lead without a machine", change("lead", { v: 1, agent: "x", at: "2026-02-20T12:00:00Z" })],
  ])("%s is refused and counted", (_, bad) => {
    const seen = nothingSeen();
    take(seen, bad);
    expect(seen).toEqual({ ...nothingSeen(), refused: 1 });
  });

  test("a member elsewhere is listed with its machine, and what it may not say is left out", () => {
    const home = aHome();
    aTeam(home);
    const seen = nothingSeen();
    take(seen, change("roster.cloud.eve", { v: 1, state: "idle", pid: 1, sessionId: "s", backend: "tmux" }));
    take(seen, { ...change("roster.cloud.bob", { v: 1, left: true }), at: 1 });
    take(seen, { ...change("roster.cloud.dan", { v: 1 }), at: 2 });
    expect([...seen.machines]).toEqual([["cloud", seen.members.get("roster.cloud.eve")?.at]]);
    applyTeam({ paths: home.paths, team: TEAM, machine: "laptop" }, CLOCK, seen);
    const eve = home.json(CONFIG).members.find((one: any) => one.name === "eve");
    expect(eve).toMatchObject({ machine: "cloud", agent: "eve", state: "idle" });
    expect(Object.keys(eve)).not.toEqual(expect.arrayContaining(["pid"]));
    expect(eve.sessionId ?? eve.backend).toBeUndefined();
    expect(home.has(inboxOf("eve"))).toBe(true);
  });

  test("who leads is said by the lead's key alone", () => {
    const home = aHome();
    aTeam(home);
    const here = { paths: home.paths, team: TEAM, machine: "box" };
    const { leadAgentId } = home.json(CONFIG);
    const seen = nothingSeen();
    take(seen, change("lead", { v: 1, machine: "laptop", agent: "team-lead", at: "2026-02-20T12:00:00Z" }));
    const news = { v: 1, agentId: leadAgentId, agentType: "team-lead" };
    for (const machine of ["evil", "laptop"]) take(seen, change(`roster.${machine}.team-lead`, news));
    take(seen, change("roster.evil.eve", news));
    applyTeam(here, CLOCK, seen);
    const config = home.json(CONFIG);
    const of = (name: string) => config.members.find((one: any) => one.name === name);
    expect(of("team-lead")).toMatchObject({ machine: "laptop", agentId: leadAgentId });
    for (const name of ["team-lead@evil", "eve"]) {
      expect(of(name)).toMatchObject({ machine: "evil" });
      expect([of(name).agentId, of(name).agentType]).toEqual([undefined, undefined]);
    }
    expect(leadOf(config)).toBe("team-lead");
  });

  test("nobody else is called like the lead, also while the lead is not listed", () => {
    const home = aHome();
    aTeam(home);
    const seen = nothingSeen();
    take(seen, change("lead", { v: 1, machine: "laptop", agent: "boss", at: "2026-02-20T12:00:00Z" }));
    for (const agent of ["boss", "team-lead", "eve"]) take(seen, change(`roster.evil.${agent}`, { v: 1 }));
    applyTeam({ paths: home.paths, team: TEAM, machine: "box" }, CLOCK, seen);
    const remotes = home.json(CONFIG).members.filter((one: any) => one.machine);
    expect(remotes.map((one: any) => one.name)).toEqual(["boss@evil", "eve", "team-lead@evil"]);
  });

  test("a name that is too long with its machine leaves out that member alone", () => {
    const home = aHome();
    const long = "a".repeat(98);
    aTeam(home, ["team-lead", long]);
    const seen = nothingSeen();
    for (const agent of [long, "eve"]) take(seen, change(`roster.cloud.${agent}`, { v: 1 }));
    applyTeam({ paths: home.paths, team: TEAM, machine: "laptop" }, CLOCK, seen);
    expect(home.json(CONFIG).members.map((one: any) => one.name)).toEqual(["team-lead", long, "eve"]);
  });

  test("one machine cannot fill the config", () => {
    const seen = nothingSeen();
    for (let n = 0; n < 600; n++) take(seen, change(`roster.evil.a${n}`, { v: 1 }));
    take(seen, change("roster.cloud.bob", { v: 1 }));
    expect([seen.members.size, seen.refused]).toEqual([501, 100]);
  });

  test("a config that says nothing new is not written again", () => {
    const home = aHome();
    aTeam(home);
    const here = { paths: home.paths, team: TEAM, machine: "laptop" };
    const seen = nothingSeen();
    take(seen, change(KEYS.member({ machine: "cloud", agent: "eve" }), { v: 1, state: "idle", ageMs: 5 }));
    expect([applyTeam(here, CLOCK, seen), applyTeam(here, CLOCK, seen)]).toEqual([true, false]);
  });
});

test("a number that was given out elsewhere is not given again here, also when its task is gone", () => {
  const home = aHome();
  const here = { paths: home.paths, team: TEAM };
  const seen = nothingSeen();
  const last = (n: number) => take(seen, change("last-task", { v: 1, last: n }));
  last(7);
  const lock = home.path(`.claude/tasks/${TEAM}/.lock.lock`);
  mkdirSync(lock, { recursive: true });
  applyTasks(here, seen);
  expect(lastId(home.paths, TEAM)).toBe(0);
  rmSync(lock, { recursive: true });
  applyTasks(here, seen);
  expect(lastId(home.paths, TEAM)).toBe(7);
  last(3);
  applyTasks(here, seen);
  expect(lastId(home.paths, TEAM)).toBe(7);
});

test("a claim elsewhere is lost by that machine's word or by silence, as on one machine", () => {
  const now = new Date("2026-02-20T12:00:00Z");
  const sign = (life: "alive" | "gone", lastSeen: string) => [{ life, lastSeen, isBusy: false }];
  expect(whyLost(sign("gone", "2026-02-20T11:59:59Z"), Number.NaN, now, 300_000)).toBe("is gone");
  expect(whyLost(sign("alive", "2026-02-20T11:59:00Z"), Number.NaN, now, 300_000)).toBeUndefined();
  expect(whyLost(sign("alive", "2026-02-20T11:00:00Z"), Number.NaN, now, 300_000)).toContain("last seen");
});
