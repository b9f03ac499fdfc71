// The relay's side of a team, against a real server.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeEngine, type Engine, openEngine, readAll, readSince } from "../../../lib/machines/engine.ts";
import { countMail, isRefusal, readMail, removeMail } from "../../../lib/machines/mail-stream.ts";
import { mailSubject } from "../../../lib/machines/names.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";

const relay = (url: string, machine: string, more: Record<string, unknown> = {}) => ({
  url,
  team: "demo",
  machine,
  secret: "",
  replicas: 1,
  joinedAt: "2026-02-20T12:00:00Z",
  ...more,
});

describe.skipIf(whyNoServer())("the engine", () => {
  let server: Server;
  const open: Engine[] = [];
  const engine = async (machine: string) => {
    const one = await openEngine(relay(server.url, machine));
    open.push(one);
    return one;
  };
  beforeAll(async () => {
    server = await aServer();
  });
  afterAll(async () => {
    await Promise.all(open.map(closeEngine));
    await server.remove();
  });

  test("is set up once, however often it is asked for", async () => {
    await Promise.all([engine("laptop"), engine("cloud"), engine("box")]);
    const { jsm } = await engine("laptop");
    const names = (await jsm.streams.list().next()).map(({ config }) => config.name).sort();
    expect(names).toEqual([
      "KV_swarm-demo",
      "swarm-demo-mail--box",
      "swarm-demo-mail--cloud",
      "swarm-demo-mail--laptop",
    ]);
  });

  test("the same id is stored once; mail is there, in order, until it is removed", async () => {
    const cloud = await engine("cloud");
    const subject = mailSubject("demo", { machine: "cloud", agent: "b" }, { machine: "laptop", agent: "a" });
    for (const id of ["one", "two", "two", "three"]) await cloud.js.publish(subject, id, { msgID: id });
    const [first, ...rest] = await readMail(cloud);
    expect([first, ...rest].map((letter) => letter?.text)).toEqual(["one", "two", "three"]);
    await removeMail(cloud, first?.seq ?? 0);
    expect((await readMail(await engine("cloud"))).map(({ text }) => text)).toEqual(["two", "three"]);
    await removeMail(cloud, rest.at(-1)?.seq ?? 0);
    expect(await countMail(cloud)).toBe(0);
  });

  test("mail to a machine that nobody knows is not taken", async () => {
    const cloud = await engine("cloud");
    const subject = mailSubject("demo", { machine: "nowhere", agent: "b" }, { machine: "cloud", agent: "a" });
    const error = await cloud.js.publish(subject, "x").catch((reason) => reason);
    expect(isRefusal(error)).toBe(true);
    expect(isRefusal(new Error("timeout"))).toBe(false);
  });

  test("the present value of every key, then what changes", async () => {
    const laptop = await engine("laptop");
    await laptop.kv.put("task.1", "first");
    await laptop.kv.put("task.1", "second");
    const { changes, last } = await readAll(laptop);
    expect(changes.find(({ key }) => key === "task.1")?.text).toBe("second");
    expect(changes.map(({ key }) => key)).toContain("machine.cloud");
    expect(await readSince(laptop, last)).toEqual({ changes: [], last });
    const revision = await laptop.kv.put("task.1", "third");
    await laptop.kv.put("task.2", "new");
    const since = await readSince(laptop, last);
    expect(since.changes.map(({ key, text }) => `${key} ${text}`)).toEqual(["task.1 third", "task.2 new"]);
    expect(since.changes[0]).toMatchObject({ revision });
    expect(Math.abs((since.changes[0]?.at ?? 0) - Date.now())).toBeLessThan(5_000);
  });

  test("a prepared stream is not used", async () => {
    const { jsm } = await engine("laptop");
    await jsm.streams.add({
      name: "swarm-evil-mail--laptop",
      subjects: ["swarm.evil.mail.laptop.>"],
      republish: { src: ">", dest: "leak.>" },
    });
    const why = await openEngine({ ...relay(server.url, "laptop"), team: "evil" }).catch(
      (error) => error.message,
    );
    expect(why).toContain("sends what it holds elsewhere");
  });

  test("no message can empty the bucket", async () => {
    const laptop = await engine("laptop");
    const { headers } = await import("@nats-io/transport-node");
    const roll = headers();
    roll.set("Nats-Rollup", "all");
    await expect(laptop.js.publish("$KV.swarm-demo.task.9", "x", { headers: roll })).rejects.toThrow(
      /rollup/,
    );
  });

  test("an unreachable server is said within the limit, without the secret in its address", async () => {
    const began = Date.now();
    const why = await openEngine(relay("nats://me:secret@127.0.0.1:1", "laptop"), 500).catch(
      (error) => error.message,
    );
    expect(why).toMatch(/^cannot reach the relay at nats:\/\/127\.0\.0\.1:1: /);
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
