// Mail between machines: through the same inboxes as on one, in order, once, and its sender learns what became of it.
import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Stop } from "../../../lib/hook/events.ts";
import { closeEngine, openEngine } from "../../../lib/machines/engine.ts";
import { KEYS, mailSubject } from "../../../lib/machines/names.ts";
import * as lastReports from "../../../lib/mail/hooks/last-reports.ts";
import { markAnswered, markShown } from "../../../lib/mail/store/inbox.ts";
import { stateOf } from "../../../lib/mail/store/message.ts";
import { aContext } from "../../support/a-context.ts";
import { aMachine, type Machine } from "../../support/a-machine.ts";
import { aServer, type Server, whyNoServer } from "../../support/a-nats-server.ts";
import { aRelay } from "../../support/a-relay.ts";
import { as, inboxOf, TEAM } from "../../support/a-team.ts";

describe.skipIf(whyNoServer())("mail between machines", () => {
  let server: Server;
  beforeAll(() => undefined);
  const two = async (): Promise<[Machine, Machine]> => {
    server = await aServer();
    servers.push(server);
    const laptop = await aMachine(server.url, "laptop", ["alice"], true);
    const cloud = await aMachine(server.url, "cloud", ["bob"]);
    await laptop.round();
    return [laptop, cloud];
  };
  const servers: Server[] = [];
  afterAll(() => Promise.all(servers.map((one) => one.remove())));
  const stateAt = (machine: Machine, to: string, id: string) => {
    const message = machine.inbox(to).find((one) => one.id === id);
    return message && stateOf(message, new Date());
  };

  test("a team is brought along, and its members are known by name on both sides", async () => {
    const [laptop, cloud] = await two();
    const seen = (machine: Machine) =>
      machine
        .members()
        .map(({ name, machine: where }) => `${name} ${where ?? "here"}`)
        .sort();
    expect(seen(laptop)).toEqual(["alice here", "bob cloud", "team-lead here"]);
    expect(seen(cloud)).toEqual(["alice laptop", "bob here", "team-lead laptop"]);
  });

  test("queued, relayed, shown, answered", async () => {
    const [laptop, cloud] = await two();
    const id = laptop.send("alice", "bob", "hello");
    expect(stateAt(laptop, "bob", id)).toBe("queued");
    await laptop.round();
    expect(stateAt(laptop, "bob", id)).toBe("relayed");
    await cloud.round();
    expect(cloud.inbox("bob")).toMatchObject([
      { id, from: "alice", text: "hello", read: false, state: "queued" },
    ]);
    markShown(cloud.home.paths, TEAM, "bob", {
      ids: new Set([id]),
      now: new Date(),
      keepRead: 50,
      retentionDays: 30,
    });
    await cloud.round();
    await laptop.round();
    expect(stateAt(laptop, "bob", id)).toBe("shown");
    markAnswered(cloud.home.paths, TEAM, "bob", () => true, "other");
    const answer = cloud.send("bob", "alice", "yes", { replyTo: id });
    await cloud.round();
    await laptop.round();
    expect(stateAt(laptop, "bob", id)).toBe("answered");
    expect(laptop.inbox("alice")).toMatchObject([{ id: answer, from: "bob", replyTo: id, text: "yes" }]);
  });

  test("the order of a sender is kept, and nothing comes twice", async () => {
    const [laptop, cloud] = await two();
    const ids = Array.from({ length: 120 }, (_, n) => laptop.send("alice", "bob", `${n}`));
    await laptop.round();
    await cloud.round();
    await cloud.round();
    expect(cloud.inbox("bob").map((one) => one.id)).toEqual(ids);
  });

  test("what is on the relay twice is delivered once, also by a courier that has just started", async () => {
    const [laptop, cloud] = await two();
    const id = laptop.send("alice", "bob", "once");
    await laptop.round();
    await cloud.round();
    const engine = await openEngine(laptop.relay);
    const subject = mailSubject(
      TEAM,
      { machine: "cloud", agent: "bob" },
      { machine: "laptop", agent: "alice" },
    );
    await engine.js.publish(subject, JSON.stringify({ v: 1, id, text: "once", ageMs: 0 }));
    await closeEngine(engine);
    await cloud.round();
    expect(cloud.courier.counts.duplicates).toBe(1);
    const fresh = {
      ...cloud,
      courier: (await import("../../../lib/machines/team-courier.ts")).teamCourier(cloud.courier.here),
    };
    const again = await openEngine(cloud.relay);
    await again.js.publish(subject, JSON.stringify({ v: 1, id, text: "once", ageMs: 0 }));
    await fresh.courier.round(again);
    await closeEngine(again);
    expect(cloud.inbox("bob")).toHaveLength(1);
  });

  test("an id that is known already keeps no other machine's message out", async () => {
    const [laptop, cloud] = await two();
    cloud.send("carol", "bob", "local", { id: "same" });
    laptop.send("alice", "bob", "remote", { id: "same" });
    await laptop.round();
    await cloud.round();
    await cloud.round();
    expect(cloud.inbox("bob").map(({ id, text }) => `${id} ${text}`)).toEqual([
      "same local",
      "same-laptop remote",
    ]);
  });

  test("malformed messages are refused and counted, never delivered", async () => {
    const [laptop, cloud] = await two();
    const engine = await openEngine(laptop.relay);
    const subject = mailSubject(
      TEAM,
      { machine: "cloud", agent: "bob" },
      { machine: "laptop", agent: "alice" },
    );
    const bad = [
      "{",
      "null",
      "[]",
      JSON.stringify({ v: 1, id: "../x", text: "a", ageMs: 0 }),
      JSON.stringify({ v: 2 }),
      "\u0000",
    ];
    for (const text of bad) await engine.js.publish(subject, text);
    await engine.js.publish(
      `swarm.${TEAM}.mail.cloud.bob.laptop`,
      JSON.stringify({ v: 1, id: "x", text: "a", ageMs: 0 }),
    );
    await engine.js.publish(`swarm.${TEAM}.mail.cloud.=receipts.laptop.=courier`, "{}");
    await closeEngine(engine);
    await cloud.round();
    expect(cloud.inbox("bob")).toEqual([]);
    expect(cloud.courier.counts.refused).toBe(bad.length + 2);
    const good = laptop.send("alice", "bob", "after that");
    await laptop.round();
    await cloud.round();
    expect(cloud.inbox("bob").map(({ id }) => id)).toEqual([good]);
  });

  test("mail to somebody who is not there comes back as refused, with the reason", async () => {
    const [laptop, cloud] = await two();
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    const { updateTeam } = await import("../../../lib/teams/store/config.ts");
    updateTeam(cloud.home.paths, TEAM, (team) => ({
      ...team,
      members: team.members.filter(({ name }) => name !== "bob"),
    }));
    await cloud.round();
    const stored = () => laptop.inbox("bob").find((one) => one.id === id);
    await laptop.round();
    expect(stored()).toMatchObject({ state: "refused", reason: `there is no bob of team ${TEAM} on cloud` });
  });

  test("what the relay does not take stays queued, with the reason, and goes out when it does", async () => {
    const [laptop, cloud] = await two();
    const engine = await openEngine(laptop.relay);
    const key = KEYS.member({ machine: "box", agent: "carol" });
    await engine.kv.put(key, JSON.stringify({ v: 1, state: "idle" }));
    await closeEngine(engine);
    await laptop.round();
    const [id, other] = [laptop.send("alice", "carol", "hello"), laptop.send("alice", "bob", "hello")];
    await laptop.round();
    expect(stateAt(laptop, "carol", id)).toBe("queued");
    expect(Object.keys(laptop.courier.counts.stuck)).toEqual(["box"]);
    await cloud.round();
    expect(cloud.inbox("bob").map((one) => one.id)).toEqual([other]);
    await closeEngine(await openEngine(aRelay(server.url, "box"), undefined, true)); // makes its stream
    await laptop.round();
    expect(laptop.courier.counts.stuck).toEqual({});
    expect(stateAt(laptop, "carol", id)).toBe("relayed");
  });

  test("the last report of a turn reaches a lead elsewhere, and routine mail stays routine", async () => {
    const [laptop, cloud] = await two();
    const ctx = aContext(
      cloud.home,
      Stop,
      { session_id: "bob-session", last_assistant_message: "the parser is done" },
      { env: as("bob") },
    );
    lastReports.stop(ctx);
    cloud.send("bob", "alice", "for later", { routine: true });
    await cloud.round();
    await laptop.round();
    expect(laptop.inbox("team-lead")).toMatchObject([
      { from: "bob", kind: "report", text: "[report] the parser is done" },
    ]);
    expect(laptop.inbox("alice")).toMatchObject([{ text: "for later", routine: true }]);
  });

  test("an entry that somebody wrote by hand, without an id, goes out too", async () => {
    const [laptop, cloud] = await two();
    laptop.home.write(inboxOf("bob"), [
      { from: "alice", text: "by hand", timestamp: new Date().toISOString() },
    ]);
    await laptop.round();
    await cloud.round();
    await cloud.round();
    expect(cloud.inbox("bob")).toMatchObject([{ from: "alice", text: "by hand" }]);
  });

  test("a locked inbox does not hold the courier up: mail is spooled, in order", async () => {
    const [laptop, cloud] = await two();
    const ids = [1, 2, 3].map((n) => laptop.send("alice", "bob", `${n}`));
    await laptop.round();
    mkdirSync(cloud.home.path(`${inboxOf("bob")}.lock`));
    await cloud.round();
    expect(cloud.inbox("bob").map(({ id }) => id)).toEqual(ids);
  });

  test("what cannot be written here stays on the relay, in order, until it can", async () => {
    const [laptop, cloud] = await two();
    const ids = [1, 2, 3].map((n) => laptop.send("alice", "bob", `${n}`));
    await laptop.round();
    const lock = cloud.home.path(`${inboxOf("bob")}.lock`);
    mkdirSync(lock);
    const spool = cloud.home.write(`.claude/teams/${TEAM}/spool`, "no directory");
    await expect(cloud.round()).rejects.toThrow();
    rmSync(spool);
    expect(cloud.inbox("bob")).toEqual([]);
    rmdirSync(lock);
    await cloud.round();
    expect(cloud.inbox("bob").map(({ id }) => id)).toEqual(ids);
  });

  test("a receipt counts only from the machine the mail went to", async () => {
    const [laptop] = await two();
    await aMachine(server.url, "box", ["mallory"]);
    const id = laptop.send("alice", "bob", "hello");
    await laptop.round();
    const engine = await openEngine({ ...laptop.relay, machine: "box" });
    const text = JSON.stringify({ v: 1, receipts: [{ id, agent: "bob", state: "answered" }] });
    await engine.js.publish(`swarm.${TEAM}.mail.laptop.=receipts.box.=courier`, text);
    await closeEngine(engine);
    await laptop.round();
    expect(stateAt(laptop, "bob", id)).toBe("relayed");
  });

  test("a name on two machines is written with its machine", async () => {
    const [laptop, cloud] = await two();
    cloud.join("alice");
    await cloud.round();
    await laptop.round();
    expect(laptop.members().map(({ name }) => name)).toContain("alice@cloud");
    laptop.send("team-lead", "alice@cloud", "to the other alice");
    await laptop.round();
    await cloud.round();
    expect(cloud.inbox("alice")).toMatchObject([{ text: "to the other alice", from: "team-lead" }]);
  });

  test("the times of a message are the receiver's own, whatever the sender's clock says", async () => {
    const [laptop, cloud] = await two();
    const now = Date.now();
    const off = now - 3_600_000;
    const real = Date.now;
    const id = laptop.send("alice", "bob", "an hour slow", {
      timestamp: new Date(off - 5_000).toISOString(),
    });
    Date.now = () => real() - 3_600_000;
    try {
      await laptop.round();
    } finally {
      Date.now = real;
    }
    await cloud.round();
    const got = cloud.inbox("bob").find((one) => one.id === id);
    expect(Math.abs(Date.parse(got.timestamp) - (now - 5_000))).toBeLessThan(3_000);
  });
});
