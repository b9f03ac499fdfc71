// Who owns a task, on the engine: of several claims one wins, fresh or stale, with one server or three; an answer that was lost changes
// nothing, and neither does a clock.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { closeEngine, type Engine, openEngine } from "../../../lib/machines/engine.ts";
import { KEYS } from "../../../lib/machines/names.ts";
import { commitTask, reserveTask, takeLead } from "../../../lib/machines/operations.ts";
import type { Task } from "../../../lib/tasks/store.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aCluster, aServer, retried, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { as, CONFIG, TEAM } from "../../support/a-team.ts";
import { ROOT, startScript } from "../../support/run-built.ts";

const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  subject: "s",
  description: "",
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...more,
});
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const claimedBy = (owner: string, at: string, id = "1"): Task =>
  task(id, { owner, status: "in_progress", metadata: { swarm: { lease: { session: `s-${owner}`, at } } } });

const swarm = ({ home }: Machine, agent: string, ...args: string[]) =>
  startScript(join(ROOT, "plugin/bin/swarm"), args, home, "", as(agent));

const STALE_MS = 1_200_000;

describe.skipIf(whyNoServer())("claims on one server", () => {
  let server: Server;
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(() => server.remove());

  /** With a task that is stored on the relay as given. */
  const three = async (stored: Task): Promise<[Machine, Machine, Machine]> => {
    await server.remove();
    server = await aServer();
    const laptop = await aMachine(server.url, "laptop", ["alice"], true);
    const cloud = await aMachine(server.url, "cloud", ["bob"]);
    const box = await aMachine(server.url, "box", ["carol"]);
    await on(laptop, (engine) => commitTask(engine, stored.id, null, stored));
    for (const one of [laptop, cloud, box]) await one.round();
    return [laptop, cloud, box];
  };
  const on = async <T>({ relay }: Machine, work: (engine: Engine) => Promise<T>): Promise<T> => {
    const engine = await openEngine(relay);
    try {
      return await work(engine);
    } finally {
      await closeEngine(engine);
    }
  };
  const seenLast = async (machine: Machine, agent: string, at: string) => {
    const config = machine.home.json(CONFIG);
    config.members.find((one: any) => one.name === agent).lastSeen = at;
    machine.home.write(CONFIG, config);
    await machine.round();
  };
  const onRelay = (machine: Machine): Promise<any> =>
    on(machine, async ({ kv }) => JSON.parse((await kv.get(KEYS.task("1")))?.string() ?? "{}").task);

  test("a stale claim is taken over by one of two, and its old owner is refused from then on", async () => {
    const [laptop, cloud, box] = await three(claimedBy("alice", ago(STALE_MS)));
    await seenLast(laptop, "alice", ago(STALE_MS));
    const tries = await Promise.all([
      swarm(cloud, "bob", "task", "claim", "1").done,
      swarm(box, "carol", "task", "claim", "1").done,
    ]);
    expect(tries.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
    const winner = tries[0]?.exitCode === 0 ? "bob" : "carol";
    expect(tries.find(({ exitCode }) => exitCode === 1)?.stderr).toContain(`Task #1 is ${winner}'s`);
    const stored = await onRelay(laptop);
    expect(stored).toMatchObject({ owner: winner, status: "in_progress" });
    expect(stored.metadata.swarm.comments.map((one: any) => one.text)).toEqual([
      expect.stringMatching(/^taken over from alice, who was last seen at /),
    ]);
    for (const args of [
      ["done", "1"],
      ["claim", "1"],
      ["release", "1"],
      ["update", "1", "--status", "completed"],
    ])
      expect(await swarm(laptop, "alice", "task", ...args).done).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`Task #1 is ${winner}'s`),
      });
    expect(await onRelay(laptop)).toEqual(stored);
  });

  test("a claim that is as old as it may be is not taken over", async () => {
    const [laptop, cloud] = await three(claimedBy("alice", ago(1_000)));
    await seenLast(laptop, "alice", ago(STALE_MS));
    expect(await swarm(cloud, "bob", "task", "claim", "1").done).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Task #1 is alice's"),
    });
  });

  test("a claim that was stored, but whose answer or local copy was lost, is its owner's when it tries again", async () => {
    const [laptop, cloud] = await three(task("1"));
    const mine = claimedBy("alice", ago(0));
    await on(laptop, async (engine) => {
      expect(await commitTask(engine, "1", task("1"), mine)).toBeUndefined();
      expect(await commitTask(engine, "1", task("1"), mine)).toBeUndefined();
      expect(await commitTask(engine, "1", task("1"), claimedBy("bob", ago(0)))).toEqual({ present: mine });
    });
    expect(laptop.home.json(`.claude/tasks/${TEAM}/1.json`).owner).toBeUndefined();
    expect(await swarm(cloud, "bob", "task", "claim", "1").done).toMatchObject({ exitCode: 1 });
    expect(await swarm(laptop, "alice", "task", "claim", "1").done).toMatchObject({ exitCode: 0 });
    expect(laptop.home.json(`.claude/tasks/${TEAM}/1.json`).owner).toBe("alice");
  });

  test("two members of one name cannot both own a task: neither may claim until one has another name", async () => {
    const [, cloud, box] = await three(task("1"));
    box.join("bob");
    for (const one of [box, cloud, box]) await one.round();
    for (const [machine, other] of [
      [cloud, "box"],
      [box, "cloud"],
    ] as const)
      expect(await swarm(machine, "bob", "task", "claim", "1").done).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(`bob is also the name of a member on ${other}`),
      });
    expect((await onRelay(cloud)).owner).toBeUndefined();
  });

  test.each([
    ["an hour ahead", 3_600_000],
    ["an hour behind", -3_600_000],
  ])("the claimer's clock is %s: its claim lasts as long as any", async (_, off) => {
    for (const [ageMs, exitCode] of [
      [1_000, 1],
      [STALE_MS, 0],
    ] as const) {
      // By the claimer's own clock, `ageMs` ago.
      const [laptop, cloud] = await three(claimedBy("alice", ago(ageMs - off)));
      await on(laptop, ({ kv }) =>
        kv.put(
          KEYS.member({ machine: "laptop", agent: "alice" }),
          JSON.stringify({ v: 1, state: "idle", ageMs: STALE_MS, clockMs: -off }),
        ),
      );
      expect(await swarm(cloud, "bob", "task", "claim", "1").done).toMatchObject({ exitCode });
    }
  });
});

describe.skipIf(whyNoServer())("claims on three servers with three copies", () => {
  test("of several at the same moment one wins: a task, a number, the lead", async () => {
    const servers = await aCluster();
    onTestFinished(async () => {
      for (const one of servers) await one.remove();
    });
    const engines: Engine[] = [];
    for (const [n, name] of ["laptop", "cloud", "box"].entries())
      engines.push(await retried(() => openEngine(aRelay(servers[n]?.url ?? "", name, { replicas: 3 }))));
    const engine = (n: number) => engines[n % 3] as Engine;
    for (let n = 1; n <= 30; n++) {
      const id = String(n);
      await retried(() => commitTask(engine(n), id, null, task(id)));
      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, who) =>
          commitTask(engine(who), id, task(id), task(id, { owner: `w${who}`, status: "in_progress" })),
        ),
      );
      const winners = claims.flatMap((lost, who) => (lost ? [] : `w${who}`));
      expect(winners).toHaveLength(1);
      const entry = await engine(0).kv.get(KEYS.task(id));
      expect(JSON.parse(entry?.string() ?? "{}").task.owner).toBe(winners[0]);
    }
    const numbers = await Promise.all(Array.from({ length: 30 }, (_, n) => reserveTask(engine(n))));
    expect(new Set(numbers).size).toBe(30);
    const token = await engine(0).kv.put(KEYS.lead, "{}");
    const leads = await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        takeLead(engine(n), { v: 1, machine: `m${n}`, agent: "team-lead", at: ago(0) }, token),
      ),
    );
    expect(leads.filter((one) => one !== undefined)).toHaveLength(1);
    for (const one of engines) await closeEngine(one);
  }, 120_000);
});
