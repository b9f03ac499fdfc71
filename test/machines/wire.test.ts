// What arrives is checked; what is not understood is refused, and what is not asked for is dropped.
import { expect, test } from "vitest";
import {
  config,
  isName,
  lead,
  mail,
  member,
  parseAs,
  parseTask,
  receipts,
  taskText,
} from "../../lib/machines/wire.ts";

const good = { v: 1, id: "m1-x", text: "hello", ageMs: 5 };

test("a message keeps what is known and nothing else", () =>
  expect(
    parseAs(mail, JSON.stringify({ ...good, from: "root", read: true, state: "shown", claim: {} })),
  ).toEqual(good));

test.each([
  ["no JSON", "{"],
  ["nothing", "null"],
  ["another version", JSON.stringify({ ...good, v: 2 })],
  ["an id with a path in it", JSON.stringify({ ...good, id: "../x" })],
  ["no id", JSON.stringify({ ...good, id: "" })],
  ["no text", JSON.stringify({ ...good, text: 1 })],
  ["too long a text", JSON.stringify({ ...good, text: "x".repeat(100_001) })],
  ["a kind of its own", JSON.stringify({ ...good, kind: "order" })],
  ["an age before its sending", JSON.stringify({ ...good, ageMs: -1 })],
  ["no age", JSON.stringify({ ...good, ageMs: null })],
])("mail with %s is refused", (_, text) => expect(() => parseAs(mail, text)).toThrow());

test("lines of a roster have no line breaks and no escapes", () => {
  expect(() => parseAs(member, JSON.stringify({ v: 1, task: "a\nb" }))).toThrow();
  expect(() => parseAs(member, JSON.stringify({ v: 1, state: "\u001b[2J" }))).toThrow();
  expect(parseAs(member, JSON.stringify({ v: 1, pid: 4, sessionId: "x" }))).toEqual({ v: 1 });
});

test("receipts say only what a receiver can know", () => {
  const of = (state: string) => JSON.stringify({ v: 1, receipts: [{ id: "a", agent: "b", state }] });
  expect(parseAs(receipts, of("shown")).receipts).toHaveLength(1);
  expect(() => parseAs(receipts, of("queued"))).toThrow();
});

test("a task comes back under its key's number, a deleted one as null", () => {
  const task = { id: "9", subject: "s", description: "", status: "pending", blocks: [], blockedBy: [] };
  expect(parseTask(taskText(task), "3")).toEqual({ ...task, id: "3" });
  expect(parseTask(taskText(null), "3")).toBeNull();
  for (const text of ["{}", "[]", '{"v":1}', '{"v":1,"task":{"subject":1,"status":"x"}}', "x"])
    expect(() => parseTask(text, "3")).toThrow();
});

test("lead and config", () => {
  expect(() => parseAs(lead, JSON.stringify({ v: 1, machine: "m", agent: "a", at: "never" }))).toThrow();
  expect(parseAs(config, JSON.stringify({ v: 1, name: "demo" }))).toEqual({ v: 1, name: "demo" });
});

test("a name that cannot be part of a path is none", () => {
  expect(isName("bob")).toBe(true);
  for (const bad of ["", "../x", "a/b", ".x", "nul", "x".repeat(101), "a\u202eb"])
    expect(isName(bad)).toBe(false);
});
