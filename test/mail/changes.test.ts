// Every change that an inbox can take, as a table: late marks, second answers, requeued mail and what came from other machines.
import { expect, test } from "vitest";
import {
  applyChange,
  asDead,
  asSlot,
  fateOf,
  isOlderThan,
  type MailChange,
  type Message,
  mailChange,
  messagesIn,
} from "../../lib/mail/store/message.ts";
import { aMessage } from "../support/a-team.ts";

const message = (id: string, more: object = {}) => aMessage("alice", id, { id, ...more }) as Message;
const queued = (id: string) => message(id, { state: "queued" });
const shown = (id: string) => message(id, { read: true, state: "shown", shownAt: "t" });

const after = (before: Message[], change: MailChange, archive: Message[] = []) =>
  messagesIn(applyChange(before.map(asSlot), change, () => archive)).map(({ id, read, state, ...more }) => ({
    id,
    read,
    state,
    shownAt: more["shownAt"],
    answeredBy: more["answeredBy"],
  }));

const is = (id: string, state: string, more: object = {}) => ({
  ...{ id, state, read: state !== "queued", shownAt: undefined, answeredBy: undefined },
  ...more,
});

type Row = [string, Message[], MailChange, object[], Message[]?];
const CHANGES: Row[] = [
  [
    "new mail is queued behind",
    [queued("a")],
    { messages: [message("b")] },
    [is("a", "queued"), is("b", "queued")],
  ],
  ["known mail is not taken twice", [queued("a")], { messages: [message("a")] }, [is("a", "queued")]],
  ["archived mail is not taken again", [], { messages: [message("a")] }, [], [shown("a")]],
  [
    "shown",
    [queued("a"), queued("b")],
    { shown: ["a"], at: "now" },
    [is("a", "shown", { shownAt: "now" }), is("b", "queued")],
  ],
  [
    "a late mark keeps the first time",
    [shown("a")],
    { shown: ["a"], at: "later" },
    [is("a", "shown", { shownAt: "t" })],
  ],
  [
    "answered",
    [shown("a")],
    { answered: ["a"], by: "r1" },
    [is("a", "answered", { shownAt: "t", answeredBy: "r1" })],
  ],
  ["unread mail is not answered", [queued("a")], { answered: ["a"], by: "r1" }, [is("a", "queued")]],
  [
    "the first answer stays",
    [message("a", { read: true, state: "answered", answeredBy: "r1" })],
    { answered: ["a"], by: "r2" },
    [is("a", "answered", { answeredBy: "r1" })],
  ],
  [
    "requeued mail keeps its place",
    [shown("a"), queued("b"), shown("c")],
    { requeued: ["c", "a"] },
    [is("a", "queued"), is("b", "queued"), is("c", "queued")],
  ],
  [
    "requeued mail that was archived goes to the front",
    [queued("b")],
    { requeued: ["a"] },
    [is("a", "queued"), is("b", "queued")],
    [shown("a"), shown("z")],
  ],
  [
    "what is here and in the archive is requeued once",
    [shown("a")],
    { requeued: ["a"] },
    [is("a", "queued")],
    [shown("a")],
  ],
  [
    "answered mail is not requeued",
    [message("a", { read: true, state: "answered", answeredBy: "r" })],
    { requeued: ["a", "b"] },
    [is("a", "answered", { answeredBy: "r" })],
    [message("b", { read: true, state: "answered" })],
  ],
  [
    "a fate of another machine's reader",
    [queued("a")],
    { fates: [{ id: "a", fields: { state: "dead" } }] },
    [is("a", "dead")],
  ],
];

test.each(CHANGES)("%s", (_, before, change, expected, archive = []) => {
  expect(after(before, change, archive)).toEqual(expected);
  expect(mailChange(JSON.parse(JSON.stringify(change)), "")).toMatchObject(change);
});

const relayed = (state: string | undefined, read = true) => message("a", { read, state, relayedTo: "box" });
test.each([
  ["queued, then relayed", relayed("queued", false), { state: "relayed" }, undefined, true],
  ["relayed, then shown", relayed("relayed"), { state: "shown" }, undefined, true],
  ["shown, then relayed", relayed("shown"), { state: "relayed" }, undefined, false],
  ["shown twice", relayed("shown"), { state: "shown" }, undefined, false],
  ["answered, then shown", relayed("answered"), { state: "shown" }, undefined, false],
  ["dead, then shown", relayed("dead"), { state: "shown" }, undefined, false],
  ["refused, then answered", relayed("refused"), { state: "answered" }, undefined, false],
  ["shown, then dead", relayed("shown"), { state: "dead" }, undefined, true],
  ["for the machine it went to", relayed("relayed"), { state: "shown" }, "box", true],
  ["for another machine", relayed("relayed"), { state: "shown" }, "laptop", false],
] as const)("the fate of a message only goes on: %s", (_, before, fields, machine, counts) => {
  const fate = { id: "a", fields: { ...fields }, ...(machine ? { machine } : {}) };
  expect(fateOf(before, [fate])).toEqual(counts ? fate : undefined);
  expect(fateOf(before, [{ ...fate, id: "b" }])).toBeUndefined();
});

test("only unread mail dies", () => {
  expect(asDead(queued("a")).state).toBe("dead");
  expect(asDead(shown("a")).state).toBe("shown");
  expect(asDead(message("a", { state: "answered" })).state).toBe("answered");
});

test("old is what was shown, or else sent, more than so many days ago", () => {
  const now = new Date("2026-03-10T00:00:00Z");
  const sent = (timestamp: string, shownAt?: string) =>
    message("a", { timestamp, ...(shownAt && { shownAt }) });
  expect(isOlderThan(sent("2026-03-01T00:00:00Z"), 8, now)).toBe(true);
  expect(isOlderThan(sent("2026-03-03T00:00:00Z"), 8, now)).toBe(false);
  expect(isOlderThan(sent("2026-03-01T00:00:00Z", "2026-03-09T00:00:00Z"), 8, now)).toBe(false);
  expect(isOlderThan(sent("no time"), 8, now)).toBe(false);
});
