// What verbs say about teams is so: a dead lead does not run, advice is not refused afterwards, a team without a status is active.
import { expect, test } from "vitest";
import { SessionEnd } from "../../lib/hook/events.ts";
import { writeRelay } from "../../lib/machines/store/relay.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as teammates from "../../lib/teammates/hooks/teammates.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { agent, spawn } from "../support/a-spawn.ts";
import { aTask } from "../support/a-task.ts";
import { aMessage, as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
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

test("list-teams and gc --all: a member that joined runs unless it is marked as ended or proven gone", async () => {
  const home = aHome();
  aTeam(home, [
    { name: "team-lead", backend: "joined", status: "offline", ...ALIVE },
    { name: "bob", backend: "joined", ...ALIVE },
    { name: "eve", backend: "joined" },
  ]);
  expect((await callSwarm(home, ["list-teams"])).stdout).toContain("3 members, 2 running");
  expect((await callSwarm(home, ["gc", "--all"])).stdout).toContain("bob, eve may be running");
});

test("the tasks of a team on a relay keep their owner when it joins under another name, also without members elsewhere", async () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "ada", sessionId: "s-2", ...ALIVE }]);
  record(home, "s-2", { ...ALIVE, team: TEAM, agent: "ada" });
  home.write(`.claude/tasks/${TEAM}/1.json`, aTask("1", { status: "in_progress", owner: "ada" }));
  writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "laptop"));
  const env = { CLAUDE_CODE_SESSION_ID: "s-2" };
  const { stdout } = await callSwarm(home, ["join", TEAM, "--name", "eve"], { env });
  expect(stdout).toContain("It was ada; unread mail of ada is now eve's.");
  expect(home.json(`.claude/tasks/${TEAM}/1.json`).owner).toBe("ada");
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

test("a cleanup that was killed after its mark is finished by the next", async () => {
  const home = aHome();
  aTeam(home, ["team-lead"]);
  home.write(CONFIG, { ...home.json(CONFIG), status: "archived" });
  expect((await callSwarm(home, ["resume", TEAM])).stderr).toContain(
    `\`swarm cleanup ${TEAM} --yes\` finishes`,
  );
  expect((await callSwarm(home, ["cleanup", TEAM, "--yes"])).stdout).toContain(`Archived team ${TEAM}`);
  expect(home.has(CONFIG)).toBe(false);
});

test.each([["--yes"], ["--force"]])(
  "cleanup %s archives the team: its config says so, its sessions are free",
  async (flag) => {
    const home = aHome();
    aTeam(home, [
      { name: "odd", sessionId: "../odd" },
      { name: "team-lead", sessionId: "lead-session" },
    ]);
    record(home, "lead-session", { team: TEAM, agent: "team-lead", isLead: true, kind: "lead" });
    home.write(`.claude/tasks/${TEAM}/1.json`, {});
    const { path } = JSON.parse((await callSwarm(home, ["cleanup", TEAM, flag, "--json"])).stdout);
    const archived = path.slice(home.root.length + 1);
    expect(home.json(`${archived}/team/config.json`)).toMatchObject({ status: "archived", name: TEAM });
    expect([home.has(CONFIG), home.has(`${archived}/tasks/1.json`)]).toEqual([false, true]);
    const { team, kind } = home.json(".claude/swarm/sessions/lead-session/session.json");
    expect({ team, kind }).toEqual({ team: undefined, kind: "solo" });
    const all = await callSwarm(home, ["list-teams", "--all"]);
    expect(all.stdout).toContain(`${TEAM}  archived`);
    expect((await callSwarm(home, ["list-teams"])).stdout).toBe("(1 archived; --all lists them)\n");
  },
);

test("a team with the longest name is archived, and found again", async () => {
  const home = aHome();
  const name = "a".repeat(100);
  await callSwarm(home, ["create", name]);
  expect(await callSwarm(home, ["cleanup", name, "--yes"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await callSwarm(home, ["list-teams", "--all"])).stdout).toMatch(/^a{100} {2}archived /);
});

test("a session has one name in a team: with another one its mail and open tasks come along", async () => {
  const home = aHome();
  const session = (name: string, env = {}) => ({ env: { CLAUDE_CODE_SESSION_ID: name, ...env } });
  const CONFIG = ".claude/teams/red/config.json";
  for (const id of ["s-1", "s-2", "s-3"]) record(home, id, ALIVE);
  await callSwarm(home, ["create", "red"], session("s-1"));
  await callSwarm(home, ["join", "red", "--name", "ada", "--type", "tester"], session("s-2"));
  const { agentId, color } = home.json(CONFIG).members[1];
  await callSwarm(home, ["send", "ada", "look at this"], session("s-1"));
  await callSwarm(home, ["task", "create", "write"], session("s-2"));
  await callSwarm(home, ["task", "claim", "1"], session("s-2"));
  const { stdout } = await callSwarm(home, ["join", "red", "--name", "eve"], session("s-2"));
  expect(stdout).toBe(
    "this session is now eve in team red\nIt was ada; unread mail and open tasks of ada are now eve's.\n",
  );
  expect(home.json(CONFIG).members.slice(1)).toEqual([
    expect.objectContaining({ name: "eve", agentId, color, agentType: "tester", sessionId: "s-2" }),
  ]);
  expect(home.json(".claude/swarm/sessions/s-2/session.json")).toMatchObject({ team: "red", agent: "eve" });
  expect(home.json(".claude/teams/red/inboxes/ada.json")).toEqual([]);
  const outbox = await callSwarm(home, ["outbox", "--json"], session("s-1"));
  expect(JSON.parse(outbox.stdout)).toMatchObject([{ to: "eve", state: "queued" }]);
  expect((await callSwarm(home, ["inbox"], session("s-2"))).stdout).toContain("look at this");
  expect(home.json(".claude/tasks/red/1.json").owner).toBe("eve");
  expect((await callSwarm(home, ["send", "ada", "x"], session("s-1"))).exitCode).not.toBe(0);

  // one that was started under its name keeps it: its environment would contradict its record
  const env = { CLAUDE_CODE_TEAM_NAME: "red", CLAUDE_CODE_AGENT_NAME: "dan" };
  await callSwarm(home, ["join", "red", "--name", "dan"], session("s-3", env));
  const before = home.json(CONFIG);
  const refused = "this session was started as dan in team red, and a session has one name in a team";
  expect((await callSwarm(home, ["join", "red", "--name", "zoe"], session("s-3", env))).stderr).toContain(
    refused,
  );
  expect(home.json(CONFIG)).toEqual(before);
  record(home, "s-3", { ...ALIVE, team: "red", agent: "dan", kind: "named", evidence: ["environment"] });
  expect((await callSwarm(home, ["join", "red", "--name", "zoe"], session("s-3"))).stderr).toContain(refused);
});

test.each<[string, object[], boolean]>([
  ["comes along", [], true],
  ["is somebody else's by now", [{ name: "ada", sessionId: "s-3" }], false],
])(
  "a join that was interrupted before the mail was moved is finished by the next: what the old name has %s",
  async (_, others, moves) => {
    const home = aHome();
    const members = [{ name: "team-lead" }, { name: "eve", sessionId: "s-2", backend: "joined" }, ...others];
    home.write(".claude/teams/red/config.json", { name: "red", status: "active", members });
    record(home, "s-2", { ...ALIVE, team: "red", agent: "ada", kind: "named", evidence: ["swarm join"] });
    home.write(".claude/teams/red/inboxes/ada.json", [aMessage("team-lead", "look at this")]);
    home.write(".claude/tasks/red/1.json", aTask("1", { owner: "ada", status: "in_progress" }));
    const env = { CLAUDE_CODE_SESSION_ID: "s-2" };
    const { stdout } = await callSwarm(home, ["join", "red", "--name", "eve"], { env });
    expect(stdout.includes("It was ada; unread mail and open tasks of ada are now eve's.")).toBe(moves);
    expect(home.json(".claude/teams/red/inboxes/eve.json")).toHaveLength(moves ? 1 : 0);
    expect(home.json(".claude/tasks/red/1.json").owner).toBe(moves ? "eve" : "ada");
  },
);

test("who creates or joins is on record as that; a name is free when its session is gone", async () => {
  const home = aHome();
  const session = (name: string) => ({ env: { CLAUDE_CODE_SESSION_ID: name } });
  const known = (name: string) => home.json(`.claude/swarm/sessions/${name}/session.json`);
  record(home, "s-1", { ...ALIVE, transcript: "kept" });
  record(home, "s-2", ALIVE);
  expect((await callSwarm(home, ["create", "red", "two", "words"], session("s-1"))).stdout).toContain(
    "You lead it.",
  );
  expect(home.json(".claude/teams/red/config.json")).toMatchObject({
    description: "two words",
    leadSessionId: "s-1",
  });
  const lead = { team: "red", agent: "team-lead", isLead: true, kind: "lead", evidence: ["swarm create"] };
  expect(known("s-1")).toMatchObject({ ...lead, transcript: "kept" });
  const join = (name: string, by: string) => callSwarm(home, ["join", "red", "--name", name], session(by));
  expect((await join("ada", "s-2")).stdout).toBe("this session is now ada in team red\n");
  expect(known("s-2")).toMatchObject({
    team: "red",
    agent: "ada",
    isLead: false,
    kind: "named",
    evidence: ["swarm join"],
  });
  expect((await join("ada", "s-2")).exitCode).toBe(0); // its own name again
  expect((await join("ada", "s-3")).stderr).toContain("ada is taken by session s-2");
  const config = home.json(".claude/teams/red/config.json");
  const member = config.members[1];
  home.write(".claude/teams/red/config.json", {
    ...config,
    members: [config.members[0], { ...member, ...KILLED }],
  });
  expect((await join("ada", "s-3")).exitCode).toBe(0);
  expect(home.json(".claude/teams/red/config.json").members[1]).toMatchObject({
    ...{ sessionId: "s-3", agentId: member.agentId, color: member.color },
  });
  expect((await join("bob", "s-1")).stderr).toContain("this session leads red");
  expect((await join("team-lead", "s-4")).stderr).toContain("a lead does not join");
  expect((await callSwarm(home, ["join", "red", "--name", "bob"])).stderr).toContain(
    "only a session can join",
  );
  home.write(".claude/teams/red/config.json", { ...config, status: "suspended" });
  expect((await join("bob", "s-4")).stderr).toContain("the team red is suspended");
  // the lead of a suspended team may create the next one
  expect((await callSwarm(home, ["create", "blue"], session("s-1"))).exitCode).toBe(0);
  expect((await callSwarm(home, ["create", "red"], session("s-9"))).stderr).toContain(
    "team red already exists (suspended); `swarm resume red` continues it",
  );
  expect((await callSwarm(home, ["create", "green"])).stdout).toContain("It has no lead yet");
  home.write(".claude/teams/halfway/inboxes/team-lead.json", []); // its creator was killed
  expect((await callSwarm(home, ["create", "halfway"], session("s-9"))).stderr).toContain(
    "teams/halfway is there without a config.json that can be read; move it away or choose another name",
  );
});

test("onboard offers the rules once, and says when the window is not known", async () => {
  const home = aHome();
  aTeam(home, ["team-lead"]);
  const line = { type: "assistant", message: { model: "another-model", usage: { input_tokens: 9 } } };
  home.write("t.jsonl", `${JSON.stringify(line)}\n`);
  record(home, "lead-session", {
    team: TEAM,
    agent: "team-lead",
    isLead: true,
    transcript: home.path("t.jsonl"),
  });
  const onboard = async () => (await callSwarm(home, ["onboard"], { env: as("team-lead") })).stdout;
  const first = await onboard();
  expect(first).toMatch(/^--> 2\. Let the client run[\s\S]*^\[x\] 3\. [\s\S]*^\[ \] 4\. /m);
  expect(first).toContain("The context window of this session's model is not known");
  home.write(".claude/swarm/settings.toml", "[context]\nwindow = 200000\n");
  const second = await onboard();
  expect(second).toMatch(/^\[ \] 2\. [\s\S]*^--> 4\. Open a teammate/m);
  expect(second).not.toContain("is not known");
  expect((await callSwarm(aHome(), ["onboard"])).stdout).not.toContain("is not known");
  aTeam(home, ["team-lead", "of/another tool"]);
  expect(await onboard()).toMatch(/^\[x\] 4\. Open a teammate/m);
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
