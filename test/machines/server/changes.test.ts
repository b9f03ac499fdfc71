// A machine that leaves, that joins again, that is interrupted, and a relay that has lost everything.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { statusWriter } from "../../../lib/machines/courier.ts";
import { closeEngine, openEngine, readAll } from "../../../lib/machines/engine.ts";
import { joinRelay, leaveRelay } from "../../../lib/machines/membership.ts";
import { KEYS } from "../../../lib/machines/names.ts";
import { takeLead } from "../../../lib/machines/operations.ts";
import { withTasks } from "../../../lib/machines/relayed.ts";
import { readStatus, writeRelay } from "../../../lib/machines/store/relay.ts";
import { syncTeams } from "../../../lib/machines/sync.ts";
import { updateTeam } from "../../../lib/teams/store/config.ts";
import { aCourier, living, until } from "../../support/a-courier.ts";
import { aHome } from "../../support/a-home.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { aTask } from "../../support/a-task.ts";
import { aTeam, CONFIG, inboxOf, TEAM } from "../../support/a-team.ts";

const BUILT = join(import.meta.dirname, "..", "..", "..", "plugin");
const REQUEST = ".claude/swarm/relay/sync-request";
const statusFile = `.claude/swarm/relay/status/${TEAM}.json`;
const taskFile = (id: string) => `.claude/tasks/${TEAM}/${id}.json`;

describe.skipIf(whyNoServer())("a relay", () => {
  let server: Server;
  beforeEach(async () => {
    server = await aServer();
  });
  afterEach(() => server.remove());

  const both = async (): Promise<[Machine, Machine]> => [
    await aMachine(server.url, "laptop", ["alice"], true),
    await aMachine(server.url, "cloud", ["bob"]),
  ];
  const names = (machine: Machine) => machine.members().map(({ name }) => name);
  const keysOn = async (machine: Machine) => {
    const engine = await openEngine(machine.relay, undefined, true);
    try {
      return new Map((await readAll(engine)).changes.map(({ key, text }) => [key, JSON.parse(text)]));
    } finally {
      await closeEngine(engine);
    }
  };
  const connected = (machine: Machine) =>
    until("the connection", () => readStatus(machine.home.paths, TEAM)?.connectedSince);
  /** Its disk was lost. */
  const empty = async () => {
    await server.kill();
    rmSync(join(server.directory, "store"), { recursive: true });
    mkdirSync(join(server.directory, "store"));
    await server.start();
  };

  test("a machine that leaves beside its courier is gone, here and for the others", async () => {
    const [laptop, cloud] = await both();
    living(cloud.home);
    const { over } = aCourier(cloud.home);
    await connected(cloud);
    await until("the others", () => names(cloud).includes("alice"));
    await leaveRelay(cloud.home.paths, cloud.relay);
    await over;
    expect(names(cloud)).toEqual(["bob"]);
    expect([
      cloud.home.has(statusFile),
      cloud.home.has(`.claude/swarm/relay/lifecycle/${TEAM}.json`),
    ]).toEqual([false, false]);
    const keys = await keysOn(laptop);
    expect([keys.get("machine.cloud"), keys.get("roster.cloud.bob")]).toEqual([
      { v: 1, left: true },
      { v: 1, left: true },
    ]);
  });

  test("who was a member there when the courier last ran leaves with the machine", async () => {
    const [laptop, cloud] = await both();
    await laptop.round();
    expect(names(laptop)).toContain("bob");
    updateTeam(cloud.home.paths, TEAM, (team) => ({ ...team, members: [] }));
    await leaveRelay(cloud.home.paths, cloud.relay);
    await laptop.round();
    expect(names(laptop)).not.toContain("bob");
    expect([...laptop.courier.seen.machines.keys()]).toEqual(["laptop"]);
  });

  test("a courier follows when its machine joins at another address", async () => {
    const other = await aServer();
    onTestFinished(() => other.remove());
    const [, cloud] = await both();
    await aMachine(other.url, "laptop", ["alice"], true);
    living(cloud.home);
    aCourier(cloud.home);
    await connected(cloud);
    writeRelay(cloud.home.paths, { ...cloud.relay, url: other.url });
    const there = { ...cloud, relay: { ...cloud.relay, url: other.url } };
    await until("its members there", async () => (await keysOn(there)).has("roster.cloud.bob"));
  });

  test("a machine has one name in a team", async () => {
    const [laptop, cloud] = await both();
    await expect(joinRelay(cloud.home.paths, aRelay(server.url, "box"))).rejects.toThrow(
      `this machine is cloud in the team ${TEAM}; \`swarm relay leave --team ${TEAM}\` first`,
    );
    await laptop.round();
    expect([...laptop.courier.seen.machines.keys()].sort()).toEqual(["cloud", "laptop"]);
    await leaveRelay(cloud.home.paths, cloud.relay);
    await joinRelay(cloud.home.paths, aRelay(server.url, "box"));
    await laptop.round();
    expect(laptop.members().find(({ name }) => name === "bob")).toMatchObject({ machine: "box" });
  });

  test("a sync of several teams goes on after one that fails, and says both", async () => {
    const [laptop, cloud] = await both();
    writeRelay(cloud.home.paths, { ...aRelay("nats://127.0.0.1:1", "cloud"), team: "another" });
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    await expect(syncTeams(cloud.home.paths, ["another", TEAM])).rejects.toThrow(
      /^another: cannot reach the relay .*\natm-dev: one round done, 1 delivered$/,
    );
    expect(cloud.inbox("bob").map((one) => one.id)).toEqual([id]);
  });

  test("why a round by hand failed is on record", async () => {
    const [laptop, cloud] = await both();
    laptop.send("alice", "bob", "hello");
    await laptop.round();
    rmSync(cloud.home.path(inboxOf("bob")), { force: true });
    mkdirSync(cloud.home.path(inboxOf("bob")), { recursive: true });
    await expect(syncTeams(cloud.home.paths, [TEAM])).rejects.toThrow("is not a regular file");
    expect(readStatus(cloud.home.paths, TEAM)?.error).toContain("is not a regular file");
  });

  test("a request that comes in the middle of a round is not answered by that round", async () => {
    const [, cloud] = await both();
    const engine = await openEngine(cloud.relay);
    onTestFinished(() => closeEngine(engine));
    const { streams } = engine.jsm;
    const info = streams.info.bind(streams);
    let asked = 0;
    let id = "";
    streams.info = async (...given) => {
      if (!asked && given[0].includes("mail")) {
        id = cloud.send("bob", "alice", "before the sync");
        asked = Date.now();
        cloud.home.write(REQUEST, String(asked));
      }
      return info(...given);
    };
    const say = statusWriter(cloud.home.paths, TEAM, cloud.courier);
    let state: string | undefined;
    await cloud.courier.carry(engine, {
      ...say,
      isStopped: () => {
        const isDone = asked > 0 && readStatus(cloud.home.paths, TEAM)?.synced === asked;
        if (isDone) state = cloud.inbox("alice").find((one) => one.id === id)?.state;
        return isDone;
      },
    });
    expect(state).toBe("relayed");
  });

  test("how far the server's clock is away is measured again after five minutes, not before", async () => {
    const [, cloud] = await both();
    const engine = await openEngine(cloud.relay);
    onTestFinished(() => closeEngine(engine));
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    engine.clockMs = 7_000;
    const seen: number[] = [];
    await cloud.courier.carry(engine, {
      asked: () => 0,
      looked: async ({ clockMs }) => {
        seen.push(clockMs);
        vi.setSystemTime(Date.now() + 160_000);
        cloud.courier.wake();
      },
      isStopped: () => seen.length === 3,
    });
    expect(seen.slice(0, 2)).toEqual([7_000, 7_000]);
    expect(seen[2]).toBeLessThan(-310_000);
  });

  test("a task list that was brought in part is brought again", async () => {
    const home = aHome();
    aTeam(home);
    for (const id of ["1", "3"]) home.write(taskFile(id), aTask(id));
    home.write(taskFile("2"), aTask("2", { description: "x".repeat(1_200_000) }));
    await expect(joinRelay(home.paths, aRelay(server.url, "laptop"))).rejects.toThrow();
    rmSync(home.path(taskFile("2")));
    expect(await joinRelay(home.paths, aRelay(server.url, "laptop"))).toMatchObject({ isFirst: true });
    expect([home.has(taskFile("1")), home.has(taskFile("3"))]).toEqual([true, true]);
    const cloud = await aMachine(server.url, "cloud", ["bob"]);
    expect(["1", "2", "3"].map((id) => cloud.home.has(taskFile(id)))).toEqual([true, false, true]);
    expect((await keysOn(cloud)).get(KEYS.lastTask)).toEqual({ v: 1, last: 3 });
  });

  test("a team with a long description can be joined", async () => {
    const home = aHome();
    aTeam(home);
    home.write(CONFIG, { ...home.json(CONFIG), description: "x".repeat(5_000) });
    await joinRelay(home.paths, aRelay(server.url, "laptop"));
    expect(await joinRelay(aHome().paths, aRelay(server.url, "cloud"))).toMatchObject({ isFirst: false });
  });

  test("a relay that has lost everything gives out no numbers: what is here is not overwritten, and joining brings it back", async () => {
    const laptop = await aMachine(server.url, "laptop", ["alice"], true);
    const cloud = await aMachine(server.url, "cloud", ["bob"]);
    const create = (machine: Machine) =>
      withTasks(
        { paths: machine.home.paths, ownRoot: BUILT },
        TEAM,
        { agent: undefined, isLead: false },
        ({ reserve, commit }) => {
          const id = String(reserve());
          commit(id, null, aTask(id));
          return id;
        },
      );
    expect(create(laptop)).toBe("1");
    for (const one of [laptop, cloud]) await one.round();
    living(cloud.home);
    aCourier(cloud.home);
    await connected(cloud);
    await empty();
    expect(() => create(laptop)).toThrow(
      `the relay does not know the team ${TEAM} (any more): \`swarm relay join\` on the machine with the newest task list brings it there; nothing was changed`,
    );
    await until("the reason", () =>
      readStatus(cloud.home.paths, TEAM)?.error?.includes("does not know the team"),
    );
    expect([names(laptop).includes("bob"), names(cloud).includes("alice")]).toEqual([true, true]);
    await joinRelay(laptop.home.paths, laptop.relay);
    expect(create(laptop)).toBe("2");
    await until("bob, who has done nothing since", async () =>
      (await keysOn(laptop)).has("roster.cloud.bob"),
    );
  });

  test("a lead that is just being taken here is not deposed by what the courier saw before", async () => {
    const [, cloud] = await both();
    const engine = await openEngine(cloud.relay);
    onTestFinished(() => closeEngine(engine));
    engine.nc.subscribe = (() => {}) as never; // news is late
    const lead = () => cloud.members().find(({ name }) => name === "team-lead");
    const takeHere = () =>
      updateTeam(cloud.home.paths, TEAM, (team) => {
        const others = team.members.filter(({ name }) => name !== "team-lead");
        const lead = { name: "team-lead", sessionId: "s-1" };
        return { ...team, leadSessionId: "s-1", members: [lead, ...others] };
      });
    const mark = cloud.home.path(`.claude/swarm/relay/teams/${TEAM}.json.lock`);
    let looks = 0;
    const steps = [
      () => {
        mkdirSync(mark);
        takeHere();
      },
      async () => {
        expect(lead().machine).toBeUndefined();
        const { kv } = engine;
        const before = await kv.get(KEYS.lead);
        const value = { v: 1, machine: "cloud", agent: "team-lead", at: new Date().toISOString() } as const;
        await takeLead(engine, value, before?.revision ?? 0);
        rmSync(mark, { recursive: true });
      },
      () => expect(lead().machine).toBeUndefined(),
    ];
    await cloud.courier.carry(engine, {
      isStopped: () => steps.length === 0,
      asked: () => 0,
      looked: async () => {
        if (looks++ % 5 === 0) await steps.shift()?.(); // every fifth look: in between it has copied the team
      },
    });
    expect(cloud.courier.seen.lead?.machine).toBe("cloud");
  });

  test("a courier that fails as soon as it is connected tries again less and less often", async () => {
    const [, cloud] = await both();
    let came = 0;
    const proxy = createServer((socket) => {
      came++;
      const through = connect(server.port, "127.0.0.1");
      for (const one of [socket, through]) one.on("error", () => {});
      socket.pipe(through).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    writeRelay(cloud.home.paths, {
      ...cloud.relay,
      url: `nats://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    });
    rmSync(cloud.home.path(CONFIG));
    mkdirSync(cloud.home.path(CONFIG));
    living(cloud.home);
    aCourier(cloud.home);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect(came).toBeGreaterThan(1);
    expect(came).toBeLessThan(5);
  });

  test("a sync whose lock is taken away ends as it would have", async () => {
    const [, cloud] = await both();
    let came = 0;
    const silent = createServer(() => came++);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void silent.close());
    const url = `nats://127.0.0.1:${(silent.address() as { port: number }).port}`;
    writeRelay(cloud.home.paths, { ...cloud.relay, url });
    const over = syncTeams(cloud.home.paths, [TEAM]);
    over.catch(() => {});
    await until("the attempt", () => came);
    rmSync(cloud.home.path(".claude/swarm/relay/courier.lock"), { recursive: true });
    await expect(over).rejects.toThrow("cannot reach the relay");
  });

  test("what cannot be written of one team does not end the courier of another", async () => {
    const [, cloud] = await both();
    writeRelay(cloud.home.paths, { ...aRelay(server.url, "cloud"), team: "another" });
    const file = cloud.home.path(".claude/swarm/relay/status/another.json/x");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "");
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    living(cloud.home);
    const { end } = aCourier(cloud.home);
    await connected(cloud);
    await end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(unhandled).toEqual([]);
  });
});
