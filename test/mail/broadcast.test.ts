// A broadcast to a large team is one file, linked for each reader: what readers, senders and other programs see of it.
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmdirSync, utimesSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import {
  appendMessage,
  broadcast,
  claimMail,
  inboxStamp,
  markShown,
  mergeBroadcasts,
  readAllMail,
  readUnread,
} from "../../lib/mail/store/inbox.ts";
import type { Message } from "../../lib/mail/store/message.ts";
import { archiveInbox, buryInbox } from "../../lib/mail/store/removed-members.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { anError, failing, onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

const DIRECTORY = `.claude/teams/${TEAM}/broadcasts`;
const NAMES = Array.from({ length: 31 }, (_, n) => `m${n}`);

let home: Home;
beforeEach(() => {
  home = aHome();
  aTeam(home, NAMES);
});

const say = async (text: string, team = TEAM) =>
  callSwarm(home, ["broadcast", text, "--team", team, "--exclude", "team-lead"]);
const unread = (name: string) => readUnread(home.paths, TEAM, name).map(({ text }) => text);
const links = () => (home.has(DIRECTORY) ? readdirSync(home.path(DIRECTORY)) : []);
const claim = (name: string) =>
  claimMail(home.paths, TEAM, name, { by: "s-1", now: NOON, choose: (queued) => queued }).messages;
const inbox = (name: string): Message[] => home.json(inboxOf(name));

test("one file on disk after the syncs of two directories, and everybody sees it once", async () => {
  const calls: string[] = [];
  onFileCalls((name, [path]) => {
    if (name === "fsyncSync" || (name === "linkSync" && calls.at(-1) !== name)) calls.push(name);
    if (name === "renameSync" && String(path).includes("inboxes")) calls.push(name);
  });
  const stamp = inboxStamp(home.paths, TEAM, "m7");
  expect((await say("one")).stdout).toMatch(/ to 31 of 31: m0, m1/);
  expect(calls).toEqual(["fsyncSync", "fsyncSync", "fsyncSync", "linkSync", "fsyncSync"]);
  expect(inboxStamp(home.paths, TEAM, "m7")).not.toBe(stamp);
  await say("two");
  for (const name of NAMES) expect(unread(name)).toEqual(["one", "two"]);
  expect(links()).toHaveLength(62);
});

test("its reader merges and removes its own; a crash in between shows nothing twice", async () => {
  await say("one");
  const own = links().find((name) => name.endsWith("+m3.json")) ?? "";
  copyFileSync(home.path(`${DIRECTORY}/${own}`), home.path("kept"));
  const [shown] = claim("m3");
  expect([shown?.text, inbox("m3").length, links().length]).toEqual(["one", 1, 30]);
  const mark = { ids: new Set([shown?.id ?? ""]), now: NOON, keepRead: 0, retentionDays: 30 };
  markShown(home.paths, TEAM, "m3", mark); // in its archive now
  renameSync(home.path("kept"), home.path(`${DIRECTORY}/${own}`));
  expect([unread("m3"), claim("m3"), links().length]).toEqual([[], [], 30]);
  expect([unread("m30"), unread("m")]).toEqual([["one"], []]);
});

test("one sender's messages keep their order, whichever way each of them went", async () => {
  onTestFinished(virtualTime());
  home.write(inboxOf("m1"), []);
  const lock = home.path(`${inboxOf("m1")}.lock`);
  const send = (text: string) =>
    appendMessage(home.paths, TEAM, "m1", aMessage("person", text, { id: `m-${text}` }) as Message, {
      waitMs: 0,
    });
  mkdirSync(lock);
  send("a"); // spooled
  rmdirSync(lock);
  await say("b"); // written: its spool was not empty
  await say("c"); // linked
  mkdirSync(lock);
  send("d"); // spooled behind a link
  expect(unread("m1")).toEqual(["a", "b", "c", "d"]);
  rmdirSync(lock);
  send("e");
  expect(unread("m1")).toEqual(["a", "b", "c", "d", "e"]);
  expect(claim("m1").map(({ text }) => text)).toEqual(["a", "b", "c", "d", "e"]);
});

test("a full inbox refuses it, one that may be full is looked at", async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => aMessage("x", "y", { id: `m-${n}` }));
  home.write(inboxOf("m1"), many(2_000));
  home.write(inboxOf("m2"), many(1_999));
  const { stdout, exitCode } = await say("one");
  expect([
    stdout.includes("to 30 of 31"),
    stdout.includes("not to m1: the inbox of m1 is full"),
    exitCode,
  ]).toEqual([true, true, 1]);
  expect([inbox("m1").length, inbox("m2").length, unread("m3")]).toEqual([2_000, 2_000, ["one"]]);
});

test("of many that wait the next is written, and they with it", async () => {
  for (let n = 0; n <= 20; n++) await say(String(n));
  expect(inbox("m5")).toHaveLength(21);
  expect(links()).toHaveLength(0);
});

test.each<[string, () => void, number]>([
  ["a file system without links", () => failing("linkSync", "EPERM"), 31],
  ["a directory that is none", () => home.write(DIRECTORY, ""), 31],
  [
    "links that may not be on disk; each shows it once",
    () => {
      let linked = 0;
      onFileCalls((name) => {
        if (name === "linkSync") linked++;
        if (name === "fsyncSync" && linked === 31 && linked++) throw anError("EIO");
      });
    },
    31,
  ],
  [
    "a member on another machine, whose courier watches its inbox",
    () =>
      home.write(CONFIG, {
        ...home.json(CONFIG),
        members: NAMES.map((name) => (name === "m4" ? { name, machine: "far", agent: "m" } : { name })),
      }),
    1,
  ],
])("directly into the inbox: %s", async (_, before, written) => {
  before();
  expect((await say("one")).stdout).toContain("to 31 of 31");
  expect(NAMES.filter((name) => home.has(inboxOf(name)))).toHaveLength(written);
  for (const name of NAMES) expect(unread(name)).toEqual(["one"]);
});

test("those that wait count for the limit in bytes", () => {
  const limits = { unread: 2_000, bytes: 20_000 };
  const long = () => aMessage("x", "y".repeat(2_000)) as Message;
  let sent = 0;
  while (broadcast(home.paths, TEAM, ["m1"], long(), limits).size > 0) sent++;
  expect(sent).toBeGreaterThan(2);
  claim("m1");
  expect(home.read(inboxOf("m1")).length).toBeLessThan(limits.bytes);
});

test.each([".DS_Store", "notes.json", "zzz"])("a file of another program beside them: %s", async (name) => {
  home.write(`${DIRECTORY}/${name}`, "");
  await say("one");
  await say("two");
  expect(unread("m3")).toEqual(["one", "two"]);
  claim("m3");
  expect(home.has(`${DIRECTORY}/${name}`)).toBe(true);
});

test("what a sender left that died before it was done is removed after a while, and shown to nobody", async () => {
  const left = ["000000000001-x.json", "000000000002-x.json", "000000000002-y.json.tmp.1-1"];
  for (const name of left) home.write(`${DIRECTORY}/${name}`, { messages: [aMessage("x", "not sent")] });
  for (const name of left.slice(1)) utimesSync(home.path(`${DIRECTORY}/${name}`), 1, 1);
  await say("one");
  expect(unread("m3")).toEqual(["one"]);
  expect(links().filter((name) => !name.includes("+"))).toEqual(left.slice(0, 1));
});

test("its sender sees what became of it, also of readers that have no inbox yet or are removed", async () => {
  await say("one");
  await callSwarm(home, ["cleanup", TEAM, "--agent", "m3", "--force", "--yes"]);
  const { stdout } = await callSwarm(home, ["outbox", "--team", TEAM, "--all"]);
  const states = stdout.match(/to m\d+ {2}\w+/g)?.sort();
  expect(states).toEqual(NAMES.map((name) => `to ${name}  ${name === "m3" ? "dead" : "queued"}`).sort());
  expect([links().length, home.has(inboxOf("m3"))]).toEqual([30, false]);
});

test("what was not read by a member that is removed is in its archive, and waits for nobody", async () => {
  await say("one");
  home.write(inboxOf("m2"), []);
  expect(buryInbox(home.paths, TEAM, "m1")).toBe(1);
  archiveInbox(home.paths, TEAM, "m2", NOON);
  expect(links()).toHaveLength(29);
  for (const name of ["m1", "m2"])
    expect(readAllMail(home.paths, TEAM, name)).toMatchObject([{ text: "one", state: "dead" }]);
});

test("other programs find it in the inbox after a while: some are merged each minute, unless another process is at it", async () => {
  await say("one");
  mkdirSync(home.path(`${inboxOf("m0")}.lock`), { recursive: true });
  mergeBroadcasts(home.paths, TEAM, 3);
  const written = NAMES.filter((name) => home.has(inboxOf(name)));
  expect(written).toEqual(["m1", "m10"]);
  expect(inbox("m1")).toMatchObject([{ text: "one", read: false }]);
  expect(unread("m0")).toEqual(["one"]);
});

test("one inbox that cannot be written does not keep the others from being brought up to date", async () => {
  await say("one");
  home.write(`${DIRECTORY}/000000000001-x+-bad.json`, { messages: [] });
  mkdirSync(home.path(inboxOf("m0")), { recursive: true });
  takeProblems();
  mergeBroadcasts(home.paths, TEAM, 3);
  expect([inbox("m1").length, inbox("m10").length]).toEqual([1, 1]);
  expect(takeProblems()).toEqual([expect.stringMatching(/^the broadcasts to m0 in team .* wait: /)]);
});
