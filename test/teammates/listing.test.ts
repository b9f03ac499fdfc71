// What verbs say about teams is so: a dead lead does not run, advice is not refused afterwards, a team without a status is active.
import { expect, test } from "vitest";
import { SessionEnd } from "../../lib/hook/events.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as teammates from "../../lib/teammates/hooks/teammates.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, spawn } from "../support/a-spawn.ts";
import { as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

const ALIVE = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const KILLED = { pid: 4_194_300, pidStartedAt: "1" };
const record = (home: Home, session: string, more: object) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, {
    ...{ session, state: "idle", status: "idle", startedAt: "x", lastSeen: "x" },
    ...more,
  });

test.each([
  ["a killed lead does not run", KILLED, "lead lead-ses (gone)  1 member, 0 running"],
  ["a living one does", ALIVE, "lead lead-ses  1 member, 1 running"],
])("list-teams: %s", async (_, process, line) => {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "lead-session", backend: "joined", ...process }]);
  record(home, "lead-session", process);
  expect((await callSwarm(home, ["list-teams"])).stdout).toContain(line);
});

test("cleanup's advice is not refused afterwards", async () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "bob", backend: "headless", ...ALIVE, status: "active" }]);
  const { stdout } = await callSwarm(home, ["cleanup", TEAM]);
  expect(stdout).toContain(`run \`swarm cleanup ${TEAM} --force\`, or \`swarm suspend ${TEAM}\` first`);
  expect(stdout).not.toContain("run `swarm cleanup atm-dev --yes`");
  aTeam(home, ["team-lead"]);
  const quiet = await callSwarm(home, ["cleanup", TEAM]);
  expect(quiet.stdout).toContain("run `swarm cleanup atm-dev --yes`");
  expect(await callSwarm(home, ["cleanup", TEAM, "--yes"])).toMatchObject({ exitCode: 0 });
});

test("a team without a status is an active one", async () => {
  const home = aHome();
  aTeam(home);
  const { status: _, ...config } = home.json(CONFIG);
  home.write(CONFIG, config);
  record(home, "lead-session", { team: TEAM, agent: "team-lead", isLead: true, kind: "lead" });
  expect((await callSwarm(home, ["list-teams"])).stdout).toContain(`${TEAM}  active`);
  const other = await callSwarm(home, ["create", "other"], { env: as("team-lead") });
  expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`team-lead in team ${TEAM}`) });
  const end = aContext(
    home,
    SessionEnd,
    { session_id: "lead-session", reason: "other" },
    { env: as("team-lead") },
  );
  expect(teammates.sessionEnd(end)).toBeDefined();
});

test("orchestrators need a name inside a named team too; config says where the default applies", async () => {
  const home = aHome();
  aTeam(home);
  expect(spawn(home, agent("scrum-master"), {}, { env: as("team-lead") }).rule).toBe("orchestrator-named");
  expect(spawn(home, agent("scrum-master")).rule).toBeUndefined();
  const { stdout } = await callSwarm(home, ["config", "gate.orchestrators"]);
  expect(stdout).toContain("(default, in a project with an .atm.toml, and inside a named team)");
  home.write(".claude/swarm/settings.toml", '[gate]\norchestrators = ["x"]\n');
  expect((await callSwarm(home, ["config", "gate.orchestrators"])).stdout).not.toContain(
    "inside a named team",
  );
});

test("session show finds a session by the id of its spawn wrapper", async () => {
  const home = aHome();
  record(home, "s-1", { wrapper: "wrap-1", lastSeen: "2026-01-01T00:00:00Z" });
  record(home, "s-2", { wrapper: "wrap-1", lastSeen: "2026-01-02T00:00:00Z" });
  const { stdout } = await callSwarm(home, ["session", "show", "wrap-1", "--json"]);
  expect(JSON.parse(stdout).session).toBe("s-2");
});
