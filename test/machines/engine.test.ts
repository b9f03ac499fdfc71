// The relay's side of a team, against a real server.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  changeOf,
  closeEngine,
  drain,
  type Engine,
  mailConsumer,
  openEngine,
  stateConsumer,
} from "../../lib/machines/engine.ts";
import { mailSubject } from "../../lib/machines/names.ts";
import { aServer, type Server, whyNoServer } from "../support/a-nats-server.ts";

const relay = (url: string, machine: string, more: Record<string, unknown> = {}) => ({
  url,
  team: "demo",
  machine,
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
    expect(names).toEqual(["KV_swarm-demo", "swarm-demo-mail"]);
  });

  test("the same id is stored once, and a new consumer begins with what was not acknowledged", async () => {
    const cloud = await engine("cloud");
    const subject = mailSubject("demo", { machine: "cloud", agent: "b" }, { machine: "laptop", agent: "a" });
    for (const id of ["one", "two", "two", "three"]) await cloud.js.publish(subject, id, { msgID: id });
    const seen: string[] = [];
    await drain(await mailConsumer(cloud), (message) => {
      seen.push(message.string());
      if (message.string() === "one") message.ack();
    });
    const again: string[] = [];
    await cloud.nc.flush();
    await drain(await mailConsumer(cloud), async (message) => {
      again.push(message.string());
      await message.ackAck();
    });
    expect([seen, again]).toEqual([
      ["one", "two", "three"],
      ["two", "three"],
    ]);
  });

  test("the present value of every key", async () => {
    const laptop = await engine("laptop");
    await laptop.kv.put("task.1", "first");
    await laptop.kv.put("task.1", "second");
    const seen = new Map<string, string>();
    await drain(await stateConsumer(laptop), (message) => {
      const { key, text } = changeOf("demo", message);
      seen.set(key, text);
    });
    expect(seen.get("task.1")).toBe("second");
    expect([...seen.keys()]).toContain("machine.cloud");
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
