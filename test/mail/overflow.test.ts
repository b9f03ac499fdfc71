// Reading an inbox in pieces, and splitting it; test/mail/large-inbox.slow.test.ts does both with files of real size.
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import { mailboxFiles } from "../../lib/mail/store/mailbox-files.ts";
import type { Message } from "../../lib/mail/store/message.ts";
import { scanEntries, splitOverflow } from "../../lib/mail/store/overflow.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, inboxOf, TEAM } from "../support/a-team.ts";
import { onFileCalls } from "../support/file-calls.ts";

const MB = 1024 * 1024;

function scanned(text: string, mostBytes?: number): unknown[] {
  const entries: unknown[] = [];
  const path = aHome().write("x.json", text);
  scanEntries(path, (entry) => entries.push(entry), mostBytes);
  return entries;
}

test.each<[string, string, unknown[]]>([
  ["an empty array", " [ ] ", []],
  [
    "entries of every kind",
    '[1,"a",null,{"b":[2,{"c":3}]},[[4]], true ]',
    [1, "a", null, { b: [2, { c: 3 }] }, [[4]], true],
  ],
  [
    "brackets, commas and quotes in a text",
    '["]},{[", "a\\\\", "\\"],", "\\\\\\",["]',
    ["]},{[", "a\\", '"],', '\\",['],
  ],
  ["a damaged entry", '[1, oops, {"a":}, 2]', [1, 2]],
  ["a comma too many", "[1,,2,]", [1, 2]],
  ["an array that does not end", '[1, {"a":2}, {"b"', [1, { a: 2 }]],
  ["something behind the array", "[1] [2], 3", [1]],
  ["no array", "7, 8", []],
  ["an object, as if it were one", '{"a":1}', []],
  ["nothing", "", []],
])("the entries of %s", (_, text, expected) => expect(scanned(text)).toEqual(expected));

test.each([MB - 3, MB - 2, MB - 1, MB])("an entry that begins or ends at byte %i is read whole", (length) => {
  const long = "x".repeat(length);
  expect(scanned(JSON.stringify([long, "next", { a: "é" }]))).toEqual([long, "next", { a: "é" }]);
});

test("an entry knows its size, and no more is read than asked for, in pieces of a megabyte", () => {
  const home = aHome();
  const path = home.write("x.json", `[${"1".repeat(9)},${"2".repeat(MB)},3]`);
  const sizes: number[] = [];
  scanEntries(path, (_, bytes) => sizes.push(bytes), MB);
  expect(sizes).toEqual([9]);
  scanEntries(path, (_, bytes) => sizes.push(bytes), MB + 1);
  expect(sizes).toEqual([9, 9, MB, 1]);
});

test("a file is closed again, also after an error", () => {
  const path = aHome().write("x.json", "[1]");
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let n = 0; n < 20; n++)
    expect(() =>
      scanEntries(path, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
  expect(open()).toBeLessThan(before + 10);
});

const SPOOL = `.claude/teams/${TEAM}/spool/bob`;
const ASIDE = `.claude/teams/${TEAM}/archive/bob.overflow-2026-02-20T12-00-00-000Z.json`;
const KB_300 = "y".repeat(300 * 1024);
const ENTRIES = [
  aMessage("alice", "one", { id: "m-1" }),
  "no message",
  aMessage("alice", "read", { id: "m-2", read: true }),
  aMessage("alice", "no id", { id: undefined }),
  ...Array.from({ length: 8 }, (_, n) => aMessage("alice", KB_300, { id: `long-${n}` })),
  aMessage("alice", "last", { id: "m-9" }),
];

function anOverflow(): Home {
  const home = aHome();
  utimesSync(home.write(inboxOf("bob"), ENTRIES), NOON, NOON);
  return home;
}
const split = (home: Home, renew = () => {}) =>
  splitOverflow(mailboxFiles(home.paths, TEAM, "bob"), NOON, renew);
const batches = (home: Home): Message[][] =>
  readdirSync(home.path(SPOOL)).map((name) => home.json(`${SPOOL}/${name}`).messages);

test("unread mail goes to the spool in order, in batches, behind a notice; the file is kept whole", () => {
  const home = anOverflow();
  const before = readFileSync(home.path(inboxOf("bob")));
  takeProblems();
  split(home);
  const ids = batches(home).map((batch) =>
    batch.map(({ id }) => id.replace("2026-02-20T12-00-00-000Z", "T")),
  );
  expect(ids.flat()).toEqual([
    "overflow-T",
    "m-1",
    "overflow-T-3",
    ...Array.from({ length: 8 }, (_, n) => `long-${n}`),
    "m-9",
  ]);
  expect(ids.map(({ length }) => length)).toEqual([9, 3]); // a text counts 100,000 at most, a batch ends above 512 KB
  const [notice, , , long] = batches(home).flat();
  expect(notice).toMatchObject({
    from: "swarm",
    kind: "system",
    text: expect.stringContaining(home.path(ASIDE)),
  });
  expect(long?.text).toBe(`${KB_300.slice(0, 100_000)}\n[cut: the whole message is in ${home.path(ASIDE)}]`);
  expect(home.has(inboxOf("bob"))).toBe(false);
  expect(readFileSync(home.path(ASIDE)).equals(before)).toBe(true);
  expect(takeProblems()).toEqual([expect.stringContaining("was split into the spool")]);
  expect(home.lines(".claude/swarm/journal/2026-02-20.jsonl")).toMatchObject([
    { what: "mail-overflow", agent: "bob", team: TEAM, kept: home.path(ASIDE) },
  ]);
});

test("split again after a crash, it gives the same batches under the same names", () => {
  const home = anOverflow();
  let renewals = 0;
  const crash = () => {
    if (++renewals === 3) throw new Error("crash");
  };
  expect(() => split(home, crash)).toThrow("crash");
  expect(home.json(inboxOf("bob"))).toHaveLength(ENTRIES.length);
  const names = readdirSync(home.path(SPOOL));
  split(home);
  expect(readdirSync(home.path(SPOOL))).toEqual(names);
  expect(batches(home).flat()).toHaveLength(12);
});

test.each([1, 2, 3])("a lock that is lost at step %i ends it before anything is written there", (step) => {
  const home = anOverflow();
  let renewals = 0;
  const lose = () => {
    if (++renewals === step) throw new Error("lost");
  };
  expect(() => split(home, lose)).toThrow("lost");
  expect(home.has(SPOOL) ? readdirSync(home.path(SPOOL)) : []).toHaveLength(step - 1);
  expect([home.has(inboxOf("bob")), home.has(ASIDE)]).toEqual([true, false]);
});

test("each batch is on disk before the inbox is moved, and the move itself when it is done", () => {
  const home = anOverflow();
  const calls: string[] = [];
  let opened = "";
  onFileCalls((name, [path, other]) => {
    const short = String(path).replace(`${home.root}/.claude/teams/${TEAM}/`, "");
    if (name === "openSync") opened = short;
    if (name === "fsyncSync") calls.push(opened.includes(".tmp.") ? "batch" : `sync ${opened}`);
    if (name === "renameSync" && other === home.path(ASIDE)) calls.push("move");
  });
  split(home);
  expect(calls).toEqual([
    ...["batch", "sync spool/bob", "batch", "sync spool/bob"],
    ...["move", "sync archive", "sync inboxes"],
  ]);
});

test("a second message with the same id would count as known: it gets one of its own", () => {
  const home = aHome();
  const twice = [aMessage("alice", "one", { id: "1" }), aMessage("amy", "two", { id: "1" })];
  utimesSync(home.write(inboxOf("bob"), twice), NOON, NOON);
  split(home);
  const [, one, two] = batches(home).flat();
  expect([one, two]).toMatchObject([{ id: "1" }, { id: "overflow-2026-02-20T12-00-00-000Z-1", text: "two" }]);
});
