// One machine's credential in the wrong hands, against the configuration `swarm relay config` writes and a real server.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, inboxPrefix } from "../../../lib/machines/connection.ts";
import { closeEngine, openEngine, readAll } from "../../../lib/machines/engine.ts";
import { bucketStream, KEYS, mailStream, mailSubject, receiptSubject } from "../../../lib/machines/names.ts";
import { makeConfig, provision } from "../../../lib/machines/server.ts";
import { serverConfig } from "../../../lib/machines/server-config.ts";
import { canSync, powerLossRisk } from "../../../lib/machines/store/relay.ts";
import type { Home } from "../../support/a-home.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { TEAM } from "../../support/a-team.ts";
import { homeAt } from "../../support/home-at.ts";

const MACHINES = ["laptop", "cloud", "evil"];

describe.skipIf(whyNoServer())("a machine's credential", () => {
  let server: Server;
  let admin: Home;
  let root: string;
  const creds: Record<string, string> = {};
  let nc: NatsConnection;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "swarm-test-"));
    admin = homeAt(root);
    let wanted = { team: TEAM, machines: MACHINES, listen: "", store: undefined as string | undefined };
    server = await aServer((port, store) => {
      wanted = { ...wanted, listen: `127.0.0.1:${port}`, store };
      const made = makeConfig(admin.paths, wanted);
      for (const [machine, path] of Object.entries(made.creds)) creds[machine] = readFileSync(path, "utf8");
      return made.text;
    });
    await provision(admin.paths, { url: server.url, replicas: 1 }, wanted);
    nc = await connect(aRelay(server.url, "evil", { creds: creds["evil"] }));
  });
  afterAll(async () => {
    await nc?.close();
    await server.remove();
    rmSync(root, { recursive: true, force: true });
  });

  const machine = (name: string, agents: string[], isFirst = false): Promise<Machine> =>
    aMachine(server.url, name, agents, isFirst, { creds: creds[name] });
  const js = () => jetstream(nc, { timeout: 1_000 });
  const refused = async (work: Promise<unknown>) =>
    expect(
      await work.then(
        () => "done",
        () => "refused",
      ),
    ).toBe("refused");

  test("is enough for everything a machine does", async () => {
    const laptop = await machine("laptop", ["alice"], true);
    const cloud = await machine("cloud", ["bob"]);
    await laptop.round();
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    await cloud.round();
    expect(cloud.inbox("bob").map((one) => one.id)).toEqual([id]);
    const engine = await openEngine(cloud.relay);
    const { commitTask, reserveTask, takeLead } = await import("../../../lib/machines/operations.ts");
    const number = String(await reserveTask(engine));
    const task = { id: number, subject: "s", description: "", status: "pending", blocks: [], blockedBy: [] };
    expect(await commitTask(engine, number, null, task)).toBeUndefined();
    const lead = await engine.kv.get(KEYS.lead);
    expect(
      await takeLead(
        engine,
        { v: 1, machine: "cloud", agent: "team-lead", at: new Date().toISOString() },
        lead?.revision ?? 0,
      ),
    ).toBeGreaterThan(0);
    await closeEngine(engine);
  });

  const asOther = (to: string, from: string) =>
    mailSubject(TEAM, { machine: to, agent: "bob" }, { machine: from, agent: "alice" });

  test.each([
    ["mail as an agent of another machine", () => asOther("cloud", "laptop")],
    ["receipts of another machine", () => receiptSubject(TEAM, "laptop", "cloud")],
    [
      "a member of another machine",
      () => `$KV.swarm-${TEAM}.${KEYS.member({ machine: "laptop", agent: "alice" })}`,
    ],
    ["a sign of life of another machine", () => `$KV.swarm-${TEAM}.${KEYS.machine("laptop")}`],
    ["another team's mail", () => `swarm.other.mail.cloud.bob.evil.x`],
  ])("cannot send %s", async (_, subject) => refused(js().publish(subject(), "{}")));

  test("can send as its own", async () => {
    const ack = await js().publish(
      asOther("cloud", "evil"),
      JSON.stringify({ v: 1, id: "own", text: "x", ageMs: 0 }),
    );
    expect(ack.stream).toBe(mailStream(TEAM, "cloud"));
  });

  test("cannot stop the others with keys that are none", async () => {
    for (const key of ["roster.evil.!", "roster.evil.%20", "task.#", "task.{}"])
      await js().publish(`$KV.swarm-${TEAM}.${key}`, "{}");
    const engine = await openEngine(aRelay(server.url, "laptop", { creds: creds["laptop"] }));
    expect((await readAll(engine)).changes.map(({ key }) => key)).toContain("config");
    await closeEngine(engine);
  });

  test("cannot read another machine's mail, by any of the ways there are", async () => {
    const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: 1_000 });
    const stream = mailStream(TEAM, "cloud");
    await refused(jsm.consumers.info(stream, "cloud"));
    await refused(
      jsm.consumers.add(stream, { durable_name: "spy", filter_subject: `swarm.${TEAM}.mail.cloud.>` }),
    );
    await refused(
      jsm.consumers.add(stream, {
        filter_subject: `swarm.${TEAM}.mail.evil.>`,
        deliver_subject: asOther("cloud", "laptop"),
      }),
    );
    await refused(jsm.consumers.add(bucketStream(TEAM), { deliver_subject: asOther("cloud", "laptop") }));
    await refused(jsm.streams.info(stream));
    await refused(
      jsm.consumers.add(mailStream(TEAM, "evil"), { deliver_subject: asOther("cloud", "laptop") }),
    );
    await refused(jsm.streams.getMessage(stream, { last_by_subj: `swarm.${TEAM}.mail.>` }));
    await refused(jsm.direct.getMessage(stream, { seq: 1 }));
    await refused(nc.request(`$JS.API.CONSUMER.MSG.NEXT.${stream}.cloud`, "", { timeout: 1_000 }));
    for (const subject of [
      `swarm.${TEAM}.mail.>`,
      `swarm.${TEAM}.mail.cloud.>`,
      ">",
      `${inboxPrefix("cloud")}.>`,
      "_INBOX.>",
      "$JS.>",
    ]) {
      const heard = nc.subscribe(subject);
      await nc.flush();
      await refused(
        (heard as unknown as { closed: Promise<Error | void> }).closed.then((error) =>
          error ? Promise.reject(error) : undefined,
        ),
      );
    }
  });

  test("cannot take mail away, change the streams or delete anything", async () => {
    const jsm = await jetstreamManager(nc, { checkAPI: false, timeout: 1_000 });
    for (const stream of [mailStream(TEAM, "cloud"), bucketStream(TEAM)]) {
      await refused(jsm.streams.purge(stream));
      await refused(jsm.streams.delete(stream));
      await refused(jsm.streams.update(stream, { republish: { src: ">", dest: "leak.>" } } as never));
      await refused(jsm.streams.deleteMessage(stream, 1));
    }
    await refused(jsm.consumers.delete(mailStream(TEAM, "cloud"), "cloud"));
    await refused(jsm.streams.add({ name: "mine", subjects: [`swarm.${TEAM}.mail.>`] }));
    const roll = headers();
    roll.set("Nats-Rollup", "all");
    await refused(js().publish(`$KV.swarm-${TEAM}.${KEYS.machine("evil")}`, "{}", { headers: roll }));
  });

  test("cannot be used for another machine, and says so", async () => {
    await expect(openEngine(aRelay(server.url, "cloud", { creds: creds["evil"] }))).rejects.toThrow(
      "this credential is not for the machine cloud",
    );
  });

  test("no credential, or another server's, opens nothing", async () => {
    const other = serverConfig({
      team: "x",
      machines: {},
      setupKey: "U",
      listen: "l",
      store: "s",
      isSynced: true,
    });
    expect(other).toContain("sync_interval: always");
    await expect(connect(aRelay(server.url, "cloud"))).rejects.toThrow(/the credential is not accepted/);
    const { nkeys } = await import("@nats-io/transport-node");
    const stranger = new TextDecoder().decode(nkeys.createUser().getSeed());
    await expect(connect(aRelay(server.url, "cloud", { creds: stranger }))).rejects.toThrow(
      /the credential is not accepted/,
    );
    await expect(connect(aRelay(server.url, "cloud", { token: "t" }))).rejects.toThrow(
      /the credential is not accepted/,
    );
  });

  test("the files are readable for their owner alone, and keys stay what they are", () => {
    const again = makeConfig(admin.paths, {
      team: TEAM,
      machines: MACHINES,
      listen: "127.0.0.1:4222",
      store: undefined,
    });
    for (const [name, path] of Object.entries(again.creds)) {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readFileSync(path, "utf8")).toBe(creds[name]);
    }
    expect(statSync(again.file).mode & 0o777).toBe(0o600);
    for (const seed of Object.values(creds)) expect(again.text).not.toContain(seed.trim());
  });
});

test("what a version can promise", () => {
  expect(["2.9.10", "2.10.0", "2.11.3", "3.0.0", "1.4.1"].map(canSync)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(powerLossRisk({ name: "x", version: "2.9.10" })).toContain("2.9.10 has no");
  expect(powerLossRisk({ name: "x", version: "2.11.0" })).toContain("not known to be set");
  expect(powerLossRisk({ name: "swarm-demo-fsync", version: "2.11.0" })).toBeUndefined();
});
