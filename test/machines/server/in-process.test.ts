// The courier, the bridge and the verbs in this process, against one server: quicker than the processes that they are otherwise.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import { jetstreamManager } from "@nats-io/jetstream";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openBridge } from "../../../lib/machines/bridge.ts";
import { serveBridge } from "../../../lib/machines/bridge-worker.ts";
import { connect, within } from "../../../lib/machines/connection.ts";
import { runCourier, statusWriter } from "../../../lib/machines/courier.ts";
import { closeEngine, type Engine, openEngine, readSince } from "../../../lib/machines/engine.ts";
import { hereOf } from "../../../lib/machines/here.ts";
import { joinRelay, leaveRelay } from "../../../lib/machines/membership.ts";
import { withLead, withTasks } from "../../../lib/machines/relayed.ts";
import { makeConfig, serve } from "../../../lib/machines/server.ts";
import { readStatus, writeRelay } from "../../../lib/machines/store/relay.ts";
import { syncTeams } from "../../../lib/machines/sync.ts";
import { teamCourier } from "../../../lib/machines/team-courier.ts";
import { aCourier, living, until } from "../../support/a-courier.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { aTask } from "../../support/a-task.ts";
import { aMessage, aTeam, CONFIG, inboxOf, TEAM } from "../../support/a-team.ts";
import { callSwarm } from "../../support/call-swarm.ts";

const BUILT = join(import.meta.dirname, "..", "..", "..", "plugin");
const REQUEST = ".claude/swarm/relay/sync-request";
const LOCK = ".claude/swarm/relay/courier.lock";
const AT = "2026-02-20T12:00:00Z";

describe.skipIf(whyNoServer())("in this process", () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  beforeEach(async () => {
    await server.remove();
    server = await aServer();
  });
  afterAll(() => server.remove());

  const both = async (): Promise<[Machine, Machine]> => [
    await aMachine(server.url, "laptop", ["alice"], true),
    await aMachine(server.url, "cloud", ["bob"]),
  ];

  test("a courier carries both ways, answers a sync, has a supervisor started, and ends when it is asked to", async () => {
    const [laptop, cloud] = await both();
    living(cloud.home);
    cloud.home.write("started", "");
    const { over, end } = aCourier(cloud.home);
    const status = () => readStatus(cloud.home.paths, TEAM);
    await until("the connection", () => status()?.connectedSince);
    expect(await runCourier({ paths: cloud.home.paths, ownRoot: cloud.home.root })).toBe(false);
    await until("a supervisor", () => cloud.home.read("started") === "relay supervise");
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    await until("the mail", () => cloud.inbox("bob").some((one) => one.id === id));
    const back = cloud.send("bob", "alice", "and back");
    await until("its state", () =>
      cloud.inbox("alice").some((one) => one.id === back && one.state === "relayed"),
    );
    cloud.home.write(REQUEST, String(Date.now() + 60_000));
    const [synced] = await syncTeams(cloud.home.paths, [TEAM]);
    expect(synced?.how).toBe("the courier's round is done");
    expect(status()?.synced).toBe(Number(cloud.home.read(REQUEST)));
    expect(status()).toMatchObject({ pid: process.pid, lead: { machine: "laptop", agent: "team-lead" } });
    expect(await end()).toBe(true);
    expect(await over).toBe(true);
    expect(cloud.home.has(LOCK)).toBe(false);
    expect([status()?.connectedSince, status()?.error]).toEqual([undefined, undefined]);
  });

  test("a courier goes on when the server is back", async () => {
    const [laptop, cloud] = await both();
    living(cloud.home);
    const { end } = aCourier(cloud.home);
    const status = () => readStatus(cloud.home.paths, TEAM);
    const since = await until("the connection", () => status()?.connectedSince);
    await server.kill();
    await until("the reason", () => status()?.error?.includes("cannot reach"));
    const id = cloud.send("bob", "alice", "meanwhile");
    await server.start();
    await until("the connection", () => status()?.connectedSince && status()?.connectedSince !== since);
    await until("its state", () =>
      cloud.inbox("alice").some((one) => one.id === id && one.state === "relayed"),
    );
    expect(status()?.error).toBeUndefined();
    await end();
    await laptop.round();
    expect(laptop.inbox("alice").map((one) => one.id)).toEqual([id]);
  });

  test("tasks and the lead over the bridge", async () => {
    const [laptop, cloud] = await both();
    const on = ({ home }: Machine) => ({ paths: home.paths, ownRoot: BUILT });
    const lead = { agent: "team-lead", isLead: true };
    const reserve = (machine: Machine, who: { agent: string; isLead: boolean }) =>
      withTasks(on(machine), TEAM, who, (authority) => authority.reserve());
    expect([reserve(laptop, lead), reserve(cloud, { agent: "bob", isLead: false })]).toEqual([1, 2]);
    const task = aTask("2", { subject: "over the bridge" });
    withTasks(on(cloud), TEAM, { agent: "bob", isLead: false }, ({ commit }) => {
      expect(commit("2", null, task)).toBeUndefined();
      expect(commit("2", null, aTask("2", { status: "completed" }))).toMatchObject({
        present: { subject: task.subject },
      });
    });
    await laptop.round();
    expect(laptop.home.json(`.claude/tasks/${TEAM}/2.json`)).toMatchObject({ subject: "over the bridge" });
    await cloud.round();
    expect(() => withLead(on(cloud), TEAM, false, () => "taken")).toThrow(
      "not proven dead: team-lead on laptop",
    );
    living(laptop.home, { session: "lead-session", agent: "team-lead", endedAt: new Date().toISOString() });
    laptop.home.write(
      ".claude/swarm/sessions/lead-session/session.json",
      laptop.home.json(".claude/swarm/sessions/s-1/session.json"),
    );
    const config = laptop.home.json(CONFIG);
    laptop.home.write(CONFIG, {
      ...config,
      members: config.members.map((one: any) =>
        one.name === "team-lead" ? { ...one, sessionId: "lead-session" } : one,
      ),
    });
    await laptop.round();
    expect(withLead(on(cloud), TEAM, false, () => "taken")).toBe("taken");
    const names = cloud.home.json(CONFIG).members.map((one: any) => `${one.name} ${one.machine ?? "here"}`);
    expect(names.sort()).toEqual(["alice laptop", "bob here", "team-lead here"]);
    expect(() => reserve(laptop, lead)).toThrow(
      /you no longer lead atm-dev: team-lead on cloud does \(token \d+\)/,
    );
    expect(withLead(on(cloud), TEAM, false, () => "its own")).toBe("its own");
    expect(() =>
      withLead(on(cloud), TEAM, false, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
  });

  test("the bridge's other end answers each call, also after the server was away, and says when it cannot", async () => {
    const [laptop] = await both();
    const ask = anEnd(laptop);
    expect(await ask("reserve")).toEqual({ value: 1 });
    expect(await ask("commit", "1", null, aTask("1"))).toEqual({ value: undefined });
    const { value } = (await ask("read")) as {
      value: { changes: { key: string; revision: number }[]; clockMs: number };
    };
    expect(value.changes.map(({ key }) => key)).toEqual(expect.arrayContaining(["config", "lead", "task.1"]));
    const token = value.changes.find(({ key }) => key === "lead")?.revision ?? 0;
    const lead = { v: 1, machine: "laptop", agent: "team-lead", at: AT };
    expect(await ask("lead", lead, token)).toEqual({ value: expect.any(Number) });
    expect(await ask("lead", { ...lead, machine: "cloud" }, token)).toEqual({ value: undefined });
    await server.kill();
    expect(await ask("reserve")).toEqual({ error: expect.stringContaining("cannot reach the relay") });
    expect(await ask("reserve")).toEqual({ error: expect.stringContaining("cannot reach the relay") });
    await server.start();
    expect(await ask("reserve")).toEqual({ value: 2 });
    await server.kill();
    await server.start();
    expect(await ask("reserve")).toEqual({ value: 3 });
  });

  test("a name on two machines is said at joining; who leaves is gone for the others", async () => {
    const [laptop] = await both();
    const home = aHome();
    aTeam(home, ["alice"]);
    const joined = await callSwarm(home, ["relay", "join", server.url, "--team", TEAM, "--machine", "box"]);
    expect(joined.stdout).toContain(`this machine is box in the team ${TEAM}; also there: cloud, laptop`);
    expect(joined.stdout).toContain("the name is on two machines: alice@laptop is written");
    expect(joined.stdout).not.toContain("alice@box");
    await laptop.round();
    expect(laptop.members().map((one) => one.name)).toContain("alice@box");
    expect((await callSwarm(home, ["relay", "sync"])).stdout).toContain(
      "atm-dev: one round done, 0 delivered",
    );
    expect((await callSwarm(home, ["relay", "leave"])).stdout.trim()).toBe(
      `box has left the team ${TEAM}; what is here stays here`,
    );
    expect(home.json(CONFIG).members.map((one: any) => one.name)).toEqual(["alice"]);
    await laptop.round();
    expect(laptop.members().map((one) => one.name)).not.toContain("alice@box");
  });

  test("of two members of one name one takes another: mail for the old one is the other machine's from then on", async () => {
    const laptop = await aMachine(server.url, "laptop", ["alice"], true);
    const cloud = await aMachine(server.url, "cloud", []);
    const box = await aMachine(server.url, "box", ["bob"]);
    const inSession = { env: { CLAUDE_CODE_SESSION_ID: "s-1" } };
    living(cloud.home, { agent: "bob" });
    await callSwarm(cloud.home, ["join", TEAM, "--name", "bob"], inSession);
    for (const one of [cloud, box, cloud]) await one.round();
    laptop.send("alice", "bob@cloud", "before");
    for (const one of [laptop, cloud]) await one.round();
    const asBob = () =>
      withTasks(
        { paths: cloud.home.paths, ownRoot: BUILT },
        TEAM,
        { agent: "bob", isLead: false },
        () => "allowed",
      );
    expect(asBob).toThrow(`\`swarm join ${TEAM} --name OTHER\` gives this session a name of its own`);
    const { stdout } = await callSwarm(cloud.home, ["join", TEAM, "--name", "bob2"], inSession);
    expect(stdout).toContain("It was bob; unread mail of bob is now bob2's.");
    expect(cloud.inbox("bob2").map((one) => one.text)).toEqual(["before"]);
    for (const one of [cloud, box, laptop]) await one.round();
    await cloud.round();
    const id = cloud.send("bob2", "bob", "after");
    for (const one of [cloud, box]) await one.round();
    expect(box.inbox("bob").map((one) => one.id)).toEqual([id]);
    expect(laptop.members().map(({ name, machine }) => `${name} ${machine}`)).toEqual(
      expect.arrayContaining(["bob box", "bob2 cloud"]),
    );
  });

  test("a team that a machine knows neither from the relay nor by itself is not made; its own tasks keep it out", async () => {
    await both();
    const home = aHome();
    await expect(joinRelay(home.paths, { ...aRelay(server.url, "box"), team: "other" })).rejects.toThrow(
      "knows a team other",
    );
    await expect(joinRelay(home.paths, aRelay(server.url, "laptop"))).rejects.toThrow(
      "a machine called laptop is in the team",
    );
    home.write(`.claude/tasks/${TEAM}/1.json`, aTask("1"));
    await expect(joinRelay(home.paths, aRelay(server.url, "box"))).rejects.toThrow(
      "this machine has 1 task of its own",
    );
  });

  test("a date that is none is left out; a copy of the relay's task is no task of one's own", async () => {
    const [first, second] = [aHome(), aHome()];
    aTeam(first);
    first.write(CONFIG, { ...first.json(CONFIG), createdAt: "never" });
    aTeam(second, ["bob"]);
    for (const home of [first, second]) home.write(`.claude/tasks/${TEAM}/1.json`, aTask("1"));
    expect(await joinRelay(first.paths, aRelay(server.url, "laptop"))).toMatchObject({ isFirst: true });
    expect(readStatus(first.paths, TEAM)).toMatchObject({ server: { version: expect.any(String) } });
    expect(readStatus(first.paths, TEAM)?.connectedSince).toBeUndefined();
    expect(await joinRelay(second.paths, aRelay(server.url, "cloud"))).toMatchObject({
      isFirst: false,
      machines: ["laptop"],
    });
  });

  test("no machine joins with a task that cannot be read: nothing of the team is on the relay yet, nor from there here", async () => {
    const [first, second] = [aHome(), aHome()];
    aTeam(first);
    first.write(`.claude/tasks/${TEAM}/1.json`, "{ half a ta");
    const join = (home: Home, machine: string) => joinRelay(home.paths, aRelay(server.url, machine));
    await expect(join(first, "laptop")).rejects.toThrow(
      "1.json cannot be read as a task; it was left as it is",
    );
    rmSync(first.path(`.claude/tasks/${TEAM}/1.json`));
    expect(await join(first, "laptop")).toMatchObject({ isFirst: true });
    second.write(`.claude/tasks/${TEAM}/1.json/in-its-place`, "");
    await expect(join(second, "cloud")).rejects.toThrow("1.json is not a regular file");
    expect(second.has(`.claude/teams/${TEAM}`)).toBe(false);
  });

  test("a task that is locked here is copied by the next look, also if nothing else is new", async () => {
    const [laptop, cloud] = await both();
    const engine = await openEngine(cloud.relay);
    onTestFinished(() => closeEngine(engine));
    withTasks(
      { paths: laptop.home.paths, ownRoot: BUILT },
      TEAM,
      { agent: "alice", isLead: false },
      ({ commit }) => commit("1", null, aTask("1")),
    );
    const lock = cloud.home.path(`.claude/tasks/${TEAM}/1.json.lock`);
    mkdirSync(lock, { recursive: true });
    for (let n = 0; n < 3; n++) await cloud.courier.round(engine);
    expect(cloud.home.has(`.claude/tasks/${TEAM}/1.json`)).toBe(false);
    rmSync(lock, { recursive: true });
    await cloud.courier.round(engine);
    expect(cloud.home.has(`.claude/tasks/${TEAM}/1.json`)).toBe(true);
  });

  test("a server that cannot have its port sets up no other that answers there, and is over at once", async () => {
    const home = aHome();
    const listen = `127.0.0.1:${server.port}`;
    const handlers = new Map((["SIGINT", "SIGTERM"] as const).map((name) => [name, process.listeners(name)]));
    onTestFinished(() => {
      for (const [name, before] of handlers)
        for (const one of process.listeners(name)) if (!before.includes(one)) process.off(name, one);
    });
    const said: string[] = [];
    const wanted = { team: TEAM, machines: ["laptop"], listen, store: home.path("store") };
    expect(await serve(home.paths, wanted, (line) => void said.push(line))).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(said).toEqual([]);
    const nc = await connect(aRelay(server.url, "laptop"));
    onTestFinished(() => nc.close());
    const jsm = await jetstreamManager(nc);
    expect(await jsm.streams.names().next()).toEqual([]);
  });

  test("a configuration that is refused leaves the one that works", () => {
    const home = aHome();
    const wanted = { team: TEAM, machines: ["laptop"], listen: "127.0.0.1:4222", store: undefined };
    const { file, text } = makeConfig(home.paths, wanted);
    expect(() => makeConfig(home.paths, { ...wanted, listen: "127.0.0.1:x" })).toThrow("does not take");
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("a configuration is checked with the installed server, and keys and machines stay", async () => {
    const home = aHome();
    const config = async (...more: string[]) =>
      (await callSwarm(home, ["relay", "config", "--team", TEAM, "--listen", "127.0.0.1:4999", ...more]))
        .stdout;
    const first = await config("--machine", "cloud,laptop");
    expect(first).toMatch(/checked with nats-server \d+\.\d+\.\d+\)/);
    expect(first).toContain("credential of cloud, for that machine alone:");
    expect(await config()).toBe(first);
    const wanted = { team: TEAM, machines: ["laptop"], listen: "127.0.0.1:x", store: undefined };
    expect(() => makeConfig(home.paths, wanted)).toThrow(/nats-server [\d.]+ does not take .*nats\.conf: /);
  });
});

/** The other end of a bridge, whose thread is this one. */
function anEnd({ relay }: Machine) {
  const threads = createRequire(import.meta.url)("node:worker_threads");
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { workerData } = threads;
  threads.workerData = { port: port2, signal, relay };
  syncBuiltinESMExports();
  serveBridge();
  threads.workerData = workerData;
  syncBuiltinESMExports();
  onTestFinished(() => port1.close());
  const { waitAsync } = Atomics as unknown as {
    waitAsync: (array: Int32Array, index: number, value: number) => { value: Promise<string> | string };
  };
  return async (call: string, ...given: unknown[]): Promise<unknown> => {
    Atomics.store(signal, 0, 0);
    const answered = waitAsync(signal, 0, 0).value;
    const reply = new Promise((resolve) => port1.once("message", resolve));
    port1.postMessage({ call, given });
    expect(await within(8_000, Promise.resolve(answered), "no signal")).toBe("ok");
    return within(1_000, reply, "no answer");
  };
}

test("a bridge whose thread cannot begin says that no answer came, not why", () => {
  const wait = Atomics.wait;
  Atomics.wait = (() => "timed-out") as typeof Atomics.wait;
  onTestFinished(() => {
    Atomics.wait = wait;
  });
  const bridge = openBridge("/nowhere", aRelay("nats://127.0.0.1:1", "laptop"));
  onTestFinished(bridge.close);
  expect(() => bridge.reserve()).toThrow("the relay did not answer within 20 s");
});

test("without a server a courier tries again less and less often", async () => {
  const home = aHome();
  aTeam(home);
  const tried: number[] = [];
  const refusing = createServer((socket) => {
    tried.push(Date.now());
    socket.destroy();
  });
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void refusing.close());
  writeRelay(
    home.paths,
    aRelay(`nats://127.0.0.1:${(refusing.address() as { port: number }).port}`, "laptop"),
  );
  living(home);
  const { end } = aCourier(home);
  await until("three tries", () => tried.length >= 3);
  const [first = 0, second = 0, third = 0] = tried;
  expect(second - first).toBeGreaterThan(400);
  expect(third - second).toBeGreaterThan(900);
  await end();
});

describe("a sync beside a courier", () => {
  const beside = () => {
    const home = aHome();
    aTeam(home);
    writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "laptop"));
    home.write(`${LOCK}/x`, "");
    return home;
  };
  const status = (home: Home, synced: number) =>
    home.write(`.claude/swarm/relay/status/${TEAM}.json`, {
      ...{ pid: 1, at: AT, synced, lastPull: {}, machines: {}, refused: 0 },
    });

  test("asks for a round with a number that is new, and waits until that one is done", async () => {
    const home = beside();
    const before = Date.now() + 100_000;
    home.write(REQUEST, String(before));
    status(home, before);
    let isOver = false;
    const over = syncTeams(home.paths, [TEAM]).finally(() => {
      isOver = true;
    });
    const asked = await until("the request", () => {
      const now = Number(home.read(REQUEST));
      return now !== before && now;
    });
    expect([asked, isOver]).toEqual([before + 1, false]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    status(home, asked);
    expect(await over).toEqual([{ team: TEAM, how: "the courier's round is done" }]);
  });

  test("does the round itself when the courier is gone", async () => {
    const home = beside();
    const over = syncTeams(home.paths, [TEAM]);
    over.catch(() => {});
    await until("the request", () => home.has(REQUEST));
    rmSync(home.path(LOCK), { recursive: true });
    await expect(over).rejects.toThrow("cannot reach the relay");
  });

  test("a round is done only when nothing of ours is left on the relay", async () => {
    const home = beside();
    const engine = { server: { name: "s", version: "2.11.0" }, clockMs: 0 } as unknown as Engine;
    const say = statusWriter(home.paths, TEAM, teamCourier(hereOf(home.paths, aRelay("nats://x", "laptop"))));
    say.connected(engine);
    const synced = () => readStatus(home.paths, TEAM)?.synced;
    let asked = 0;
    const looked = (isDrained: boolean) =>
      say.looked(engine, async () => {
        asked++;
        return isDrained;
      });
    await looked(true);
    expect([synced(), asked]).toEqual([0, 0]);
    home.write(REQUEST, "7");
    await looked(false);
    expect([synced(), asked]).toEqual([0, 1]);
    await looked(true);
    await looked(true);
    expect([synced(), asked]).toEqual([7, 2]);
  });
});

test("who leaves without a server leaves here, and says how the others see it", async () => {
  const home = aHome();
  aTeam(home, ["team-lead", { name: "eve", machine: "cloud", agent: "eve" }]);
  const relay = aRelay("nats://127.0.0.1:1", "laptop");
  writeRelay(home.paths, relay);
  home.write(inboxOf("eve"), [aMessage("team-lead", "x")]);
  expect(await leaveRelay(home.paths, relay)).toMatch(
    /^cannot reach the relay .*; the others see laptop as silent$/,
  );
  expect(home.json(CONFIG).members.map((one: any) => one.name)).toEqual(["team-lead"]);
});

test("a look that fails is no look that found nothing", async () => {
  const getMessage = async () => {
    throw new Error("cut off");
  };
  await expect(
    readSince({ jsm: { streams: { getMessage } }, team: TEAM } as unknown as Engine, 3),
  ).rejects.toThrow("cut off");
});
