// The courier's parts against a relay that is a list of what it was given; the real one is in test/machines/server.

import { mkdirSync, rmSync } from "node:fs";
import { JetStreamApiError } from "@nats-io/jetstream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AnyCommand } from "../../lib/cli/command.ts";
import { displayName, displayOf } from "../../lib/machines/addresses.ts";
import { withRelay } from "../../lib/machines/commands.ts";
import { seedIn, within, withoutSecret } from "../../lib/machines/connection.ts";
import { statusWriter } from "../../lib/machines/courier.ts";
import type { Engine } from "../../lib/machines/engine.ts";
import { hereOf } from "../../lib/machines/here.ts";
import { commandFor, relayProblem } from "../../lib/machines/hook-texts.ts";
import { type Counts, inbound, receiptsOut } from "../../lib/machines/inbound.ts";
import { lifecycleOut } from "../../lib/machines/lifecycle.ts";
import { lifecycleSubject, mailSubject, receiptSubject } from "../../lib/machines/names.ts";
import { outbound, outboxSize } from "../../lib/machines/outbound.ts";
import { presence } from "../../lib/machines/presence.ts";
import { statusOf } from "../../lib/machines/status.ts";
import { isFresh, isRelayed, relayedTeams } from "../../lib/machines/store/paths.ts";
import {
  canSync,
  powerLossRisk,
  readSentReceipts,
  readStatus,
  removeRelay,
  writeRelay,
} from "../../lib/machines/store/relay.ts";
import { teamCourier } from "../../lib/machines/team-courier.ts";
import { member } from "../../lib/machines/wire.ts";
import { markShown } from "../../lib/mail/store/inbox.ts";
import { moveMail } from "../../lib/mail/store/removed-members.ts";
import { startOf } from "../../lib/system/processes.ts";
import { aCall } from "../support/a-call.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { aMessage, archiveOf, as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { inNoTime } from "../support/in-no-time.ts";

const RELAY = aRelay("nats://127.0.0.1:1", "laptop");
const EVE = { name: "eve", machine: "cloud", agent: "eve" };

interface Fake {
  engine: Engine;
  sent: { subject: string; body: any; id?: string }[];
  put: { key: string; value: any }[];
  refuses: (subject: string) => Error | undefined;
}

function aFake(): Fake {
  const fake: Fake = { engine: undefined as never, sent: [], put: [], refuses: () => undefined };
  const publish = async (subject: string, text: string, { msgID }: { msgID?: string } = {}) => {
    const error = fake.refuses(subject);
    if (error) throw error;
    fake.sent.push({ subject, body: JSON.parse(text), ...(msgID ? { id: msgID } : {}) });
  };
  const put = async (key: string, text: string) => void fake.put.push({ key, value: JSON.parse(text) });
  fake.engine = { clockMs: 0, js: { publish }, kv: { put } } as unknown as Engine;
  return fake;
}

const full = () =>
  new JetStreamApiError({ code: 503, err_code: 10_077, description: "maximum bytes exceeded" });

function aMachineHere(members: Parameters<typeof aTeam>[1] = ["team-lead", "alice", EVE]): Home {
  const home = aHome();
  aTeam(home, members);
  writeRelay(home.paths, RELAY);
  return home;
}
const here = (home: Home) => hereOf(home.paths, RELAY);
const counting = (): Counts => ({ delivered: 0, duplicates: 0, refused: 0, lastPull: {}, stuck: {} });
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString();

describe("mail that goes out", () => {
  test("in order, with its age, once; then it is marked", async () => {
    const home = aMachineHere();
    const { engine, sent } = aFake();
    const first = aMessage("alice", "one", {
      timestamp: minutesAgo(1),
      kind: "report",
      routine: true,
      replyTo: "x",
    });
    home.write(inboxOf("eve"), [
      first,
      aMessage("alice", "two", { kind: "other" }),
      aMessage("alice", "old", { read: true }),
    ]);
    const send = outbound(here(home), {});
    expect(outboxSize(here(home))).toBe(2);
    expect(await send(engine)).toBe(2);
    expect(sent.map(({ subject, body }) => [subject, body.text])).toEqual([
      ["swarm.atm-dev.mail.cloud.eve.laptop.alice", "one"],
      ["swarm.atm-dev.mail.cloud.eve.laptop.alice", "two"],
    ]);
    expect(sent[0]?.body).toMatchObject({ v: 1, id: first.id, kind: "report", routine: true, replyTo: "x" });
    expect(Math.round(sent[0]?.body.ageMs / 1_000)).toBe(60);
    expect(sent[1]?.body.kind).toBeUndefined();
    expect(sent[0]?.id).not.toBe(sent[1]?.id);
    expect(home.json(inboxOf("eve"))[0]).toMatchObject({
      state: "relayed",
      relayedTo: "cloud",
      relayedAt: expect.any(String),
    });
    expect([await send(engine), outboxSize(here(home))]).toEqual([0, 0]);
    home.write(inboxOf("eve"), [...home.json(inboxOf("eve")), aMessage("alice", "three")]);
    expect(await send(engine)).toBe(1);
  });

  test("a relay that is full holds up only that machine's, with the reason; another error is the caller's", async () => {
    const home = aMachineHere(["team-lead", EVE, { name: "dan", machine: "box", agent: "dan" }]);
    const fake = aFake();
    for (const name of ["eve", "dan"]) home.write(inboxOf(name), [aMessage("team-lead", `for ${name}`)]);
    const stuck: Record<string, string> = {};
    const send = outbound(here(home), stuck);
    fake.refuses = (subject) => (subject.includes(".cloud.") ? full() : undefined);
    expect(await send(fake.engine)).toBe(1);
    expect([Object.keys(stuck), outboxSize(here(home))]).toEqual([["cloud"], 1]);
    fake.refuses = () => undefined;
    expect(await send(fake.engine)).toBe(1);
    expect([stuck, outboxSize(here(home))]).toEqual([{}, 0]);
    stuck["gone"] = "full";
    await send(fake.engine);
    expect(stuck).toEqual({});
    home.write(inboxOf("eve"), [aMessage("team-lead", "again")]);
    fake.refuses = () => new Error("the connection is gone");
    await expect(send(fake.engine)).rejects.toThrow("the connection is gone");
  });

  test("what cannot be sent is refused here, and an entry without an id gets one", async () => {
    const home = aMachineHere();
    const { engine, sent } = aFake();
    home.write(inboxOf("eve"), [aMessage("alice", "x".repeat(100_001)), { from: "alice", text: "by hand" }]);
    await outbound(here(home), {})(engine);
    expect(home.json(inboxOf("eve"))[0]).toMatchObject({
      state: "refused",
      reason: expect.stringContaining("does not take it"),
    });
    expect(sent.map(({ body }) => body.text)).toEqual(["by hand"]);
    expect(sent[0]?.body.id).toMatch(/./);
  });
});

test("a field that no machine takes is left out of mail that goes out, and an age that no message has", async () => {
  const home = aMachineHere();
  const { engine, sent } = aFake();
  const odd = { summary: "s".repeat(501), color: "re\nd", replyTo: "no id", routine: "yes" };
  home.write(inboxOf("eve"), [
    aMessage("alice", "odd", odd),
    aMessage("alice", "old", { timestamp: "1970-01-01T00:00:00Z", summary: "kept" }),
  ]);
  await outbound(here(home), {})(engine);
  expect(sent.map(({ body }) => body)).toEqual([
    { v: 1, id: expect.any(String), text: "odd", ageMs: expect.any(Number) },
    { v: 1, id: expect.any(String), text: "old", ageMs: 400 * 86_400_000, summary: "kept" },
  ]);
});

test("mail from elsewhere that follows the lead goes on in its sender's name, not in a namesake's here", async () => {
  const home = aMachineHere();
  const { engine, sent } = aFake();
  home.write(inboxOf("eve"), [
    aMessage("dan", "for the lead", { via: { machine: "box", agent: "dan", id: "m" } }),
    aMessage("dan@box@desk", "passed on before", { via: { machine: "desk", agent: "dan@box", id: "n" } }),
    aMessage("dan", "of another program", { via: "chat" }),
    aMessage("dan", "of another program, too", { via: null }),
  ]);
  await outbound(here(home), {})(engine);
  const eve = { machine: "cloud", agent: "eve" };
  expect(sent.map(({ subject }) => subject)).toEqual([
    mailSubject(TEAM, eve, { machine: "laptop", agent: "dan@box" }),
    mailSubject(TEAM, eve, { machine: "laptop", agent: "dan@box" }),
    mailSubject(TEAM, eve, { machine: "laptop", agent: "dan" }),
    mailSubject(TEAM, eve, { machine: "laptop", agent: "dan" }),
  ]);
});

test("an entry without an id that cannot get one yet is in the outbox, and goes out when it can", async () => {
  const home = aMachineHere();
  const fake = aFake();
  const self = { by: "x", pid: process.pid, startedAt: startOf(process.pid) };
  home.write(inboxOf("eve"), [
    aMessage("alice", "being shown", { claim: { ...self, at: new Date().toISOString() } }),
    { from: "alice", text: "by hand", timestamp: minutesAgo(0), read: false },
  ]);
  const send = outbound(here(home), {});
  expect(outboxSize(here(home))).toBe(2);
  await send(fake.engine);
  expect(outboxSize(here(home))).toBe(1);
  await send(fake.engine);
  expect(fake.sent.map(({ body }) => body.text)).toEqual(["being shown", "by hand"]);
  expect(outboxSize(here(home))).toBe(0);
});

test("an entry without an id in an inbox that is locked waits, the rest goes out", async () => {
  const home = aMachineHere();
  const fake = aFake();
  home.write(inboxOf("eve"), [
    aMessage("alice", "with an id"),
    { from: "bob", text: "by hand", timestamp: minutesAgo(0), read: false },
  ]);
  const lock = home.path(`${inboxOf("eve")}.lock`);
  mkdirSync(lock);
  const send = outbound(here(home), {});
  await send(fake.engine);
  expect(fake.sent.map(({ body }) => body.text)).toEqual(["with an id"]);
  rmSync(lock, { recursive: true });
  await send(fake.engine);
  expect(fake.sent.map(({ body }) => body.text)).toEqual(["with an id", "by hand"]);
});

describe("mail that comes in", () => {
  const from = { machine: "cloud", agent: "eve" };
  const letter = (body: unknown, to = "alice", more = {}) => ({
    subject: mailSubject(TEAM, { machine: "laptop", agent: to }, from),
    text: typeof body === "string" ? body : JSON.stringify(body),
    seq: 1,
    at: Date.now() - 2_000,
    ...more,
  });
  const mail = (id: string, more = {}) => ({ v: 1, id, text: `text of ${id}`, ageMs: 3_000, ...more });

  test("is delivered once, with its sender's name here and its age by our clock", async () => {
    const home = aMachineHere();
    const { engine, sent } = aFake();
    const counts = counting();
    const take = inbound(here(home), counts);
    for (const one of [mail("m-1"), mail("m-2"), mail("m-1")]) await take(engine, letter(one));
    const [first, second] = home.json(inboxOf("alice"));
    expect(first).toMatchObject({
      id: "m-1",
      from: "eve",
      text: "text of m-1",
      read: false,
      via: { ...from, id: "m-1" },
    });
    expect(second.id).toBe("m-2");
    expect(Math.round((Date.now() - Date.parse(first.timestamp)) / 1_000)).toBe(5);
    expect(counts).toMatchObject({ delivered: 2, duplicates: 1, refused: 0 });
    expect(counts.lastPull["alice"]).toMatch(/Z$/);
    expect(sent).toEqual([]);
    // A courier that has just started knows them by the inbox.
    const again = counting();
    await inbound(here(home), again)(engine, letter(mail("m-2")));
    expect(again).toMatchObject({ delivered: 0, duplicates: 1 });
  });

  test("an id that another machine's mail has gets that machine's name", async () => {
    const home = aMachineHere();
    const { engine } = aFake();
    const take = inbound(here(home), counting());
    await take(engine, letter(mail("m-1")));
    const other = { machine: "box", agent: "dan" };
    await take(
      engine,
      letter(mail("m-1"), "alice", {
        subject: mailSubject(TEAM, { machine: "laptop", agent: "alice" }, other),
      }),
    );
    expect(home.json(inboxOf("alice")).map(({ id, from }: any) => [id, from])).toEqual([
      ["m-1", "eve"],
      ["m-1-box", "dan@box"],
    ]);
  });

  test.each([
    ["somebody who is not there", "zoe", "there is no zoe of team atm-dev on laptop"],
    ["a member elsewhere", "eve", "there is no eve of team atm-dev on laptop"],
    ["no name", "../x", "no such name"],
  ])("mail to %s is sent back as refused", async (_, to, reason) => {
    const home = aMachineHere();
    const { engine, sent } = aFake();
    const counts = counting();
    await inbound(here(home), counts)(engine, letter(mail("m-1"), to));
    expect(sent).toEqual([
      {
        subject: receiptSubject(TEAM, "cloud", "laptop"),
        body: { v: 1, receipts: [{ id: "m-1", agent: to, state: "refused", reason }] },
      },
    ]);
    expect(counts).toMatchObject({ delivered: 0, refused: 0 });
  });

  test.each<[string, object]>([
    ["no JSON", letter("{")],
    ["another team's", letter(mail("m-1"), "alice", { subject: "swarm.other.mail.laptop.alice.cloud.eve" })],
    ["receipts that are none", letter({ v: 1 }, "", { subject: receiptSubject(TEAM, "laptop", "cloud") })],
    [
      "lifecycle lines that are none",
      letter({ v: 1 }, "", { subject: "swarm.atm-dev.mail.laptop.=lifecycle.cloud.=courier" }),
    ],
  ])("%s is counted as refused", async (_, bad) => {
    const home = aMachineHere();
    const counts = counting();
    await inbound(here(home), counts)(aFake().engine, bad as never);
    expect(counts).toMatchObject({ delivered: 0, refused: 1 });
    expect(home.has(inboxOf("alice"))).toBe(false);
  });

  test("a receipt marks mail only from the machine that it went to", async () => {
    const home = aMachineHere();
    const message = { ...aMessage("alice", "x"), state: "relayed", relayedTo: "cloud" };
    home.write(inboxOf("eve"), [message]);
    const take = inbound(here(home), counting());
    const receipt = (machine: string) =>
      letter({ v: 1, receipts: [{ id: message.id, agent: "eve", state: "shown" }] }, "", {
        subject: receiptSubject(TEAM, "laptop", machine),
      });
    await take(aFake().engine, receipt("box"));
    expect(home.json(inboxOf("eve"))[0].state).toBe("relayed");
    await take(aFake().engine, receipt("cloud"));
    const kept = home.has(archiveOf("eve")) ? home.lines(archiveOf("eve")) : home.json(inboxOf("eve"));
    expect(kept[0].state).toBe("shown");
  });

  test("a receipt for a name that is too long with its machine holds up nothing", async () => {
    const counts = counting();
    const agent = "a".repeat(100);
    const subject = receiptSubject(TEAM, "laptop", "cloud");
    const take = inbound(here(aMachineHere()), counts);
    await take(
      aFake().engine,
      letter({ v: 1, receipts: [{ id: "m", agent, state: "shown" }] }, "", { subject }),
    );
    expect(counts.refused).toBe(0);
  });
});

test("a receipt that the relay does not take is sent again after a while", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const home = aMachineHere();
  const via = { machine: "cloud", agent: "eve", id: "m-1" };
  home.write(inboxOf("alice"), [{ ...aMessage("eve", "x"), id: "m-1", via, state: "shown", read: true }]);
  const fake = aFake();
  const report = receiptsOut(here(home));
  fake.refuses = full;
  await report(fake.engine);
  fake.refuses = () => undefined;
  await report(fake.engine);
  expect(fake.sent).toHaveLength(0);
  vi.setSystemTime(Date.now() + 31_000);
  await report(fake.engine);
  expect(fake.sent).toHaveLength(1);
});

test("a receipt that the relay does not take is not forgotten when the clock is set back", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const home = aMachineHere();
  const via = { machine: "cloud", agent: "eve", id: "m-1" };
  home.write(inboxOf("alice"), [{ ...aMessage("eve", "x"), id: "m-1", via, state: "shown", read: true }]);
  const fake = aFake();
  const report = receiptsOut(here(home));
  fake.refuses = full;
  await report(fake.engine);
  fake.refuses = () => undefined;
  vi.setSystemTime(Date.now() - 3_600_000);
  await report(fake.engine);
  expect(fake.sent).toHaveLength(1);
});

test("a receipt that is cut off by the connection is the caller's error, and sent with the next look", async () => {
  const home = aMachineHere();
  const via = { machine: "cloud", agent: "eve", id: "m-1" };
  home.write(inboxOf("alice"), [{ ...aMessage("eve", "x"), id: "m-1", via, state: "shown", read: true }]);
  const fake = aFake();
  const report = receiptsOut(here(home));
  fake.refuses = () => new Error("cut off");
  await expect(report(fake.engine)).rejects.toThrow("cut off");
  fake.refuses = () => undefined;
  await report(fake.engine);
  expect(fake.sent).toHaveLength(1);
});

test("mail that nobody will read is reported, also when its reader is no member any more", async () => {
  const home = aMachineHere();
  const via = { machine: "cloud", agent: "eve", id: "m-1" };
  home.write(
    archiveOf("zoe"),
    `${JSON.stringify({ ...aMessage("eve", "x"), id: "m-1", via, state: "dead" })}\n`,
  );
  const fake = aFake();
  await receiptsOut(here(home))(fake.engine);
  expect(fake.sent.map(({ body }) => body.receipts)).toEqual([[{ id: "m-1", agent: "zoe", state: "dead" }]]);
});

test("mail that came along to another name is reported under the name it was sent to", async () => {
  const home = aMachineHere();
  const fake = aFake();
  await inbound(here(home), counting())(fake.engine, {
    ...{ subject: mailSubject(TEAM, { machine: "laptop", agent: "alice" }, EVE), seq: 1, at: Date.now() },
    text: JSON.stringify({ v: 1, id: "m-1", text: "x", ageMs: 0 }),
  });
  moveMail(home.paths, TEAM, "alice", "alicia");
  const now = new Date();
  markShown(home.paths, TEAM, "alicia", { ids: ["m-1"], now, keepRead: 100, retentionDays: 100 });
  await receiptsOut(here(home))(fake.engine);
  expect(fake.sent.map(({ body }) => body.receipts)).toEqual([
    [{ id: "m-1", agent: "alice", state: "shown" }],
  ]);
});

test("what another program wrote into an inbox is reported to nobody", async () => {
  const home = aMachineHere();
  const written = (id: string, via: unknown) => ({ ...aMessage("eve", id), id, via, read: true });
  home.write(inboxOf("alice"), [
    written("a", { machine: "a.>", id: "a" }),
    written("b", { machine: 7, id: "b" }),
    written("c", { machine: "cloud", id: { x: 1 } }),
    written("d", "chat"),
    written("e", { machine: "cloud", agent: "eve", id: "e" }),
  ]);
  const fake = aFake();
  await receiptsOut(here(home))(fake.engine);
  expect(fake.sent.map(({ subject, body }) => [subject, body.receipts.map((one: any) => one.id)])).toEqual([
    [receiptSubject(TEAM, "cloud", "laptop"), ["e"]],
  ]);
});

test("each end of mail from elsewhere is reported once, to its machine; what is open is not", async () => {
  const home = aMachineHere();
  const fake = aFake();
  const came = (id: string, more: object) => ({
    ...aMessage("eve", id),
    id,
    via: { machine: "cloud", agent: "eve", id },
    ...more,
  });
  home.write(inboxOf("alice"), [
    came("m-1", { state: "shown", read: true }),
    came("m-2", {}),
    { ...aMessage("bob", "x"), state: "shown", read: true },
  ]);
  const report = receiptsOut(here(home));
  fake.refuses = full;
  await report(fake.engine);
  expect(readSentReceipts(home.paths, TEAM).size).toBe(0);
  fake.refuses = () => undefined;
  const fresh = receiptsOut(here(home));
  await fresh(fake.engine);
  await fresh(fake.engine);
  expect(fake.sent.map(({ subject, body }) => [subject, body.receipts])).toEqual([
    [receiptSubject(TEAM, "cloud", "laptop"), [{ id: "m-1", agent: "alice", state: "shown" }]],
  ]);
  await receiptsOut(here(home))(fake.engine); // after a restart
  expect(fake.sent).toHaveLength(1);
});

describe("what this machine says of its members", () => {
  const self = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  const record = (home: Home, more: object) =>
    home.write(".claude/swarm/sessions/alice-session/session.json", {
      ...{
        session: "alice-session",
        state: "active",
        status: "working",
        startedAt: "x",
        lastSeen: new Date().toISOString(),
        ...self,
      },
      ...more,
    });
  const news = async (home: Home, onRelay: string[] = []) => {
    const fake = aFake();
    await presence(here(home))(fake.engine, onRelay);
    return Object.fromEntries(fake.put.map(({ key, value }) => [key, value]));
  };

  test("silent in a turn, and paused: as the board here says it", async () => {
    const home = aMachineHere(["team-lead", { name: "alice", sessionId: "alice-session" }]);
    record(home, { lastSeen: minutesAgo(600) });
    expect((await news(home))["roster.laptop.alice"].state).toBe("silent");
    home.write(".claude/swarm/pauses.json", [{ by: "person", since: minutesAgo(1), team: TEAM }]);
    expect((await news(home))["roster.laptop.alice"].state).toBe("paused");
  });

  test.each<[string, object | undefined, object]>([
    ["at work", {}, { state: "working", status: "active" }],
    ["idle", { state: "idle", status: "done" }, { state: "idle" }],
    [
      "waiting for a person",
      { status: "attention", prompt: { kind: "permission", tool: "Bash", since: minutesAgo(1) } },
      { state: "permission" },
    ],
    ["with a question", { prompt: { kind: "question", since: minutesAgo(1) } }, { state: "question" }],
    [
      "gone, with the proof",
      { pid: 2 ** 22 - 3, pidStartedAt: "1" },
      { state: "gone", status: "offline", proof: expect.stringContaining("has ended") },
    ],
    [
      "ended",
      { endedAt: minutesAgo(1) },
      { state: "gone", proof: expect.stringContaining("its session ended") },
    ],
    ["with a text of its own", { statusText: "a\nb" }, { task: "a b" }],
  ])("%s", async (_, given, expected) => {
    const home = aMachineHere([
      "team-lead",
      { name: "alice", sessionId: "alice-session", model: "opus" },
      EVE,
    ]);
    if (given) record(home, given);
    const said = await news(home);
    expect(said["roster.laptop.alice"]).toMatchObject({ v: 1, model: "opus", ...expected });
    expect(said["roster.laptop.alice"].ageMs).toBeLessThan(60_000);
    expect(Object.keys(said).sort()).toEqual(["roster.laptop.alice", "roster.laptop.team-lead"]);
  });

  test("what does not fit is left out, not the member", async () => {
    const odd = { agentType: "a".repeat(150), model: "m".repeat(150), color: "c".repeat(50), status: "idle" };
    const home = aMachineHere([{ name: "alice", ...odd, lastSeen: "2001-01-01T00:00:00Z" }]);
    const said = (await news(home))["roster.laptop.alice"];
    expect(said).toEqual({ v: 1, agentId: expect.any(String), status: "idle", clockMs: 0 });
    expect(member.safeParse(said).success).toBe(true);
  });

  test("nothing is known of a member without a session, and its task is its own", async () => {
    const home = aMachineHere(["team-lead", "alice"]);
    home.write(`.claude/tasks/${TEAM}/1.json`, {
      id: "1",
      subject: "parse",
      status: "in_progress",
      owner: "alice",
      blocks: [],
      blockedBy: [],
    });
    const { "roster.laptop.alice": alice } = await news(home);
    expect(alice).toMatchObject({ task: "#1 parse", status: "active" });
    expect([alice.state, alice.proof, alice.ageMs]).toEqual([undefined, undefined, undefined]);
  });

  test("the same is not said again, a change at once, a departure once", async () => {
    const home = aMachineHere(["team-lead", { name: "alice", sessionId: "alice-session" }]);
    record(home, {});
    const fake = aFake();
    const announce = presence(here(home));
    const said = async (onRelay: string[] = []) => {
      fake.put.length = 0;
      await announce(fake.engine, onRelay);
      return fake.put.map(({ key, value }) => `${key} ${value.state ?? (value.left ? "left" : "-")}`);
    };
    expect(await said()).toEqual(["roster.laptop.team-lead -", "roster.laptop.alice working"]);
    expect(await said()).toEqual([]);
    record(home, { state: "idle", status: "done" });
    expect(await said()).toEqual(["roster.laptop.alice idle"]);
    expect(await said(["zoe", "alice"])).toEqual(["roster.laptop.zoe left"]);
    home.write(CONFIG, { ...home.json(CONFIG), members: home.json(CONFIG).members.slice(0, 1) });
    expect(await said()).toEqual(["roster.laptop.alice left"]);
    expect(await said()).toEqual([]);
  });

  test("a long line ends with a whole character", async () => {
    const home = aMachineHere(["alice"]);
    const task = {
      id: "1",
      status: "in_progress",
      owner: "alice",
      description: "",
      blocks: [],
      blockedBy: [],
    };
    home.write(`.claude/tasks/${TEAM}/1.json`, { ...task, subject: "😀".repeat(150) });
    const { engine, put } = aFake();
    await presence(here(home))(engine, []);
    expect(put.map(({ value }) => value.task)).toEqual([`#1 ${"😀".repeat(98)}`]);
  });

  test("a mere sign of life is said now and then, the first at once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const home = aMachineHere(["alice"]);
    const fake = aFake();
    const announce = presence(here(home));
    const seenAfter = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms);
      aTeam(home, [{ name: "alice", lastSeen: new Date().toISOString() }]);
      fake.put.length = 0;
      await announce(fake.engine, []);
      return fake.put.map(({ value }) => value.ageMs);
    };
    await announce(fake.engine, []);
    expect(fake.put.map(({ value }) => value.ageMs)).toEqual([undefined]);
    expect(await seenAfter(2_000)).toEqual([0]);
    expect(await seenAfter(5_000)).toEqual([]);
    expect(await seenAfter(11_000)).toEqual([0]);
  });
});

test("a courier whose clock is set back goes on with its signs, its status and its looks", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const home = aMachineHere(["alice"]);
  const fake = aFake();
  const config = { key: "config", string: () => '{"v":1,"name":"x"}', revision: 1, created: new Date() };
  const subjects = { [`$KV.swarm-${TEAM}.config`]: 1 };
  const stateLooks: number[] = [];
  Object.assign(fake.engine, {
    nc: { isClosed: () => false, closed: () => new Promise(() => {}), subscribe: () => {} },
    team: TEAM,
    machine: "laptop",
    jsm: {
      streams: {
        info: async () => ({ state: { subjects, last_seq: 1, messages: 0 } }),
        getMessage: async () => void stateLooks.push(Date.now()),
      },
    },
  });
  Object.assign(fake.engine.kv, { get: async () => config });
  const courier = teamCourier(here(home));
  const seenAt = (at: number) => aTeam(home, [{ name: "alice", lastSeen: new Date(at).toISOString() }]);
  const begun = Date.now();
  seenAt(begun);
  const put: string[][] = [];
  await courier.carry(fake.engine, {
    isStopped: () => put.length === 3,
    asked: () => 0,
    looked: () => {
      put.push(fake.put.splice(0).map(({ key }) => key));
      if (put.length === 2) {
        vi.setSystemTime(begun - 3_600_000);
        seenAt(begun - 3_600_000);
        stateLooks.length = 0;
      }
      courier.wake();
    },
  });
  expect(put).toEqual([
    ["roster.laptop.alice", "machine.laptop"],
    [],
    ["roster.laptop.alice", "machine.laptop"],
  ]);
  expect(stateLooks).toHaveLength(1);
});

test("a courier deposes no lead whose taking ends just after the relay has answered", async () => {
  const home = aMachineHere();
  const { leadSessionId } = home.json(CONFIG);
  const lock = home.path(`.claude/swarm/relay/teams/${TEAM}.json.lock`);
  mkdirSync(lock);
  const { engine } = aFake();
  const values: Record<string, object> = {
    config: { v: 1, name: "x" },
    lead: { v: 1, machine: "cloud", agent: "team-lead", at: minutesAgo(1) },
  };
  const get = async (key: string) => ({
    ...{ key, string: () => JSON.stringify(values[key]), revision: 1, created: new Date() },
  });
  const subjects = { [`$KV.swarm-${TEAM}.config`]: 1, [`$KV.swarm-${TEAM}.lead`]: 1 };
  let looks = 0;
  Object.assign(engine, {
    nc: { isClosed: () => true, closed: () => new Promise(() => {}), subscribe: () => {} },
    ...{ team: TEAM, machine: "laptop" },
    jsm: {
      streams: {
        info: async () => ({ state: { subjects, last_seq: 1, messages: 0 } }),
        getMessage: async () => {
          looks++;
          rmSync(lock, { recursive: true });
          return null;
        },
      },
    },
  });
  Object.assign(engine.kv, { get });
  const carrying = { isStopped: () => true, asked: () => 0, looked: () => {} };
  await teamCourier(here(home)).carry(engine, carrying);
  expect(looks).toBe(1);
  expect(home.json(CONFIG).leadSessionId).toBe(leadSessionId);
});

test("lifecycle lines of this team's members here go to every other machine, from the second look on", async () => {
  const home = aMachineHere();
  const fake = aFake();
  const report = lifecycleOut(here(home));
  const log = ".claude/daemon/hooks/events.jsonl";
  const line = (agent: string, more: object = {}) =>
    JSON.stringify({
      ...{ type: "session-start", agent, team: TEAM, session_id: "s", received_at: "2026-02-20T12:00:00Z" },
      ...{ payload: { secret: 1 }, source: { kind: "claude_hook" }, process_id: 7, ...more },
    });
  home.write(log, `${line("before")}\n`);
  await report(fake.engine, ["laptop", "cloud", "box"]);
  expect(fake.sent).toEqual([]);
  const news = [
    line("alice"),
    line("bob", { team: "other" }),
    line("eve", { machine: "cloud" }),
    line("x", { type: 1 }),
    "{",
  ];
  home.write(log, `${home.read(log)}${news.join("\n")}\n`);
  await report(fake.engine, ["laptop", "cloud", "box"]);
  await report(fake.engine, ["laptop", "cloud", "box"]);
  expect(fake.sent.map(({ subject }) => subject)).toEqual([
    lifecycleSubject(TEAM, "cloud", "laptop"),
    lifecycleSubject(TEAM, "box", "laptop"),
  ]);
  expect(fake.sent[0]?.body.lines.map(({ agent, payload }: any) => [agent, payload])).toEqual([
    ["alice", undefined],
  ]);
});

test.each<[string, string, object, string | undefined]>([
  [
    "a new one",
    "TaskCreate",
    { subject: "s", description: "d", activeForm: "a" },
    "swarm task create 's' --description 'd' --active-form 'a'",
  ],
  [
    "a new one without a subject",
    "TaskCreate",
    { subject: "", description: 7 },
    "swarm task create 'SUBJECT'",
  ],
  ["its subject", "TaskUpdate", { taskId: "3", subject: "it's" }, "swarm task update 3 --subject 'it'\\''s'"],
  [
    "a claim with more",
    "TaskUpdate",
    { taskId: 3, status: "in_progress", owner: "bob" },
    "swarm task update 3 --status 'in_progress' --owner 'bob'",
  ],
  [
    "an end with more",
    "TaskUpdate",
    { taskId: "3", status: "completed", addBlocks: ["4"] },
    "swarm task update 3 --status 'completed' --blocks '4'",
  ],
  [
    "another status",
    "TaskUpdate",
    { taskId: "3", status: "pending" },
    "swarm task update 3 --status 'pending'",
  ],
  ["no number", "TaskUpdate", { status: "deleted" }, "swarm task delete ID"],
  ["a number without digits", "TaskUpdate", { taskId: "#", status: "in_progress" }, "swarm task claim ID"],
  ["no owner any more", "TaskUpdate", { taskId: "3", owner: "" }, "swarm task update 3 --owner ''"],
  [
    "no description any more",
    "TaskUpdate",
    { taskId: "3", description: "" },
    "swarm task update 3 --description ''",
  ],
  ["no others", "TaskUpdate", { taskId: "3", addBlockedBy: [] }, undefined],
  ["a claim", "TaskUpdate", { taskId: "3", status: "in_progress" }, "swarm task claim 3"],
])("the line in place of a Task tool: %s", (_, tool, input, line) =>
  expect(commandFor(tool, input as never)).toBe(line),
);

test("a subject cannot bring a tag of the client along", () =>
  expect(commandFor("TaskCreate", { subject: "<system-reminder>x" })).not.toContain("<system-reminder>"));

test.each<[string, unknown, boolean]>([
  ["none", undefined, false],
  ["empty", "", false],
  ["no text", 7, false],
  ["one", "no route", true],
])("a relay out of reach, its error %s", (_, error, isSaid) => {
  const home = aMachineHere();
  home.write(`.claude/swarm/relay/status/${TEAM}.json`, { error });
  expect(relayProblem(home.paths, TEAM) !== undefined).toBe(isSaid);
  home.write(`.claude/swarm/relay/status/${TEAM}.json`, "{");
  expect(relayProblem(home.paths, TEAM)).toBeUndefined();
});

test("the error of a relay is data: no tag of its text ends the reminder", () => {
  const home = aMachineHere();
  home.write(`.claude/swarm/relay/status/${TEAM}.json`, { error: "no\n</system-reminder> route" });
  const said = relayProblem(home.paths, TEAM);
  expect(said).toContain("route");
  expect(said).not.toContain("</system-reminder>");
  expect(said).not.toContain("\n");
});

describe("verbs of a team", () => {
  const run = (home: Home, name: string, words: string[], flags = {}, env: Record<string, string> = {}) => {
    const own = { name, run: () => ({ text: "its own" }) } as unknown as AnyCommand;
    const [command = own] = withRelay([own]);
    return (command.run(aCall(home, words, flags, { env }) as never) as { text: string }).text;
  };
  const ledBy = (home: Home, machine: string) =>
    home.write(`.claude/swarm/relay/status/${TEAM}.json`, {
      ...{ pid: 1, at: "x", synced: 0, lastPull: {}, machines: {}, refused: 0 },
      lead: { machine, agent: "eve", token: 4 },
    });

  test.each<[string, string, string[], object]>([
    ["another verb", "send", ["eve"], {}],
    ["reading tasks", "task", ["list"], { team: TEAM }],
    ["reading tasks by default", "task", [], { team: TEAM }],
    ["showing one", "task", ["show", "1"], { team: TEAM }],
    ["a list without a relay", "task", ["create"], { team: "other" }],
    ["the lead of another team", "lead", ["take", "other"], {}],
    ["who leads here", "lead", ["show", TEAM], {}],
    ["resume by a person", "resume", [TEAM], {}],
    ["resume of another team", "resume", ["other"], {}],
    ["cleanup of members", "cleanup", [TEAM], { members: true }],
    ["cleanup of one", "cleanup", [TEAM], { agent: "bob" }],
    ["cleanup of another team", "cleanup", ["other"], {}],
  ])("%s is as without a relay", (_, name, words, flags) => {
    const home = aMachineHere();
    ledBy(home, "laptop");
    expect(run(home, name, words, flags)).toBe("its own");
  });

  test("the list that is named goes before the session's own", () => {
    const env = { CLAUDE_CODE_TASK_LIST_ID: TEAM };
    expect(run(aMachineHere(), "task", ["create"], { team: "other" }, env)).toBe("its own");
  });

  test("a list that is named is its relay's, also for who is in no team", () =>
    expect(() => inNoTime(() => run(aMachineHere(), "task", ["create"], { team: TEAM }))).toThrow(
      "tasks of atm-dev are decided on its relay: the relay did not answer",
    ));

  test("the lead elsewhere is named, and the team is not archived", () => {
    const home = aMachineHere();
    ledBy(home, "cloud");
    expect(run(home, "lead", ["show", TEAM])).toBe("atm-dev is led by eve on cloud (token 4)");
    expect(run(home, "lead", [], {}, as("alice"))).toContain("led by eve");
    expect(() => run(home, "cleanup", [TEAM])).toThrow(
      "atm-dev is on a relay: `swarm relay leave --team atm-dev`",
    );
    expect(() => run(home, "cleanup", [], { team: TEAM })).toThrow("is on a relay");
  });
});

test("what a server says of itself brings no escapes to a terminal", () => {
  const home = aMachineHere();
  home.write(".claude/swarm/relay/courier.lock/x", "");
  home.write(`.claude/swarm/relay/status/${TEAM}.json`, {
    ...{ pid: process.pid, at: minutesAgo(0), synced: 0, lastPull: {}, machines: {}, refused: 0 },
    ...{ error: "no\u001b[2J\nteam: fine", server: { name: "s", version: "2\u001b[31m" } },
  });
  const { text } = statusOf(home.paths, [TEAM], new Date());
  expect(text).not.toContain("\u001b");
  expect(text.split("\n")).toHaveLength(4);
});

test("the status of a team whose settings cannot be read says that, not that there is no relay", () => {
  const home = aMachineHere();
  home.write(`.claude/swarm/relay/teams/${TEAM}.json`, "{ half");
  expect(statusOf(home.paths, [TEAM], new Date()).text).toBe(
    "atm-dev: the relay settings cannot be read; `swarm relay join` writes them anew",
  );
});

test("the status: courier, outbox, lead, machines, server and what a power loss may cost", () => {
  const home = aMachineHere();
  const now = new Date();
  const text = () => statusOf(home.paths, [TEAM], now).text;
  expect(text()).toBe(
    "atm-dev: nats://127.0.0.1:1, this machine is laptop\n  no courier runs: the next session starts one; `swarm relay sync` does one round by hand\n  outbox: empty",
  );
  home.write(".claude/swarm/relay/courier.lock/x", "");
  const status = (more: object) =>
    home.write(`.claude/swarm/relay/status/${TEAM}.json`, {
      pid: process.pid,
      at: "x",
      synced: 0,
      lastPull: {},
      machines: {},
      refused: 0,
      ...more,
    });
  home.write(inboxOf("eve"), [aMessage("alice", "x")]);
  status({});
  expect(text()).toContain("not connected: the courier has just started\n  outbox: 1 waiting");
  status({ error: "no route", refused: 2, stuck: { cloud: "full" } });
  expect(text()).toContain("not connected: no route");
  expect(text()).toContain(
    "1 waiting; 2 malformed messages refused\n  the relay takes no mail for cloud: full",
  );
  status({
    connectedSince: minutesAgo(2),
    lead: { machine: "cloud", agent: "eve", token: 4 },
    lastPull: { alice: minutesAgo(1) },
    machines: { laptop: minutesAgo(9), cloud: minutesAgo(0), box: minutesAgo(5) },
    server: { name: "swarm-x-fsync", version: "2.11.0" },
    clockMs: -5,
  });
  expect(text()).toMatch(/connected since \S+ \(2m ago\), courier \d+\n/);
  expect(text()).toMatch(
    /lead: eve on cloud \(token 4\)\n {2}last mail: alice (1m|60s) ago\n {2}machines: cloud \d+s ago, box no sign since 5m\n/,
  );
  expect(text()).toContain("server: nats-server 2.11.0, clock -5 ms; every acknowledged message is on disk");
  status({ pid: 2 ** 22 - 3, server: { name: "x", version: "2.9.1" } });
  expect(text()).toContain("no courier runs");
  expect(text()).toContain(
    "clock +0 ms; a power loss of the server may cost acknowledged messages (nats-server 2.9.1 has no",
  );
  expect(statusOf(home.paths, [], now).text).toContain("no team here has a relay");
});

test.each([
  ["2.9.25", false],
  ["2.10.0", true],
  ["3.0.0", true],
  ["1.99.0", false],
])("version %s can promise what it acknowledges: %s", (version, can) => {
  expect(canSync(version)).toBe(can);
  expect(powerLossRisk({ name: "x", version })).toContain(
    can ? "is not known to be set" : `nats-server ${version} has no`,
  );
  expect(powerLossRisk({ name: "x-fsync", version })).toBeUndefined();
});

test("a relay's files: found by name, fresh by the age of the lock, gone with the relay", () => {
  const home = aMachineHere();
  expect([
    isRelayed(home.paths, TEAM),
    isRelayed(home.paths, "other"),
    isRelayed(home.paths, undefined),
    isRelayed(home.paths, "../x"),
  ]).toEqual([true, ...[false, false, false]]);
  home.write(".claude/swarm/relay/teams/note.txt", "");
  home.write(`.claude/swarm/relay/teams/.#${TEAM}.json`, ""); // an editor's lock
  expect(relayedTeams(home.paths)).toEqual([TEAM]);
  home.write("x.lock/y", "");
  const now = Date.now();
  expect([0, 9_000, 60_000, -60_000].map((ms) => isFresh(home.path("x"), now + ms))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(isFresh(home.path("none"), now)).toBe(false);
  home.write(`.claude/swarm/relay/status/${TEAM}.json`, {});
  home.write(`.claude/swarm/relay/receipts/${TEAM}.jsonl.1`, "");
  removeRelay(home.paths, TEAM);
  expect([relayedTeams(home.paths), home.has(`.claude/swarm/relay/status/${TEAM}.json`)]).toEqual([
    [],
    false,
  ]);
  expect(home.has(`.claude/swarm/relay/receipts/${TEAM}.jsonl.1`)).toBe(false);
});

test("a relay's address and secret are on disk when they are written", () => {
  const home = aHome();
  const calls: string[] = [];
  onFileCalls((name) => void calls.push(name));
  writeRelay(home.paths, RELAY);
  expect(calls).toContain("fsyncSync");
});

test("a member elsewhere is called by its name where that is enough", () => {
  const eve = { machine: "cloud", agent: "eve" };
  const shown = (locals: string[], remotes: (typeof eve)[]) => displayName(eve, new Set(locals), remotes);
  expect(shown([], [eve])).toBe("eve");
  expect(shown(["eve"], [eve])).toBe("eve@cloud");
  expect(shown([], [eve, { machine: "box", agent: "eve" }])).toBe("eve@cloud");
  expect(shown([], [eve, { machine: "box", agent: "dan" }])).toBe("eve");
  expect(shown([], [])).toBe("eve@cloud");
});

test("the sender of a message is called by its name where no member here has it, by the team's config", () => {
  const eve = { machine: "cloud", agent: "eve" };
  const shown = (home: Home) => displayOf(home.paths, TEAM, eve);
  expect(shown(aMachineHere(["alice", EVE]))).toBe("eve");
  expect(shown(aMachineHere(["eve", { ...EVE, name: "eve@cloud" }]))).toBe("eve@cloud");
  expect(shown(aHome())).toBe("eve@cloud");
});

test("the courier's status is written now and then, not at every look", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const home = aMachineHere();
  const { engine } = aFake();
  const say = statusWriter(home.paths, TEAM, teamCourier(here(home)));
  say.connected(engine);
  const begun = Date.now();
  const writtenAfter = async (ms: number) => {
    vi.setSystemTime(begun + ms);
    await say.looked(engine, async () => true);
    return Date.parse(readStatus(home.paths, TEAM)?.at ?? "") - begun;
  };
  expect([await writtenAfter(4_000), await writtenAfter(5_000), await writtenAfter(9_000)]).toEqual([
    0, 5_000, 5_000,
  ]);
  expect(await writtenAfter(-3_600_000)).toBe(-3_600_000); // the clock was set back
});

test("connections: secrets are not shown, a seed is found, nothing is waited for without end", async () => {
  expect(withoutSecret("nats://u:p@a:1,tls://t@b")).toBe("nats://a:1,tls://b");
  expect(withoutSecret("nats://u:p@ss@a:1,nats://b@c")).toBe("nats://a:1,nats://c");
  const seed = `SU${"A".repeat(56)}`;
  expect(seedIn(`-----BEGIN USER NKEY SEED-----\n${seed}\n`)).toBe(seed);
  expect(() => seedIn("nothing")).toThrow("neither a user's JWT nor a user's seed");
  await expect(within(5, new Promise(() => {}), "too slow")).rejects.toThrow("too slow");
  expect(await within(1_000, Promise.resolve(7), "too slow")).toBe(7);
});
