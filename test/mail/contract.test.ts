// The delivery contract at the head of lib/mail/store/inbox.ts, without processes: spool, order, limits, overflow, one count of unread mail.

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import {
  appendMessage,
  claimMail,
  countUnread,
  hasQueued,
  inboxStamp,
  markAnswered,
  markShown,
  readAllMail,
  readInbox,
  readUnread,
  requeue,
} from "../../lib/mail/store/inbox.ts";
import { listInboxes, listMailboxes } from "../../lib/mail/store/mailbox-files.ts";
import type { Message } from "../../lib/mail/store/message.ts";
import { archiveInbox, buryInbox, moveMail } from "../../lib/mail/store/removed-members.ts";
import { ensureTriggers, touchTrigger } from "../../lib/mail/store/wake-triggers.ts";
import { startOf } from "../../lib/system/processes.ts";
import { readTeam, updateTeam, writeEnd } from "../../lib/teams/store/config.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, archiveOf, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

beforeEach(virtualTime);

const SPOOL = `.claude/teams/${TEAM}/spool/bob`;
const BUSY = { waitMs: 20 };

/** As if a process that lives held it all the time. */
function whileLocked<T>(home: Home, path: string, work: () => T): T {
  mkdirSync(home.path(`${path}.lock`), { recursive: true });
  try {
    return work();
  } finally {
    rmdirSync(home.path(`${path}.lock`));
  }
}

const given = () => {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("bob"), []);
  return home;
};
const send = (home: Home, text: string, more: object = {}, from = "alice") =>
  appendMessage(home.paths, TEAM, "bob", aMessage(from, text, { ...more }) as Message, BUSY);
const texts = (home: Home) => readInbox(home.paths, TEAM, "bob").map(({ text }) => text);
const onDisk = (home: Home) => home.json(inboxOf("bob")).map(({ text }: Message) => text);
const spoolFiles = (home: Home) => (home.has(SPOOL) ? readdirSync(home.path(SPOOL)).sort() : []);
const claim = (home: Home, now = NOON) =>
  claimMail(home.paths, TEAM, "bob", { by: "s-1", now, choose: (queued) => queued }).messages.map(
    ({ text }) => text,
  );
const shown = (ids: string[]) => ({ ids: new Set(ids), now: NOON, keepRead: 50, retentionDays: 30 });

describe("a lock that is held for the whole time limit", () => {
  test("costs no message: spooled, seen by every reader, wakes, and is merged once, in order", () => {
    const home = given();
    const [trigger = ""] = ensureTriggers(home.paths, TEAM, "bob");
    const touched = () => [0, 1].map((n) => statSync(trigger.replace(/\d$/, String(n))).mtimeMs);
    const before = { stamp: inboxStamp(home.paths, TEAM, "bob"), touched: touched() };
    whileLocked(home, inboxOf("bob"), () => {
      for (const text of ["one", "two", "three"]) send(home, text);
      expect(texts(home)).toEqual(["one", "two", "three"]);
      expect(countUnread(home.paths, TEAM, "bob")).toBe(3);
      expect(hasQueued(home.paths, TEAM, "bob", NOON)).toBe(true);
      expect(inboxStamp(home.paths, TEAM, "bob")).not.toBe(before.stamp);
      expect(touched()).not.toEqual(before.touched);
      expect(onDisk(home)).toEqual([]);
    });
    send(home, "four");
    expect(onDisk(home)).toEqual(["one", "two", "three", "four"]);
    expect(spoolFiles(home)).toEqual([]);
    expect(claim(home)).toEqual(["one", "two", "three", "four"]);
  });

  test("each further message changes the stamp that PreToolUse looks at", () => {
    const home = given();
    whileLocked(home, inboxOf("bob"), () => {
      const stamps = ["one", "two", "three"].map((text) => {
        send(home, text);
        return inboxStamp(home.paths, TEAM, "bob");
      });
      expect(new Set(stamps).size).toBe(3);
    });
  });

  test("the order does not depend on the clock", () => {
    const home = given();
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const lock = home.path(`${inboxOf("bob")}.lock`);
    mkdirSync(lock);
    for (const [n, text] of ["one", "two", "three"].entries()) {
      vi.setSystemTime(NOON.getTime() - n * 3_600_000);
      utimesSync(lock, new Date(), new Date());
      send(home, text);
    }
    rmdirSync(lock);
    expect(texts(home)).toEqual(["one", "two", "three"]);
  });

  test("a crash between merging and removing shows nothing twice, even after it was archived", () => {
    const home = given();
    whileLocked(home, inboxOf("bob"), () => send(home, "once", { id: "m-once" }));
    const [name = ""] = spoolFiles(home);
    const content = readFileSync(home.path(join(SPOOL, name)));
    requeue(home.paths, TEAM, "bob", new Set()); // any change merges
    writeFileSync(home.path(join(SPOOL, name)), content);
    expect(texts(home)).toEqual(["once"]);
    expect(claim(home)).toEqual(["once"]);
    markShown(home.paths, TEAM, "bob", { ...shown(["m-once"]), keepRead: 0 });
    writeFileSync(home.path(join(SPOOL, name)), content);
    expect(texts(home)).toEqual([]);
    expect(claim(home)).toEqual([]);
    expect(spoolFiles(home)).toEqual([]);
  });

  test("a damaged spool file is set aside and stops nothing", () => {
    const home = given();
    whileLocked(home, inboxOf("bob"), () => send(home, "whole"));
    writeFileSync(home.path(`${SPOOL}/000000000000-x.json`), '{"messages":[{"te');
    expect(claim(home)).toEqual(["whole"]);
    expect(spoolFiles(home)).toEqual([expect.stringContaining(".corrupt-")]);
  });

  test("marks, answers and what must be shown again are spooled too", () => {
    const home = given();
    for (const id of ["m-a", "m-b", "m-c"]) send(home, id, { id });
    claim(home);
    markShown(home.paths, TEAM, "bob", shown(["m-b", "m-c"]));
    whileLocked(home, inboxOf("bob"), () => {
      markShown(home.paths, TEAM, "bob", { ...shown(["m-a"]), ...BUSY });
      requeue(home.paths, TEAM, "bob", new Set(["m-b"]));
      markAnswered(home.paths, TEAM, "bob", ({ id }) => id === "m-c", "m-d");
      expect(readInbox(home.paths, TEAM, "bob").map(({ state }) => state)).toEqual([
        "shown",
        "queued",
        "answered",
      ]);
    });
    expect(claim(home)).toEqual(["m-b"]);
    expect(home.json(inboxOf("bob")).map(({ state }: Message) => state)).toEqual([
      "shown",
      "claimed",
      "answered",
    ]);
  });

  test("marks of version 0.1.0 are still applied, also those a process died with", () => {
    const home = given();
    for (const id of ["m-a", "m-b"]) send(home, id, { id });
    const line = (id: string) => `${JSON.stringify({ ids: [id], at: NOON.toISOString() })}\n`;
    writeFileSync(home.path(`${inboxOf("bob")}.shown`), line("m-a"));
    writeFileSync(home.path(`${inboxOf("bob")}.shown.taken`), line("m-b"));
    expect(claim(home)).toEqual([]);
    expect(readdirSync(home.path(`.claude/teams/${TEAM}/inboxes`))).toEqual(["bob.json"]);
  });

  test("an ended member is offline for every reader, and for good once somebody gets the lock", () => {
    const home = given();
    const bobs = () =>
      [readTeam(home.paths, TEAM), readTeam(home.paths, TEAM)].map(
        (team) => team?.members.find(({ name }) => name === "bob")?.status,
      );
    whileLocked(home, CONFIG, () => {
      writeEnd(home.paths, TEAM, { ended: "bob", at: NOON.toISOString() }, { waitMs: 20 });
      expect(bobs()).toEqual(["offline", "offline"]);
    });
    updateTeam(home.paths, TEAM, (stored) => stored);
    expect(home.json(CONFIG).members[2].status).toBe("offline");
    expect(readdirSync(home.path(`.claude/teams/${TEAM}/config-spool`))).toEqual([]);
  });

  test.each([
    ["another process", { pid: 7 }],
    ["another session", { sessionId: "s-new" }],
    ["a later sign of life", { lastSeen: new Date(NOON.getTime() + 2_000).toISOString() }],
  ])("an end mark that is applied late does not end %s", (_, now) => {
    const home = given();
    whileLocked(home, CONFIG, () =>
      writeEnd(home.paths, TEAM, { ended: "bob", at: NOON.toISOString() }, { waitMs: 20 }),
    );
    aTeam(home, [{ name: "bob", ...now }]);
    expect(readTeam(home.paths, TEAM)?.members[0]?.status).toBe("active");
    updateTeam(home.paths, TEAM, () => undefined);
    expect(home.json(CONFIG).members[0].status).toBe("active");
  });

  test("a team of the client's has no spool, and nothing there is set aside", () => {
    const home = aHome();
    const native = "session-0123abcd";
    const inbox = `.claude/teams/${native}/inboxes/bob.json`;
    home.write(inbox, "[broken");
    expect(readInbox(home.paths, native, "bob")).toEqual([]);
    whileLocked(home, inbox, () =>
      expect(() => appendMessage(home.paths, native, "bob", aMessage("alice", "x") as Message, BUSY)).toThrow(
        "is held by another process",
      ),
    );
    expect(readdirSync(home.path(`.claude/teams/${native}`))).toEqual(["inboxes"]);
    expect(readdirSync(home.path(`.claude/teams/${native}/inboxes`))).toEqual(["bob.json"]);
  });
});

describe("one sender's messages keep their order", () => {
  const gone = () => {
    const pid = Number(execFileSync(process.execPath, ["-p", "process.pid"]).toString());
    return { by: "s-1", at: NOON.toISOString(), pid, startedAt: startOf(process.pid) };
  };
  const alive = () => ({
    by: "s-1",
    at: NOON.toISOString(),
    pid: process.pid,
    startedAt: startOf(process.pid),
  });

  test("what a reader that died had claimed comes first, at once", () => {
    const home = given();
    home.write(inboxOf("bob"), [
      aMessage("alice", "one", { state: "claimed", claim: gone() }),
      aMessage("alice", "two"),
    ]);
    expect(claim(home)).toEqual(["one", "two"]);
  });

  test.each([
    ["a reader that lives", alive],
    ["version 0.1.0, which left no process id", () => ({ by: "s-1", at: NOON.toISOString() })],
  ])("behind a claim of %s later ones of that sender wait, those of others do not", (_, by) => {
    const home = given();
    home.write(inboxOf("bob"), [
      aMessage("alice", "one", { state: "claimed", claim: by() }),
      aMessage("alice", "two"),
      aMessage("carol", "hers"),
    ]);
    expect(claim(home)).toEqual(["hers"]);
    expect(claim(home, new Date(NOON.getTime() + 31_000))).toEqual(["one", "two", "hers"]);
  });
});

describe("limits", () => {
  const fill = (home: Home, count: number, text = "x", more = {}) =>
    home.write(
      inboxOf("bob"),
      Array.from({ length: count }, (_, n) => aMessage("alice", `${n} ${text}`, more)),
    );
  const limited = (home: Home, text: string, limits: { unread: number; bytes: number }) =>
    appendMessage(home.paths, TEAM, "bob", aMessage("alice", text) as Message, { ...BUSY, limits });

  test.each([[false], [true]])(
    "too many unread messages: refused with the reason and what to do (locked: %s)",
    (locked) => {
      const home = given();
      fill(home, 3);
      const attempt = () => limited(home, "one more", { unread: 3, bytes: 1e6 });
      const refused = /inbox of bob is full: 3 unread .*mail.max_unread = 3.*swarm wake bob.*--peek/;
      if (locked) whileLocked(home, inboxOf("bob"), () => expect(attempt).toThrow(refused));
      else expect(attempt).toThrow(refused);
      expect(texts(home)).toHaveLength(3);
      expect(spoolFiles(home)).toEqual([]);
    },
  );

  test("spooled mail counts", () => {
    const home = given();
    whileLocked(home, inboxOf("bob"), () => {
      limited(home, "one", { unread: 2, bytes: 1e6 });
      limited(home, "two", { unread: 2, bytes: 1e6 });
      expect(() => limited(home, "three", { unread: 2, bytes: 1e6 })).toThrow("is full");
    });
  });

  test("bytes are those of the file, whatever the characters", () => {
    const home = given();
    const limits = { unread: 1_000, bytes: 40_000 };
    expect(() => {
      for (let n = 0; n < 1_000; n++) limited(home, '\u{1F41D}"\n\u0001'.repeat(200), limits);
    }).toThrow("is full");
    const { size } = statSync(home.path(inboxOf("bob")));
    expect(size).toBeLessThanOrEqual(limits.bytes);
    expect(size).toBeGreaterThan(limits.bytes / 2);
  });

  test("read mail makes room first, and stays in the archive", () => {
    const home = given();
    fill(home, 10, "r".repeat(4_000), { read: true, state: "shown" });
    limited(home, "new", { unread: 10, bytes: 30_000 });
    expect(statSync(home.path(inboxOf("bob"))).size).toBeLessThanOrEqual(30_000);
    const all = readAllMail(home.paths, TEAM, "bob");
    expect(all.map(({ text }) => text.split(" ")[0])).toEqual([..."0123456789", "new"]);
  });
});

test("mail of a removed member is visible to its sender as dead, spooled mail too", () => {
  const home = given();
  send(home, "in the inbox");
  whileLocked(home, inboxOf("bob"), () => send(home, "in the spool"));
  expect(archiveInbox(home.paths, TEAM, "bob", NOON)).toMatch(/archive.bob\.removed-[^.]+\.json$/);
  expect(readAllMail(home.paths, TEAM, "bob").map(({ text, state }) => [text, state])).toEqual([
    ["in the inbox", "dead"],
    ["in the spool", "dead"],
  ]);
  expect(spoolFiles(home)).toEqual([]);
});

test.each([
  ["an entry without `read`", [{ from: "a", text: "x", timestamp: "" }], 1],
  ["a message beside foreign entries", ["text", 7, null, [], { a: 1 }, aMessage("a", "x")], 1],
  ["a dead letter", [aMessage("a", "x", { state: "dead" })], 0],
  ["an answered one", [aMessage("a", "x", { state: "answered" })], 0],
  ["a read one", [aMessage("a", "x", { read: true })], 0],
  [
    "a claimed one",
    [aMessage("a", "x", { state: "claimed", claim: { by: "s", at: NOON.toISOString() } })],
    1,
  ],
  ["`content` for text, as older writers had it", [{ from: "a", content: "x" }], 1],
  ["an empty inbox", [], 0],
])("unread: %s", (_, entries, count) => {
  const home = given();
  home.write(inboxOf("bob"), entries);
  expect(countUnread(home.paths, TEAM, "bob")).toBe(count);
});

test("sending touches a wake trigger in place; where nothing watches there is none", () => {
  const { paths, has } = aHome();
  touchTrigger(paths, "alpha", "bob");
  expect(has(".claude/teams")).toBe(false);
  const triggers = ensureTriggers(paths, "alpha", "bob");
  const stats = () => triggers.map((path) => statSync(path));
  const before = stats().map(({ ino }) => ino);
  for (const path of triggers) utimesSync(path, new Date(0), new Date(0));
  appendMessage(paths, "alpha", "bob", aMessage("alice", "hello"));
  expect(stats().filter(({ mtimeMs }) => mtimeMs > 0)).toHaveLength(1);
  expect(stats().map(({ ino }) => ino)).toEqual(before);
  expect(ensureTriggers(paths, "alpha", "bob")).toEqual(triggers);
});

test("the wake triggers take turns of a second: the client reports one only after it was quiet for half of one", () => {
  const { paths } = aHome();
  const triggers = ensureTriggers(paths, "alpha", "bob");
  const now = vi.spyOn(Date, "now");
  onTestFinished(() => now.mockRestore());
  const touched = [1_000, 1_999, 2_000].map((at) => {
    for (const path of triggers) utimesSync(path, new Date(0), new Date(0));
    now.mockReturnValue(at);
    touchTrigger(paths, "alpha", "bob");
    return triggers.findIndex((path) => statSync(path).mtimeMs > 0);
  });
  expect(touched).toEqual([1, 1, 0]);
});

test("a wake trigger that cannot be written costs neither its sender nor its reader anything", () => {
  const home = given();
  for (const which of [0, 1])
    mkdirSync(home.path(`.claude/teams/${TEAM}/bells/bob.${which}`), { recursive: true });
  takeProblems();
  appendMessage(home.paths, TEAM, "bob", aMessage("alice", "hello"));
  expect(readUnread(home.paths, TEAM, "bob")).toHaveLength(1);
  expect(takeProblems()).toEqual([expect.stringContaining("wakes nobody")]);
  expect(ensureTriggers(home.paths, TEAM, "bob")).toHaveLength(2);
});

test("all mail: a message that is in the archive and in the inbox is given once, as it is in the inbox", () => {
  const home = given();
  send(home, "again", { id: "m-1" });
  claim(home);
  markShown(home.paths, TEAM, "bob", { ...shown(["m-1"]), keepRead: 0 });
  requeue(home.paths, TEAM, "bob", new Set(["m-1"]));
  home.write(inboxOf("bob"), [
    ...home.json(inboxOf("bob")),
    { from: "a", text: "x" },
    { from: "a", text: "x" },
  ]);
  expect(readAllMail(home.paths, TEAM, "bob").map(({ text, state }) => [text, state])).toEqual([
    ["again", "queued"],
    ["x", undefined],
    ["x", undefined],
  ]);
});

test("a claim that is none of ours, whatever it holds, keeps nothing back", () => {
  const home = given();
  const odd = { by: "s-2", at: { toString: 1, valueOf: 1 }, pid: "x" };
  home.write(inboxOf("bob"), [aMessage("alice", "one", { state: "claimed", claim: odd })]);
  expect(hasQueued(home.paths, TEAM, "bob", NOON)).toBe(true);
  expect(claim(home)).toEqual(["one"]);
});

test("mail under another name: what comes in the middle of the move comes along, what was read stays in the archive", () => {
  const home = given();
  home.write(inboxOf("bob"), [aMessage("alice", "read", { id: "r", read: true })]);
  send(home, "one");
  let isSent = false;
  onFileCalls((name, [path]) => {
    if (isSent || name !== "openSync" || !String(path).includes("inboxes/eve.json.tmp")) return;
    isSent = true; // the inbox of the old name is locked by now
    send(home, "two");
  });
  moveMail(home.paths, TEAM, "bob", "eve");
  expect(isSent).toBe(true);
  const mailOf = (agent: string) =>
    readAllMail(home.paths, TEAM, agent).map(({ text, state }) => [text, state]);
  expect(mailOf("eve")).toEqual([
    ["one", "queued"],
    ["two", "queued"],
  ]);
  expect(mailOf("bob")).toEqual([["read", undefined]]);
  expect(home.json(inboxOf("bob"))).toEqual([]);
});

test("mailboxes: of inboxes and archives, and only under names that can be one", () => {
  const home = given();
  home.write(inboxOf("-bad"), []);
  home.write(inboxOf("notes").replace(".json", ".txt"), "");
  send(home, "x");
  buryInbox(home.paths, TEAM, "bob");
  home.write(archiveOf("gone"), "");
  expect(listMailboxes(home.paths, TEAM)).toEqual(["bob", "gone"]);
  expect(listInboxes(home.paths, TEAM)).toEqual(["bob"]);
});
