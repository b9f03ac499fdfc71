// The relay through the built `swarm`, as a person uses it: three homes are three machines.
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aHome, type Home } from "../../support/a-home.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { cleanEnv, ROOT } from "../../support/run-built.ts";

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

const swarm = (home: Home, args: string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, "plugin/bin/swarm"), ...args], {
      cwd: home.project,
      env: cleanEnv(home, env),
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    child.on("close", (code) => resolve({ code, out: out.trim(), err: err.trim() }));
  });

const as = (agent: string) => ({
  CLAUDE_CODE_SESSION_ID: `s-${agent}`,
  CLAUDE_CODE_TEAM_NAME: "demo",
  CLAUDE_CODE_AGENT_NAME: agent,
});
const relayFile = ".claude/swarm/relay/teams/demo.json";

describe.skipIf(whyNoServer())("swarm relay", () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  const fresh = async () => {
    await server.remove();
    server = await aServer();
    const [laptop, cloud] = [aHome(), aHome()];
    expect((await swarm(laptop, ["create", "demo"])).code).toBe(0);
    const first = await swarm(laptop, ["relay", "join", server.url, "--team", "demo", "--machine", "laptop"]);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("team demo is on the relay now") });
    const second = await swarm(cloud, ["relay", "join", server.url, "--team", "demo", "--machine", "cloud"]);
    expect(second).toMatchObject({
      code: 0,
      out: expect.stringContaining("this machine is cloud in the team demo; also there: laptop"),
    });
    return { laptop, cloud };
  };
  const member = async (home: Home, name: string, session: string) => {
    const joined = await swarm(home, ["join", "demo", "--name", name, "--session-id", session]);
    expect(joined).toMatchObject({ code: 0 });
    await swarm(home, ["relay", "sync"]);
  };

  test("mail, its states, and an address with its machine", async () => {
    const { laptop, cloud } = await fresh();
    await member(laptop, "alice", "s-alice");
    await member(cloud, "bob", "s-bob");
    await swarm(laptop, ["relay", "sync"]);
    const sent = await swarm(laptop, ["send", "bob", "hello", "there"], as("alice"));
    expect(sent.out).toMatch(/ to bob: queued$/);
    const [id = ""] = sent.out.split(" ");
    const state = async () => (await swarm(laptop, ["outbox"], as("alice"))).out;
    expect(await state()).toContain(`${id}`);
    expect(await state()).toContain("to bob  queued");
    expect((await swarm(laptop, ["relay", "sync"])).out).toBe("demo: one round done, 0 delivered");
    expect(await state()).toContain("to bob  relayed");
    expect((await swarm(cloud, ["relay", "sync"])).out).toBe("demo: one round done, 1 delivered");
    expect((await swarm(cloud, ["inbox"], as("bob"))).out).toContain("hello there");
    await swarm(cloud, ["relay", "sync"]);
    await swarm(laptop, ["relay", "sync"]);
    expect(await state()).toContain("to bob  shown");
    expect((await swarm(laptop, ["send", "bob@cloud", "again"], as("alice"))).out).toMatch(
      / to bob: queued$/,
    );
    expect((await swarm(laptop, ["send", "bob@nowhere", "x"], as("alice"))).code).toBe(1);
    const all = await swarm(cloud, ["broadcast", "to", "all"], as("bob"));
    expect(all.out).toContain("to 2 of 2: alice, team-lead");
  });

  test("one task list: numbers, claims and ends are the relay's", async () => {
    const { laptop, cloud } = await fresh();
    await member(laptop, "alice", "s-alice");
    await member(cloud, "bob", "s-bob");
    const one = await swarm(laptop, ["task", "create", "first"], as("alice"));
    const two = await swarm(cloud, ["task", "create", "second"], as("bob"));
    expect([one.out, two.out]).toEqual([
      expect.stringContaining("created #1"),
      expect.stringContaining("created #2"),
    ]);
    expect((await swarm(cloud, ["task", "list"], as("bob"))).out).toContain("first");
    const claims = await Promise.all([
      swarm(laptop, ["task", "claim", "1"], as("alice")),
      swarm(cloud, ["task", "claim", "1"], as("bob")),
    ]);
    expect(claims.map(({ code }) => code).sort()).toEqual([0, 1]);
    const winner = claims[0]?.code === 0 ? "alice" : "bob";
    expect(claims.find(({ code }) => code === 1)?.err).toContain(`Task #1 is ${winner}'s`);
    const home = winner === "alice" ? laptop : cloud;
    expect((await swarm(home, ["task", "done", "1"], as(winner))).code).toBe(0);
    await swarm(laptop, ["relay", "sync"]);
    await swarm(cloud, ["relay", "sync"]);
    for (const where of [laptop, cloud])
      expect(where.json(".claude/tasks/demo/1.json")).toMatchObject({ status: "completed", owner: winner });
    await swarm(cloud, ["task", "delete", "2"], as("bob"));
    await swarm(laptop, ["relay", "sync"]);
    expect(laptop.has(".claude/tasks/demo/2.json")).toBe(false);
  });

  test("a machine whose copy of the list is old may join again, one with tasks of its own may not", async () => {
    const { laptop, cloud } = await fresh();
    await member(laptop, "alice", "s-alice");
    for (const subject of ["first", "second"]) await swarm(laptop, ["task", "create", subject], as("alice"));
    await swarm(cloud, ["relay", "sync"]);
    await swarm(laptop, ["task", "claim", "1"], as("alice"));
    const join_ = () => swarm(cloud, ["relay", "join", server.url, "--team", "demo", "--machine", "cloud"]);
    expect(await join_()).toMatchObject({ code: 0 });
    expect(cloud.json(".claude/tasks/demo/1.json").owner).toBe("alice");
    await swarm(cloud, ["relay", "leave"]);
    await swarm(laptop, ["task", "update", "1", "--comment", "on it"], as("alice"));
    expect(await join_()).toMatchObject({ code: 0 });
    await swarm(cloud, ["relay", "leave"]);
    expect(await swarm(cloud, ["task", "create", "its own", "--team", "demo"])).toMatchObject({ code: 0 });
    await swarm(laptop, ["task", "create", "third"], as("alice"));
    expect(await join_()).toMatchObject({
      code: 1,
      err: expect.stringContaining("this machine has 1 task of its own in the list demo (#3 first)"),
    });
  });

  test("offline, create and claim are refused with the reason, and what is known can still be read", async () => {
    const { laptop } = await fresh();
    await member(laptop, "alice", "s-alice");
    await swarm(laptop, ["task", "create", "first"], as("alice"));
    await server.kill();
    for (const act of [
      ["create", "second"],
      ["claim", "1"],
      ["update", "1", "--status", "in_progress"],
      ["delete", "1"],
    ]) {
      const refused = await swarm(laptop, ["task", ...act], as("alice"));
      expect(refused.code).toBe(1);
      expect(refused.err).toMatch(
        /^swarm: tasks of demo are decided on its relay: cannot reach the relay at nats:.*; nothing was changed$/,
      );
    }
    expect((await swarm(laptop, ["task", "list"], as("alice"))).out).toContain("first");
    expect(laptop.json(".claude/tasks/demo/1.json")).toMatchObject({ status: "pending" });
    const sync = await swarm(laptop, ["relay", "sync"]);
    expect(sync).toMatchObject({ code: 1, err: expect.stringContaining("cannot reach the relay") });
    await server.start();
  });

  test("the lead moves only with proof, and the old lead learns it", async () => {
    const { laptop, cloud } = await fresh();
    laptop.write(".claude/swarm/sessions/s-lead/session.json", {
      session: "s-lead",
      state: "idle",
      status: "done",
      startedAt: "2026-02-20T12:00:00Z",
      lastSeen: new Date().toISOString(),
      pid: process.pid,
    });
    expect((await swarm(laptop, ["lead", "take", "demo", "--session-id", "s-lead"])).code).toBe(0);
    await swarm(laptop, ["relay", "sync"]);
    const refused = await swarm(cloud, ["lead", "take", "demo", "--session-id", "s-other"]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("the lead is not proven dead: team-lead on laptop"),
    });
    const forced = await swarm(cloud, ["lead", "take", "demo", "--session-id", "s-other", "--force"]);
    expect(forced).toMatchObject({ code: 0, out: expect.stringContaining("session s-other now leads demo") });
    await swarm(cloud, ["relay", "sync"]);
    // Before it has learned of it.
    const lead = { ...as("team-lead"), CLAUDE_CODE_SESSION_ID: "s-lead" };
    expect(await swarm(laptop, ["task", "create", "in the lead's name"], lead)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /you no longer lead demo: team-lead on cloud does \(token \d+\); nothing was changed/,
      ),
    });
    await swarm(laptop, ["relay", "sync"]);
    const { members, leadSessionId } = laptop.json(".claude/teams/demo/config.json");
    expect(leadSessionId).toBeUndefined();
    expect(members.map((one: any) => `${one.name} ${one.machine ?? "here"}`).sort()).toEqual([
      "team-lead cloud",
      "team-lead-laptop here",
    ]);
    expect(laptop.json(".claude/teams/demo/inboxes/team-lead-laptop.json")[0].text).toMatch(
      /^You no longer lead demo: team-lead on cloud does \(token \d+\)/,
    );
    expect(laptop.json(".claude/swarm/sessions/s-lead/session.json")).toMatchObject({
      agent: "team-lead-laptop",
      isLead: false,
    });
    const again = await swarm(laptop, ["lead", "take", "demo", "--session-id", "s-lead"]);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("team-lead on cloud") });
  });

  test("the lead moves without force when its own machine has proven it gone", async () => {
    const { laptop, cloud } = await fresh();
    const record = {
      session: "s-lead",
      state: "idle",
      status: "done",
      startedAt: "2026-02-20T12:00:00Z",
      lastSeen: new Date().toISOString(),
      pid: process.pid,
    };
    laptop.write(".claude/swarm/sessions/s-lead/session.json", record);
    expect((await swarm(laptop, ["lead", "take", "demo", "--session-id", "s-lead"])).code).toBe(0);
    laptop.write(".claude/swarm/sessions/s-lead/session.json", {
      ...laptop.json(".claude/swarm/sessions/s-lead/session.json"),
      endedAt: new Date().toISOString(),
      endReason: "prompt_input_exit",
    });
    await swarm(laptop, ["relay", "sync"]);
    const taken = await swarm(cloud, ["lead", "take", "demo", "--session-id", "s-other"]);
    expect(taken).toMatchObject({ code: 0, out: expect.stringContaining("session s-other now leads demo") });
    await swarm(laptop, ["relay", "sync"]);
    expect((await swarm(laptop, ["lead", "show", "demo"])).out).toMatch(
      /^demo is led by team-lead on cloud \(token \d+\)$/,
    );
    const cleanup = await swarm(cloud, ["cleanup", "demo", "--yes"]);
    expect(cleanup).toMatchObject({ code: 1, err: expect.stringContaining("relay leave --team demo") });
  });

  test("secrets stay in the person's own directory, readable for nobody else", async () => {
    const { laptop } = await fresh();
    expect(statSync(laptop.path(relayFile)).mode & 0o777).toBe(0o600);
    laptop.write("project/token", "abc");
    const open = await swarm(laptop, [
      "relay",
      "join",
      server.url,
      "--team",
      "demo",
      "--token-file",
      "token",
    ]);
    expect(open).toMatchObject({ code: 1, err: expect.stringContaining("chmod 600") });
  });

  test("a second machine of the same name, a bad address, a team nobody has", async () => {
    const { laptop } = await fresh();
    const home = aHome();
    expect(
      (await swarm(home, ["relay", "join", server.url, "--team", "demo", "--machine", "laptop"])).err,
    ).toContain("a machine called laptop is in the team demo already");
    expect(home.has(".claude/teams/demo")).toBe(false);
    expect((await swarm(home, ["relay", "join", "http://x", "--team", "demo"])).code).toBe(2);
    expect(
      (await swarm(home, ["relay", "join", server.url, "--team", "other", "--machine", "m"])).err,
    ).toContain("neither the relay nor this machine knows a team other");
    expect((await swarm(home, ["relay", "sync"])).err).toContain("no team here has a relay");
    expect((await swarm(laptop, ["join", "demo", "--name", "bob", "--session-id", "s"])).code).toBe(0);
  });

  test("status says what is known, leave takes the machine out", async () => {
    const { laptop, cloud } = await fresh();
    const status = await swarm(cloud, ["relay", "status"]);
    expect(status.out).toContain(`demo: ${server.url}, this machine is cloud`);
    expect(status.out).toContain("no courier runs");
    expect(status.out).toMatch(/server: nats-server 2\.\d+\.\d+, clock [+-]\d+ ms; /);
    const spawned = await swarm(
      cloud,
      ["spawn", "carl", "--team", "demo", "--backend", "headless", "--dry-run"],
      {
        CLAUDE_CODE_TEAMMATE_COMMAND: process.execPath,
      },
    );
    expect(spawned).toMatchObject({ code: 0, out: expect.stringContaining("carl") });
    expect((await swarm(cloud, ["relay", "leave"])).out).toContain("cloud has left the team demo");
    expect(cloud.has(relayFile)).toBe(false);
    expect(cloud.json(".claude/teams/demo/config.json").members).toEqual([]);
    await swarm(laptop, ["relay", "sync"]);
    expect(readFileSync(laptop.path(".claude/teams/demo/config.json"), "utf8")).not.toContain("cloud");
  });
});
