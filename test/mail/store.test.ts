// What senders, readers and couriers get from the store of mail, function by function. The contract between them is in contract.test.ts.
import { mkdirSync, readdirSync, rmdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  appendMessage,
  claimMail,
  hasQueued,
  hasUrgent,
  inboxStamp,
  markAnswered,
  markFates,
  markShown,
  readAllMail,
  readOrigins,
  readUnread,
  requeue,
} from "../../lib/mail/store/inbox.ts";
import { ensureInbox, listMailboxes, readInboxesBelow } from "../../lib/mail/store/mailbox-files.ts";
import { asMessage, type Message, newMessage, stateOf } from "../../lib/mail/store/message.ts";
import { archiveInbox, buryInbox } from "../../lib/mail/store/removed-members.ts";
import { ensureTriggers, isWatchedMail, touchTrigger } from "../../lib/mail/store/wake-triggers.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, archiveOf, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { anError, failing, onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";

beforeEach(virtualTime);

const NATIVE = "session-0123abcd";
const SPOOL = `.claude/teams/${TEAM}/spool/bob`;
const READ = { read: true, state: "shown" };
const message = (id: string, more: object = {}) => aMessage("alice", id, { id, ...more }) as Message;

function withMail(...mail: unknown[]): Home {
  const home = aHome();
  aTeam(home);
  home.write(inboxOf("bob"), mail);
  return home;
}
const inbox = (home: Home): Message[] => (home.has(inboxOf("bob")) ? home.json(inboxOf("bob")) : []);
const ids = (mail: readonly Message[]) => mail.map(({ id }) => id);
const states = (mail: readonly Message[]) => mail.map(({ id, state }) => `${id} ${state}`);
const archive = (home: Home) => home.lines(archiveOf("bob"));
const claim = (home: Home, more: object = {}) =>
  claimMail(home.paths, TEAM, "bob", { by: "s-1", now: NOON, choose: (queued) => queued, ...more });

describe("claiming", () => {
  test("what is chosen is claimed by this process, what is not stays, and the rest is counted", () => {
    const home = withMail(message("a"), "foreign", message("b"), message("r", READ), message("c"));
    const seen: string[][] = [];
    const claimed = claim(home, {
      choose: (queued: Message[], all: Message[]) => {
        seen.push(ids(queued), ids(all));
        return [queued[1]];
      },
    });
    expect(seen).toEqual([
      ["a", "b", "c"],
      ["a", "b", "r", "c"],
    ]);
    expect([ids(claimed.messages), claimed.left, claimed.dead]).toEqual([["b"], 2, []]);
    expect(inbox(home).map((one) => one.state ?? one.id ?? one)).toEqual([
      "a",
      "foreign",
      "claimed",
      "shown",
      "c",
    ]);
    expect(inbox(home)[2]?.claim).toEqual({
      ...{ by: "s-1", at: NOON.toISOString() },
      ...{ pid: process.pid, startedAt: expect.any(String) },
    });
  });

  test("nothing chosen writes nothing; a message without an id gets one", () => {
    const home = withMail({ from: "a", text: "x" });
    const { ino } = statSync(home.path(inboxOf("bob")));
    expect(claim(home, { choose: () => [] })).toEqual({ messages: [], left: 1, dead: [] });
    expect(statSync(home.path(inboxOf("bob"))).ino).toBe(ino);
    const [claimed] = claim(home).messages;
    expect(claimed?.id).toMatch(/./);
    expect(inbox(home)[0]?.id).toBe(claimed?.id);
  });

  test("of a reader who left, unread mail that is too old dies; read mail, young mail and strange entries do not", () => {
    const old = { timestamp: "2026-01-01T00:00:00Z" };
    const home = withMail(message("old", old), message("read", { ...old, ...READ }), 7, message("young"));
    const { messages, dead } = claim(home, { expireDays: 30 });
    expect([ids(messages), ids(dead)]).toEqual([["young"], ["old"]]);
    expect(inbox(home).map((one) => one.id ?? one)).toEqual(["read", 7, "young"]);
    expect(states(archive(home))).toEqual(["old dead"]);
  });

  test("of what the spool had no room for, the number counts as left", () => {
    const home = withMail(message("a"));
    writeFileSync(home.path(inboxOf("bob")), JSON.stringify([message("a")]).padEnd(8 * 1024 * 1024));
    mkdirSync(home.path(SPOOL), { recursive: true });
    for (const n of [1, 2]) home.write(`${SPOOL}/00000000000${n}-x.json`, { messages: [message(`s${n}`)] });
    expect(claim(home)).toMatchObject({ messages: [{ id: "a" }], left: 2 });
    expect(readdirSync(home.path(SPOOL))).toHaveLength(2);
    expect(claim(home, { now: new Date(NOON.getTime() + 60_000) })).toMatchObject({ left: 0 });
  });
});

describe("what waits", () => {
  const claimedNow = { state: "claimed", claim: { by: "s", at: NOON.toISOString(), pid: process.pid } };
  test.each<[string, object, boolean, boolean]>([
    ["queued", {}, true, true],
    ["routine", { routine: true }, true, false],
    ["being shown", claimedNow, false, false],
    ["claimed a minute ago", { ...claimedNow, claim: { by: "s", at: "2026-02-20T11:59:00Z" } }, true, true],
    ["read", READ, false, false],
    ["answered, though never read", { state: "answered" }, false, false],
  ])("%s: queued %s, urgent %s", (_, more, isQueued, isUrgent) => {
    const { paths } = withMail(message("a", more));
    expect([hasQueued(paths, TEAM, "bob", NOON), hasUrgent(paths, TEAM, "bob", NOON)]).toEqual([
      isQueued,
      isUrgent,
    ]);
  });

  test("a message that is being shown or was answered is not shown again beside one that waits", () => {
    const home = withMail(message("a", claimedNow), message("b", { state: "answered" }), {
      ...message("c"),
      from: "carol",
    });
    expect(ids(claim(home).messages)).toEqual(["c"]);
  });

  test("a message whose process id is another's by now waits again", () => {
    const home = withMail(message("a", { ...claimedNow, claim: { ...claimedNow.claim, startedAt: "1" } }));
    expect(ids(claim(home).messages)).toEqual(["a"]);
  });
});

describe("room", () => {
  const long = (id: string, more: object = {}) => message(id, { text: "x".repeat(1_000), ...more });
  const send = (home: Home, bytes: number, unread = 100) =>
    appendMessage(home.paths, TEAM, "bob", message("new"), { limits: { bytes, unread } });

  test("the oldest read mail goes to the archive, no more than is needed; nothing goes where there is room", () => {
    const mail = [long("u"), "foreign", long("r1", READ), long("r2", READ), long("r3", READ)];
    const roomy = withMail(...mail);
    send(roomy, 1e6);
    expect([ids(inbox(roomy)), archive(roomy)]).toEqual([["u", undefined, "r1", "r2", "r3", "new"], []]);
    const tight = withMail(...mail);
    send(tight, 4_200);
    expect(ids(inbox(tight))).toEqual(["u", undefined, "r2", "r3", "new"]);
    expect(states(archive(tight))).toEqual(["r1 shown"]);
  });

  test.each([
    ["one more than the limit", 2, 1e6],
    ["a byte more than the limit", 100, 2_000],
    ["mail in the spool that found no room", 100, 1e6],
  ])("refused: %s", (why, unread, bytes) => {
    const home = withMail(long("a"), long("b"));
    if (why.includes("spool")) {
      writeFileSync(home.path(inboxOf("bob")), JSON.stringify([long("a")]).padEnd(8 * 1024 * 1024));
      home.write(`${SPOOL}/000000000001-x.json`, { messages: [message("s")] });
    }
    const before = home.read(inboxOf("bob"));
    expect(() => send(home, bytes, unread)).toThrow(expect.objectContaining({ code: "EMAILBOXFULL" }));
    expect(home.read(inboxOf("bob"))).toBe(before);
    expect(archive(home)).toEqual([]);
  });
});

describe("a change while another process holds the inbox", () => {
  const CHANGES: [string, (home: Home, team: string) => unknown][] = [
    ["a message", ({ paths }, team) => appendMessage(paths, team, "bob", message("new"))],
    [
      "a mark",
      ({ paths }, team) =>
        markShown(paths, team, "bob", { ids: new Set(["a"]), now: NOON, keepRead: 9, retentionDays: 9 }),
    ],
    ["an answer", ({ paths }, team) => markAnswered(paths, team, "bob", () => true, "x")],
    ["a requeue", ({ paths }, team) => requeue(paths, team, "bob", new Set(["r"]))],
  ];
  const place = (team: string) => {
    const home = aHome();
    const path = home.write(`.claude/teams/${team}/inboxes/bob.json`, [message("a"), message("r", READ)]);
    return { home, path };
  };

  test.each(CHANGES)("%s is spooled in a team of ours, and refused in the client's own", (_, change) => {
    for (const team of [TEAM, NATIVE]) {
      const { home, path } = place(team);
      mkdirSync(`${path}.lock`);
      if (team === NATIVE) expect(() => change(home, team)).toThrow("is held");
      else change(home, team);
      expect(home.has(`.claude/teams/${team}/spool/bob`)).toBe(team === TEAM);
      rmdirSync(`${path}.lock`);
    }
  });

  test.each(CHANGES)("%s: any other error is the caller's, and nothing is spooled", (_, change) => {
    const { home } = place(TEAM);
    failing("writeFileSync", "ENOSPC");
    expect(() => change(home, TEAM)).toThrow("ENOSPC");
    expect(home.has(SPOOL)).toBe(false);
  });
});

test("an inbox of the client's own that is too large to be read whole is not written", () => {
  const home = aHome();
  const path = home.write(`.claude/teams/${NATIVE}/inboxes/bob.json`, [
    message("r", { ...READ, text: "x".repeat(12 * 1024 * 1024) }),
    message("last"),
  ]);
  const { size } = statSync(path);
  expect(() => appendMessage(home.paths, NATIVE, "bob", message("new"))).toThrow(`has ${size} bytes`);
  expect(ids(home.json(`.claude/teams/${NATIVE}/inboxes/bob.json`))).toEqual(["r", "last"]);
});

test.each(["[broken", '{"messages":[]}'])("nor is one that cannot be read: %s", (text) => {
  const home = aHome();
  const inbox = `.claude/teams/${NATIVE}/inboxes/bob.json`;
  home.write(inbox, text);
  expect(() => appendMessage(home.paths, NATIVE, "bob", message("new"))).toThrow("is damaged");
  expect(home.read(inbox)).toBe(text);
  home.write(inbox, ""); // as the client leaves it for a moment when it makes one
  appendMessage(home.paths, NATIVE, "bob", message("new"));
  expect(ids(home.json(inbox))).toEqual(["new"]);
});

describe("marks", () => {
  test("read mail beyond the number that is kept, and older than it is kept, is archived; strange entries stay", () => {
    const home = withMail(
      message("r1", { ...READ, shownAt: "2026-02-20T11:00:00Z" }),
      message("r2", { ...READ, shownAt: "2026-01-01T00:00:00Z" }),
      7,
      message("r3", { ...READ, shownAt: "2026-02-20T11:00:00Z" }),
      message("a"),
    );
    const mark = (keepRead: number) =>
      markShown(home.paths, TEAM, "bob", { ids: new Set(), now: NOON, keepRead, retentionDays: 30 });
    mark(3);
    expect(ids(inbox(home))).toEqual(["r1", undefined, "r3", "a"]);
    mark(1);
    expect(ids(inbox(home))).toEqual([undefined, "r3", "a"]);
    expect(ids(archive(home))).toEqual(["r2", "r1"]);
  });

  test("what is answered is read mail that is meant, once; the answer is on record", () => {
    const home = withMail(
      message("a", READ),
      message("b", READ),
      message("c"),
      message("d", { read: true, state: "answered", answeredBy: "x" }),
    );
    const answer = () => markAnswered(home.paths, TEAM, "bob", ({ id }) => id !== "b", "reply");
    answer();
    expect(inbox(home).map(({ answeredBy }) => answeredBy)).toEqual(["reply", undefined, undefined, "x"]);
    const { ino } = statSync(home.path(inboxOf("bob")));
    answer();
    expect(statSync(home.path(inboxOf("bob"))).ino).toBe(ino);
  });

  test("of two without an id only the one that is meant could be answered, so neither is", () => {
    const home = withMail(message("a", READ), message("", READ), { ...message("", READ), from: "eve" });
    markAnswered(home.paths, TEAM, "bob", ({ from }) => from === "alice", "reply");
    expect(inbox(home).map(({ answeredBy }) => answeredBy)).toEqual(["reply", undefined, undefined]);
  });

  test("an answer to archived mail adds to it", () => {
    const home = withMail();
    home.write(archiveOf("bob"), `${JSON.stringify(message("a", READ))}\n`);
    markAnswered(home.paths, TEAM, "bob", ({ id }) => id === "a", "reply");
    expect(readAllMail(home.paths, TEAM, "bob")).toMatchObject([
      { id: "a", text: "a", state: "answered", answeredBy: "reply" },
    ]);
  });
});

describe("messages of other programs", () => {
  test("of two with one id only the one that was claimed counts as shown", () => {
    const home = withMail(message("1", { text: "first" }));
    claim(home);
    home.write(inboxOf("bob"), [...inbox(home), message("1", { from: "amy", text: "second" })]);
    markShown(home.paths, TEAM, "bob", { ids: new Set(["1"]), now: NOON, keepRead: 50, retentionDays: 30 });
    expect(readUnread(home.paths, TEAM, "bob").map(({ text }) => text)).toEqual(["second"]);
    expect(readAllMail(home.paths, TEAM, "bob").map(({ text }) => text)).toEqual(["first", "second"]);
  });

  test("without an id each is kept in the archive, as the message it was", () => {
    const home = withMail({ from: "amy", text: "one" }, { text: "two", timestamp: 7 });
    buryInbox(home.paths, TEAM, "bob");
    home.write(archiveOf("bob"), `${home.read(archiveOf("bob"))}{"text":"three"}\n`);
    expect(readAllMail(home.paths, TEAM, "bob")).toMatchObject([
      { from: "amy", text: "one", state: "dead" },
      { from: "unknown", text: "two", state: "dead" },
      { from: "unknown", text: "three", timestamp: "" },
    ]);
  });
});

describe("mail to and from other machines", () => {
  const relayed = (id: string, more: object = {}) =>
    message(id, { ...READ, state: "relayed", relayedTo: "box", ...more });
  const fate = (id: string, state: string) => ({ id, machine: "box", fields: { state } });

  test("what became of it is marked in the inbox and in the archive, and read mail beyond the limit is archived", () => {
    const home = withMail(relayed("a"), relayed("b"), message("c"));
    home.write(archiveOf("bob"), `${JSON.stringify(relayed("z"))}\n${JSON.stringify(relayed("y"))}\n`);
    const fates = [fate("a", "shown"), fate("z", "answered"), fate("unknown", "shown")];
    markFates(home.paths, TEAM, "bob", fates, 1);
    expect(states(inbox(home))).toEqual(["b relayed", "c undefined"]);
    expect(states(readAllMail(home.paths, TEAM, "bob"))).toEqual([
      "z answered",
      "y relayed",
      "a shown",
      "b relayed",
      "c undefined",
    ]);
    const lines = archive(home).length;
    markFates(home.paths, TEAM, "bob", fates, 1);
    expect(archive(home)).toHaveLength(lines);
  });

  test("a fate of nothing that is here writes nothing, and one of the inbox alone does not look into the archive", () => {
    const home = withMail(relayed("a"));
    const { ino } = statSync(home.path(inboxOf("bob")));
    markFates(home.paths, TEAM, "bob", [fate("b", "shown")], 9);
    expect(statSync(home.path(inboxOf("bob"))).ino).toBe(ino);
    const opened: unknown[] = [];
    onFileCalls((name, [path]) => {
      if (name === "openSync" || name === "existsSync") opened.push(path);
    });
    markFates(home.paths, TEAM, "bob", [fate("a", "shown")], 9);
    expect(states(inbox(home))).toEqual(["a shown"]);
    expect(opened).not.toContain(home.path(archiveOf("bob")));
  });

  test("origins: every id of inbox and archive, with its machine", () => {
    const via = (machine: string) => ({ via: { machine, agent: "x", id: "y" } });
    const home = withMail(message("a", via("box")), message("b"), { from: "x", text: "no id" });
    const line = (one: object) => `${JSON.stringify(one)}\n`;
    home.write(`${archiveOf("bob")}.1`, line(message("c", via("laptop"))));
    home.write(
      archiveOf("bob"),
      line(message("d")) + line({ id: "part", state: "answered" }) + line({ text: "no id" }),
    );
    expect([...readOrigins(home.paths, TEAM, "bob")].sort()).toEqual([
      ["a", "box"],
      ["b", ""],
      ["c", "laptop"],
      ["d", ""],
    ]);
  });
});

describe("removing a member", () => {
  test("all its mail goes to the archive, unread as dead; what is no message stays", () => {
    const home = withMail(message("a"), 7, message("r", READ));
    home.write(`${SPOOL}/000000000001-x.json`, { messages: [message("s")] });
    expect(buryInbox(home.paths, TEAM, "bob")).toBe(2);
    expect([inbox(home), states(archive(home)), readdirSync(home.path(SPOOL))]).toEqual([
      [7],
      ["a dead", "r shown", "s dead"],
      [],
    ]);
    const { ino } = statSync(home.path(inboxOf("bob")));
    expect(buryInbox(home.paths, TEAM, "bob")).toBe(0);
    expect(statSync(home.path(inboxOf("bob"))).ino).toBe(ino);
  });

  test("its inbox is moved as it is; without a spool no new one is made", () => {
    const home = withMail(message("a"), message("r", READ));
    const before = home.read(inboxOf("bob"));
    const aside = archiveInbox(home.paths, TEAM, "bob", NOON);
    expect(aside).toBe(home.path(`.claude/teams/${TEAM}/archive/bob.removed-2026-02-20T12-00-00-000Z.json`));
    expect(home.read(aside?.replace(`${home.root}/`, "") ?? "")).toBe(before);
    expect([home.has(inboxOf("bob")), states(archive(home))]).toEqual([false, ["a dead"]]);
  });
});

test("a removed member that has no inbox has nothing to be moved", () => {
  const home = aHome();
  aTeam(home);
  expect(archiveInbox(home.paths, TEAM, "bob", NOON)).toBeUndefined();
  expect([listMailboxes(home.paths, TEAM), home.has(inboxOf("bob"))]).toEqual([[], false]);
});

test("a removed member's mail that has no room to be merged is not waited for", () => {
  const home = withMail("x".repeat(9 * 1024 * 1024));
  home.write(`${SPOOL}/000000000001-x.json`, { messages: [message("s")] });
  expect(buryInbox(home.paths, TEAM, "bob")).toBe(0);
  expect(ids(readUnread(home.paths, TEAM, "bob"))).toEqual(["s"]);
});

test("a removed member's inbox of read mail alone is moved too", () => {
  const home = withMail(message("r", READ));
  archiveInbox(home.paths, TEAM, "bob", NOON);
  expect(readdirSync(home.path(`.claude/teams/${TEAM}/archive`))).toHaveLength(1);
});

test("an inbox that a person is just writing is read again, not set aside", () => {
  const home = withMail();
  const path = home.write(inboxOf("bob"), '[{"from":"alice","te');
  let reads = 0;
  onFileCalls((name, [opened]) => {
    if (name === "openSync" && opened === path && ++reads === 3) home.write(inboxOf("bob"), [message("a")]);
  });
  expect(ids(readUnread(home.paths, TEAM, "bob"))).toEqual(["a"]);
  expect(readdirSync(home.path(`.claude/teams/${TEAM}/inboxes`))).toEqual(["bob.json"]);
});

describe("files", () => {
  test("an inbox is made empty where there is none, and kept where there is one", () => {
    const home = aHome();
    const path = ensureInbox(home.paths, TEAM, "bob");
    expect([path, home.read(inboxOf("bob"))]).toEqual([home.path(inboxOf("bob")), "[]\n"]);
    home.write(inboxOf("bob"), [message("a")]);
    ensureInbox(home.paths, TEAM, "bob");
    expect(ids(inbox(home))).toEqual(["a"]);
  });

  test.each([
    ["its content", undefined],
    ["its content in the end, where a file system has no links", "EPERM"],
  ])("an inbox is made with %s", (_, code) => {
    const home = aHome();
    const seen = new Set<string>();
    onFileCalls((name) => {
      if (home.has(inboxOf("bob"))) seen.add(home.read(inboxOf("bob")));
      if (code && name === "linkSync") throw anError(code);
    });
    ensureInbox(home.paths, TEAM, "bob");
    expect([...seen].filter(() => code === undefined)).toEqual(code ? [] : ["[]\n"]);
    expect(home.read(inboxOf("bob"))).toBe("[]\n");
    expect(readdirSync(home.path(`.claude/teams/${TEAM}/inboxes`))).toEqual(["bob.json"]);
  });

  test("a stamp differs with every change, with and without an inbox or a spool", () => {
    const home = aHome();
    const stamps: string[] = [];
    const look = () => stamps.push(inboxStamp(home.paths, TEAM, "bob"));
    look();
    mkdirSync(home.path(SPOOL), { recursive: true });
    expect(inboxStamp(home.paths, TEAM, "bob")).toBe(stamps[0]);
    appendMessage(home.paths, TEAM, "bob", message("a"));
    look();
    for (const name of ["000000000001-x.json", "000000000002-x.json"]) {
      home.write(`${SPOOL}/${name}`, {});
      look();
    }
    expect(new Set(stamps).size).toBe(stamps.length);
  });

  test("marks that version 0.1.0 left damaged are removed without effect", () => {
    const home = withMail(message("a"), message("b"));
    home.write(
      `${inboxOf("bob")}.shown`,
      '{"ids":"a","at":"t"}\n{"ids":["a"]}\n{"ids":["b"],"at":"t"}\n{"ids":["a"]',
    );
    expect(ids(readUnread(home.paths, TEAM, "bob"))).toEqual(["a", "b"]);
    requeue(home.paths, TEAM, "bob", new Set());
    expect(ids(readUnread(home.paths, TEAM, "bob"))).toEqual(["a"]);
    expect(home.has(`${inboxOf("bob")}.shown`)).toBe(false);
  });

  test("of the archive the newest is read, a part adds to its message, and a part alone is none", () => {
    const home = withMail();
    const lines = [
      message("a", { text: "first" }),
      { id: "a", state: "answered" },
      { id: "alone", state: "answered" },
    ];
    home.write(archiveOf("bob"), lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    expect(readAllMail(home.paths, TEAM, "bob")).toMatchObject([
      { id: "a", text: "first", state: "answered" },
    ]);
  });

  test("a full archive turns over", () => {
    const home = withMail(message("a", READ));
    mkdirSync(home.path(`.claude/teams/${TEAM}/archive`), { recursive: true });
    writeFileSync(home.path(archiveOf("bob")), `${"x".repeat(8 * 1024 * 1024)}\n`);
    markShown(home.paths, TEAM, "bob", { ids: new Set(), now: NOON, keepRead: 0, retentionDays: 30 });
    expect([home.has(archiveOf("bob")), home.has(`${archiveOf("bob")}.1`)]).toEqual([false, true]);
  });

  test("all mail of a team's directory, wherever it was moved to", () => {
    const home = withMail(message("a"), 7);
    home.write(inboxOf("amy"), [message("b")]);
    home.write(inboxOf("broken"), "[");
    expect(ids(readInboxesBelow(home.path(`.claude/teams/${TEAM}`))).sort()).toEqual(["a", "b"]);
    expect(readInboxesBelow(home.path("nowhere"))).toEqual([]);
  });

  test("what waits to be merged is mail of that directory too, and a lock that was left there is none", () => {
    const home = withMail(message("a"));
    mkdirSync(home.path(`${inboxOf("bob")}.lock`));
    home.write(`${SPOOL}/000000000001-x.json`, { messages: [message("s")] });
    home.write(`${SPOOL}/000000000002-x.json`, { shown: ["a"], at: "x" });
    const broadcasts = `.claude/teams/${TEAM}/broadcasts`;
    home.write(`${broadcasts}/000000000001-x+amy.json`, { messages: [message("l")] });
    home.write(`${broadcasts}/000000000001-x.json`, { messages: [message("not sent")] });
    expect(ids(readInboxesBelow(home.path(`.claude/teams/${TEAM}`)))).toEqual(["a", "s", "l"]);
    expect(listMailboxes(home.paths, TEAM)).toEqual(["amy", "bob"]);
  });

  test("a message that is archived while all mail is read is given once, whenever that happens", () => {
    const moves = { ids: new Set(["a"]), now: NOON, keepRead: 0, retentionDays: 30 };
    let calls = 0;
    let before = () => {};
    onFileCalls(() => before());
    const readings = [
      ({ paths }: Home) => ids(readAllMail(paths, TEAM, "bob")),
      ({ paths }: Home) => [...readOrigins(paths, TEAM, "bob").keys()],
    ];
    for (const reading of readings)
      for (let at = 1; at <= 12; at++) {
        const home = withMail(message("a"));
        calls = 0;
        before = () => {
          if (++calls === at) markShown(home.paths, TEAM, "bob", moves);
        };
        expect([at, reading(home)]).toEqual([at, ["a"]]);
        before = () => {};
      }
    expect(calls).toBeLessThan(12); // every moment was tried
  });

  test.each([
    ["/h/.claude/teams/t/inboxes/bob.json", true],
    ["/h/.claude/teams/t/bells/bob.0", true],
    ["C:\\h\\inboxes\\bob.json", true],
    ["/h/.claude/teams/t/inboxes/bob.json.lock", false],
    ["/h/.claude/teams/t/config.json", false],
  ])("the watch list: %s is mail, %s", (path, expected) => expect(isWatchedMail(path)).toBe(expected));

  test.each([
    ["EACCES", false],
    ["EEXIST", false],
    ["ENOENT", false],
    ["EIO", true],
  ])("a trigger that cannot be written with %s makes the sender fail: %s", (code, fails) => {
    const home = withMail();
    const triggers = ensureTriggers(home.paths, TEAM, "bob");
    expect(triggers.map((path) => statSync(path).size)).toEqual([1, 1]);
    onFileCalls((name, [path]) => {
      if (name === "openSync" && triggers.includes(String(path))) throw anError(code);
    });
    const touch = () => touchTrigger(home.paths, TEAM, "bob");
    if (fails) expect(touch).toThrow(code);
    else expect(touch).not.toThrow();
  });
});

describe("an entry", () => {
  test.each<[string, unknown, object | undefined]>([
    ["a text alone", { text: "x" }, { id: "", from: "unknown", text: "x", timestamp: "", read: false }],
    ["older names", { msg_id: "m", content: "x" }, { id: "m", text: "x" }],
    ["an id under its third name", { id: "", message_id: "m", text: "x" }, { id: "m" }],
    ["an id that is none", { id: 7, text: "x" }, { id: "" }],
    ["a time that is none", { text: "x", timestamp: Number.NaN }, { timestamp: "" }],
    ["a time as a number", { text: "x", timestamp: 0 }, { timestamp: "1970-01-01T00:00:00.000Z" }],
    ["a flag, but no id", { text: "x", read: false }, { id: "", from: "unknown", read: false }],
    ["a time, but no id", { text: "x", timestamp: "t" }, { id: "", timestamp: "t", read: false }],
    ["all but the flag", { ...message("a"), read: "yes" }, { id: "a", read: false }],
    ["all but the time", { ...message("a"), timestamp: 7 }, { timestamp: "1970-01-01T00:00:00.007Z" }],
    ["read that is no flag", { text: "x", read: "yes" }, { read: false }],
    ["a list", ["text"], undefined],
    ["nothing", null, undefined],
    ["a text that is none", { text: 7 }, undefined],
    ["all but the text", { ...message("a"), text: 7 }, undefined],
  ])("%s", (_, entry, expected) =>
    expected ? expect(asMessage(entry)).toMatchObject(expected) : expect(asMessage(entry)).toBeUndefined(),
  );

  test("a new message says only what was given", () => {
    const draft = { from: "alice", text: "x", at: NOON };
    expect(Object.keys(newMessage(draft))).toEqual(["id", "from", "text", "timestamp", "read"]);
    expect(newMessage({ ...draft, summary: "s", kind: "report", routine: true })).toMatchObject({
      summary: "s",
      kind: "report",
      routine: true,
      read: false,
    });
  });

  test.each<[object, string]>([
    [{}, "queued"],
    [{ read: true }, "shown"],
    [{ read: true, state: "answered" }, "answered"],
    [{ state: "dead" }, "dead"],
    [{ read: true, state: "relayed" }, "relayed"],
    [{ read: true, state: "refused" }, "refused"],
    [{ claim: { at: "2026-02-20T11:59:31Z" } }, "claimed"],
    [{ claim: { at: "2026-02-20T11:59:29Z" } }, "queued"],
    [{ claim: {} }, "queued"],
  ])("%j is %s", (more, state) => expect(stateOf(message("a", more), NOON)).toBe(state));
});

describe("an inbox that was read before", () => {
  const textsOf = (home: Home) => readUnread(home.paths, TEAM, "bob").map(({ text }) => text);

  test("is read again after a change in place that keeps its size and its time", () => {
    const home = withMail(message("one"));
    utimesSync(home.path(inboxOf("bob")), NOON, NOON);
    expect(textsOf(home)).toEqual(["one"]);
    home.write(inboxOf("bob"), [message("two")]);
    utimesSync(home.path(inboxOf("bob")), NOON, NOON);
    expect(textsOf(home)).toEqual(["two"]);
  });

  test("is parsed once, to look at it, to claim its mail and to mark it", () => {
    const home = withMail(message("first"), message("second"));
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    expect(textsOf(home)).toEqual(["first", "second"]);
    claim(home);
    const shown = { ids: new Set(["first"]), now: NOON, keepRead: 50, retentionDays: 30 };
    markShown(home.paths, TEAM, "bob", shown);
    expect([textsOf(home), parse.mock.calls.length]).toEqual([["second"], 1]);
    expect(states(inbox(home))).toEqual(["first shown", "second claimed"]);
  });
});
