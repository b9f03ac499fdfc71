// What is decided on the relay: numbers, claims, the lead. And what each machine learns of the others, with any clocks.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeEngine, type Engine, openEngine } from "../../../lib/machines/engine.ts";
import { KEYS } from "../../../lib/machines/names.ts";
import { commitTask, reserveTask, takeLead } from "../../../lib/machines/operations.ts";
import { appendMessage } from "../../../lib/mail/store/inbox.ts";
import type { Task } from "../../../lib/tasks/store.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { CONFIG, inboxOf, TEAM } from "../../support/a-team.ts";

const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  subject: "s",
  description: "",
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...more,
});

describe.skipIf(whyNoServer())("shared state", () => {
  let server: Server;
  const open: Engine[] = [];
  beforeAll(async () => {
    server = await aServer();
    for (const name of ["laptop", "cloud", "box"]) open.push(await openEngine(aRelay(server.url, name)));
  });
  afterAll(async () => {
    await Promise.all(open.map(closeEngine));
    await server.remove();
  });
  const engine = (n: number) => open[n % open.length] as Engine;

  test("every number is given once", async () => {
    const numbers = await Promise.all(Array.from({ length: 60 }, (_, n) => reserveTask(engine(n))));
    expect(new Set(numbers).size).toBe(60);
  });

  test("of many claims on one task exactly one succeeds, for every task", async () => {
    for (let n = 100; n < 120; n++) {
      const id = String(n);
      expect(await commitTask(engine(n), id, null, task(id))).toBeUndefined();
      const claims = await Promise.all(
        Array.from({ length: 16 }, (_, who) =>
          commitTask(engine(who), id, task(id), task(id, { owner: `w${who}`, status: "in_progress" })),
        ),
      );
      const winners = claims.flatMap((lost, who) => (lost ? [] : `w${who}`));
      expect(winners).toHaveLength(1);
      for (const lost of claims) if (lost) expect(lost.present?.owner).toBe(winners[0]);
    }
  });

  test("the order of keys in a task is no difference", async () => {
    await commitTask(engine(0), "300", null, task("300", { metadata: { swarm: { state: "x" }, a: 1 } }));
    const other = {
      ...Object.fromEntries(Object.entries(task("300")).reverse()),
      metadata: { a: 1, swarm: { state: "x" } },
    } as unknown as Task;
    expect(await commitTask(engine(1), "300", other, task("300"))).toBeUndefined();
  });

  test("a lead that is taken at once by two goes to one, and an old token takes nothing", async () => {
    const lead = (machine: string) => ({
      v: 1 as const,
      machine,
      agent: "team-lead",
      at: new Date().toISOString(),
    });
    const token = await engine(0).kv.put(KEYS.lead, JSON.stringify(lead("laptop")));
    const both = await Promise.all([
      takeLead(engine(1), lead("cloud"), token),
      takeLead(engine(2), lead("box"), token),
    ]);
    expect(both.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await takeLead(engine(0), lead("laptop"), token)).toBeUndefined();
  });

  const two = async (): Promise<[Machine, Machine]> => {
    await Promise.all(open.map(closeEngine));
    open.length = 0;
    await server.remove();
    server = await aServer();
    const laptop = await aMachine(server.url, "laptop", ["alice"], true);
    const cloud = await aMachine(server.url, "cloud", ["bob"]);
    return [laptop, cloud];
  };

  test.each([3_600_000, -3_600_000])("a clock that is off by %i ms changes no age", async (off) => {
    const [laptop, cloud] = await two();
    const real = Date.now;
    const skewed = async <T>(work: () => Promise<T>): Promise<T> => {
      Date.now = () => real() + off;
      try {
        return await work();
      } finally {
        Date.now = real;
      }
    };
    const config = cloud.home.json(CONFIG);
    // Its own clock wrote it: 40 seconds ago, as that clock sees it.
    config.members.find((one: any) => one.name === "bob").lastSeen = new Date(real() - 40_000).toISOString();
    cloud.home.write(CONFIG, config);
    await cloud.round();
    await skewed(laptop.round);
    const bob = laptop.members().find((one) => one.name === "bob");
    const age = real() + off - Date.parse(bob.lastSeen);
    expect(Math.abs(age - 40_000)).toBeLessThan(5_000);
    expect(Math.abs(real() + off - Date.parse(bob.machineSeen))).toBeLessThan(5_000);
  });

  test("two days offline: everything waits, goes out in order, and is as old as it is", async () => {
    const [laptop, cloud] = await two();
    await laptop.round();
    await server.kill();
    const at = (hours: number) => ({ timestamp: new Date(Date.now() - hours * 3_600_000).toISOString() });
    const ids = [48, 30, 12, 1].map((hours) => laptop.send("alice", "bob", `${hours} h`, at(hours)));
    await expect(laptop.round()).rejects.toThrow("cannot reach the relay");
    await server.start();
    await laptop.round();
    await cloud.round();
    const got = cloud.inbox("bob");
    expect(got.map(({ id }) => id)).toEqual(ids);
    expect(Math.abs(Date.now() - Date.parse(got[0].timestamp) - 48 * 3_600_000)).toBeLessThan(10_000);
  });

  test("a full outbox refuses with the reason", async () => {
    const [laptop] = await two();
    await laptop.round();
    const filler = Array.from({ length: 130 }, (_, n) => ({
      id: `f${n}`,
      from: "alice",
      text: "x".repeat(100_000),
      timestamp: "",
      read: false,
    }));
    laptop.home.write(inboxOf("bob"), filler);
    const message = { id: "last", from: "alice", text: "y", timestamp: "", read: false };
    expect(() => appendMessage(laptop.home.paths, TEAM, "bob", message)).toThrow("the inbox of bob is full");
  });

  test("lifecycle events reach the other machines' log once, and are not sent back", async () => {
    const [laptop, cloud] = await two();
    const log = ".claude/daemon/hooks/events.jsonl";
    laptop.home.write(log, "");
    cloud.home.write(log, "");
    await laptop.round();
    await cloud.round();
    const event = {
      type: "session-start",
      agent: "alice",
      team: TEAM,
      session_id: "s",
      received_at: "2026-02-20T12:00:00Z",
      payload: { secret: 1 },
      source: { kind: "claude_hook" },
      process_id: 4,
    };
    laptop.home.write(log, `${JSON.stringify(event)}\n${JSON.stringify({ ...event, team: "other" })}\n`);
    for (const machine of [laptop, cloud, laptop, cloud]) await machine.round();
    expect(cloud.home.lines(log)).toEqual([{ ...event, payload: {}, machine: "laptop" }]);
    expect(laptop.home.lines(log)).toHaveLength(2);
  });

  test("a member that left is gone on the other side too", async () => {
    const [laptop, cloud] = await two();
    await laptop.round();
    const config = cloud.home.json(CONFIG);
    config.members = config.members.filter((one: any) => one.name !== "bob");
    cloud.home.write(CONFIG, config);
    await cloud.round();
    await laptop.round();
    expect(laptop.members().map(({ name }) => name)).not.toContain("bob");
  });
});
