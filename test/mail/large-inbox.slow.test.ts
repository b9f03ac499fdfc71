// An inbox of more than 16 MB: put aside whole, and delivered to its last message.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  appendMessage,
  claimMail,
  countUnread,
  markShown,
  readInbox,
  requeue,
} from "../../lib/mail/store/inbox.ts";
import type { Message } from "../../lib/mail/store/message.ts";
import { buryInbox } from "../../lib/mail/store/removed-members.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const SPOOL = `.claude/teams/${TEAM}/spool/bob`;
const given = () => {
  const home = aHome();
  aTeam(home);
  return home;
};
const send = (home: Home, text: string) =>
  appendMessage(home.paths, TEAM, "bob", aMessage("alice", text) as Message, { waitMs: 20 });
const texts = (home: Home) => readInbox(home.paths, TEAM, "bob").map(({ text }) => text);
const spoolFiles = (home: Home) => (home.has(SPOOL) ? readdirSync(home.path(SPOOL)).sort() : []);
const claim = (home: Home) =>
  claimMail(home.paths, TEAM, "bob", { by: "s-1", now: NOON, choose: (queued) => queued }).messages.map(
    ({ text }) => text,
  );
const shown = (ids: string[]) => ({ ids: new Set(ids), now: NOON, keepRead: 50, retentionDays: 30 });

describe("an inbox that is too large to be read", () => {
  const count = 220;
  const large = () => {
    const home = given();
    const entries = Array.from({ length: count }, (_, n) => [
      aMessage("alice", `unread ${n} ${'"]},{[\\'.repeat(12_000)}`, {
        id: n % 3 === 0 ? undefined : `m-${n}`,
      }),
      aMessage("alice", `read ${n}`, { read: true, state: "shown" }),
      ["no message", { n }],
    ]).flat();
    home.write(inboxOf("bob"), entries);
    expect(statSync(home.path(inboxOf("bob"))).size).toBeGreaterThan(16 * 1024 * 1024);
    return home;
  };

  test("is delivered in order to the last message, and kept whole", () => {
    const home = large();
    const before = readFileSync(home.path(inboxOf("bob")));
    expect(countUnread(home.paths, TEAM, "bob")).toBeGreaterThan(0);
    const got: string[] = [];
    for (let round = 0; round < 40; round++) {
      const { messages } = claimMail(home.paths, TEAM, "bob", {
        by: "s-1",
        now: NOON,
        choose: (queued) => queued,
      });
      if (messages.length === 0) break;
      got.push(...messages.map(({ text }) => text));
      markShown(home.paths, TEAM, "bob", { ...shown(messages.map(({ id }) => id)), keepRead: 0 });
    }
    expect(got[0]).toMatch(/^This inbox had grown to \d+ MB.*put aside/);
    expect(got.slice(1).map((text) => Number(text.split(" ")[1]))).toEqual(
      Array.from({ length: count }, (_, n) => n),
    );
    const kept = readdirSync(home.path(`.claude/teams/${TEAM}/archive`)).filter((name) =>
      name.includes("overflow"),
    );
    expect(kept).toHaveLength(1);
    expect(readFileSync(home.path(`.claude/teams/${TEAM}/archive/${kept[0]}`)).equals(before)).toBe(true);
    send(home, "and on");
    expect(claim(home)).toEqual(["and on"]);
  }, 60_000);

  test("what is sent meanwhile is refused or comes behind", () => {
    const home = large();
    expect(() => send(home, "too early")).toThrow("is full");
    requeue(home.paths, TEAM, "bob", new Set()); // any change merges
    expect(texts(home)[0]).toContain("had grown");
  }, 60_000);

  test("one enormous message is delivered cut, with the place where the whole is", () => {
    const home = given();
    home.write(inboxOf("bob"), [aMessage("alice", "x".repeat(20 * 1024 * 1024)), aMessage("alice", "next")]);
    const [notice, cut, next] = claim(home);
    expect(notice).toContain("had grown");
    expect(cut).toMatch(/^x{100000}\n\[cut: the whole message is in .*overflow-.*\.json\]$/);
    expect(next).toBe("next");
  });

  test("is no reason to keep a removed member", () => {
    const home = large();
    expect(buryInbox(home.paths, TEAM, "bob")).toBe(count + 1);
    expect(texts(home)).toEqual([]);
    expect(spoolFiles(home)).toEqual([]);
  }, 60_000);
});
