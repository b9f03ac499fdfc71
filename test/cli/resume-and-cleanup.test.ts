// Black box: who may take a team over, and what of a team may go (a known limitation of ATM hooks, solved).
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { ROOT, runSwarm, startScript } from "../support/run-built.ts";

const CONFIG = ".claude/teams/atm-dev/config.json";
const TIMES = { startedAt: "2026-02-20T10:00:00Z", lastSeen: "2026-02-20T11:00:00Z" };

const aSession = (home: Home, session: string, more: Record<string, unknown> = {}) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    session,
    state: "active",
    status: "done",
    ...TIMES,
    ...more,
  });
const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const by = (session: string) => ({ env: { CLAUDE_CODE_SESSION_ID: session } });

function aLedTeam(lead: Record<string, unknown>, members: Record<string, unknown>[] = []): Home {
  const home = aHome();
  home.write(CONFIG, {
    name: "atm-dev",
    status: "active",
    leadSessionId: "old",
    members: [{ name: "team-lead", sessionId: "old" }, ...members],
  });
  aSession(home, "old", lead);
  for (const session of ["new", "third"]) aSession(home, session, me);
  return home;
}

const journal = (home: Home) =>
  home.lines(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`);

test("a dead lead's team goes to the session that asks, and the journal says so", () => {
  const home = aLedTeam({ endedAt: "2026-02-20T11:00:00Z", endReason: "other" });
  expect(runSwarm(home, ["resume", "atm-dev"], by("new"))).toMatchObject({ exitCode: 0 });
  expect(home.json(CONFIG).leadSessionId).toBe("new");
  expect(journal(home)).toContainEqual(
    expect.objectContaining({ what: "lead-taken", before: "old", session: "new" }),
  );
});

test.each([
  ["alive", me, "the lead is alive"],
  ["unknown", {}, "the lead is not proven dead"],
])("a lead that is %s keeps its team, and the refusal has the evidence", (_, lead, why) => {
  const home = aLedTeam(lead);
  const refused = runSwarm(home, ["resume", "atm-dev"], by("new"));
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain(why);
  expect(home.json(CONFIG).leadSessionId).toBe("old");
  expect(runSwarm(home, ["resume", "atm-dev", "--force"], by("new")).exitCode).toBe(0);
  expect(home.json(CONFIG).leadSessionId).toBe("new");
  expect(journal(home)).toContainEqual(expect.objectContaining({ what: "lead-taken", isForced: true }));
});

test("the session may be named by hand", () => {
  const home = aLedTeam({ endedAt: "2026-02-20T11:00:00Z" });
  expect(runSwarm(home, ["resume", "atm-dev", "--session-id", "third"]).exitCode).toBe(0);
  expect(home.json(CONFIG).leadSessionId).toBe("third");
});

test("of two that resume at once exactly one leads", async () => {
  const home = aLedTeam({ endedAt: "2026-02-20T11:00:00Z" });
  const swarm = join(ROOT, "plugin/bin/swarm");
  const racers = ["new", "third"].map((session) =>
    startScript(swarm, ["resume", "atm-dev"], home, "", { CLAUDE_CODE_SESSION_ID: session }),
  );
  const codes = (await Promise.all(racers.map((one) => one.done))).map((ran) => ran.exitCode);
  expect(codes.sort()).toEqual([0, 1]);
  expect(["new", "third"]).toContain(home.json(CONFIG).leadSessionId);
});

test("cleanup of members shows first, removes only the dead, and records each removal", () => {
  const gone = spawnSync("true").pid;
  const home = aLedTeam(me, [
    { name: "dead", pid: gone, pidStartedAt: "1" },
    { name: "living", ...me },
    { name: "nobody-knows" },
  ]);
  const names = () => home.json(CONFIG).members.map((one: { name: string }) => one.name);
  const shown = runSwarm(home, ["cleanup", "atm-dev", "--members"], by("old"));
  expect(shown.stdout).toContain("roster-remove    dead");
  expect(shown.stdout).toContain("Nothing done yet");
  expect(names()).toEqual(["team-lead", "dead", "living", "nobody-knows"]);
  expect(runSwarm(home, ["cleanup", "atm-dev", "--members", "--yes"], by("old")).exitCode).toBe(0);
  expect(names()).toEqual(["team-lead", "living", "nobody-knows"]);
  expect(journal(home)).toContainEqual(expect.objectContaining({ what: "roster-remove", subject: "dead" }));
});
