// Lines and messages as entries of the report.
import { expect, test } from "vitest";
import type { JournalLine } from "../../../lib/core/journal.ts";
import { castOf, isSubagent, labelOf, speakerOf } from "../../../lib/ops/report/gather.ts";
import { entryOf, messageEntry, shortLine } from "../../../lib/ops/report/story.ts";
import { NOON } from "../../support/a-context.ts";

const line = (what: string, more: Record<string, unknown> = {}): JournalLine => ({
  id: "j-1",
  at: NOON.toISOString(),
  event: "PreToolUse",
  session: "s-1",
  agent: "main",
  feature: "command-guard",
  what,
  ...more,
});

test.each([
  [
    "a denial names rule and reason, and how to ask on",
    line("deny", { rule: "kill-by-name", reason: "It kills all. Use an id.", tool: "Bash", input: "{}" }),
    {
      kind: "decision",
      head: "kill-by-name: It kills all.",
      tone: "deny",
      rule: "kill-by-name",
      text: "It kills all. Use an id.\n\nAsked for: Bash {}\n\nswarm explain j-1",
    },
  ],
  [
    "a decision without a rule goes by its feature",
    line("ask"),
    { head: "command-guard: asked", rule: "command-guard" },
  ],
  [
    "a task's step",
    line("task-claimed", {
      task: "3",
      subject: "Lexer",
      status: "in_progress",
      owner: "bob",
      comment: "soon",
    }),
    { kind: "task", head: "#3 Lexer: claimed (bob)", tone: "in_progress", text: "soon" },
  ],
  ["a context level", line("context-level", { share: 82 }), { kind: "context", head: "context at 82 %" }],
  [
    "a state",
    line("state", { state: "idle", team: "t", name: "bob" }),
    { kind: "state", head: "idle", text: undefined },
  ],
  [
    "a failed turn says why",
    line("state", { state: "failed", failure: "rate_limit" }),
    { head: "failed · failure: rate_limit" },
  ],
  [
    "who was stopped, where that is another",
    line("stopped", { event: "command", name: "carl" }),
    { kind: "note", head: "stopped · name: carl" },
  ],
  [
    "anything else, with its details",
    line("team-suspended", { by: "x" }),
    { kind: "note", head: "team suspended · by: x" },
  ],
])("%s", (_, given, entry) => expect(entryOf(given, "bob")).toMatchObject({ agent: "bob", ...entry }));

test.each(["mail-delivered", "report", "teammate-idle"])("%s is shown by the message itself", (what) =>
  expect(entryOf(line(what), "bob")).toBeUndefined(),
);

test("a message shows its first line, its whole text and what became of it", () => {
  const message = {
    id: "m",
    from: "amy",
    text: "\nOne\nTwo\u202e",
    timestamp: NOON.toISOString(),
    read: false,
  };
  expect(messageEntry(message, "bob", NOON)).toEqual({
    at: NOON.getTime(),
    kind: "message",
    agent: "amy",
    to: "bob",
    head: "One",
    text: "One\nTwo",
    tone: "queued",
    isUnread: true,
  });
  for (const [given, isUnread] of [
    [{ state: "relayed" }, true],
    [{ state: "dead" }, undefined],
    [{ read: true }, undefined],
  ] as const)
    expect(messageEntry({ ...message, ...given }, "bob", NOON).isUnread).toBe(isUnread);
  expect(messageEntry({ ...message, text: " " }, "bob", NOON).head).toBe("(empty)");
  for (const summary of ["", " \n"])
    expect(messageEntry({ ...message, summary }, "bob", NOON).head).toBe("One");
  expect(messageEntry({ ...message, summary: "short" }, "bob", NOON)).toMatchObject({
    head: "short",
    text: "One\nTwo",
  });
  expect(messageEntry({ ...message, text: "x".repeat(9_000) }, "bob", NOON).text).toMatch(
    /5000 more characters\)$/,
  );
});

test.each([
  [undefined, ""],
  ["a\nb\u001b[31m", "a b[31m"],
  ["x".repeat(300), `${"x".repeat(159)}…`],
])("%j on one line is %j", (given, text) => expect(shortLine(given)).toBe(text));

test("a speaker is known by its session, its agent, or the line itself", () => {
  const cast = castOf(
    [{ session: "s-1", team: "t", agent: "old" }],
    [line("session-start", { feature: "sessions", team: "t", name: "bob" })],
  );
  const spoke = (given: JournalLine) => speakerOf(given, cast);
  expect(spoke(line("deny"))).toEqual({ team: "t", name: "bob" });
  expect(spoke(line("deny", { agent: "areviewer-0123456789abcdef" }))).toEqual({
    team: "t",
    name: "reviewer",
  });
  expect(spoke(line("deny", { agent: "a0123" }))).toEqual({ team: "t", name: "bob" });
  expect(spoke(line("task-created", { event: "command", agent: "amy", list: "u" }))).toEqual({
    team: "u",
    name: "amy",
  });
  expect(spoke(line("pruned", { event: "command" }))).toEqual({ team: "t", name: "bob" });
  expect(spoke(line("conflict-forecast", { event: "command", agent: "areviewer-0123456789abcdef" }))).toEqual(
    {
      team: "t",
      name: "reviewer",
    },
  );
  expect(spoke(line("deleted", { event: "doctor", session: "", agent: "person" }))).toEqual({
    name: "person",
  });
  expect(spoke(line("mail-overflow", { event: "store", session: "", agent: "amy", team: "t" }))).toEqual({
    team: "t",
    name: "amy",
  });
  expect(spoke(line("member-ended", { agent: "amy" }))).toEqual({ team: "t", name: "amy" });
  expect(spoke(line("member-crashed", { team: "t", name: "carl" }))).toEqual({ team: "t", name: "carl" });
  expect(spoke(line("deny", { session: "s-9" }))).toEqual({ team: undefined, name: undefined });
  const own = { feature: "sessions", team: "session-0123abcd" };
  const idle = line("teammate-idle", { ...own, event: "TeammateIdle", name: "alice" });
  const done = line("task-completed", { ...own, event: "TaskCompleted", task: "1", name: "alice" });
  const shared = castOf([], [line("session-start", { ...own, name: "team-lead" }), idle, done]);
  expect([idle, done, line("deny")].map((one) => speakerOf(one, shared).name)).toEqual([
    ...["alice", "alice", "team-lead"],
  ]);
  expect(speakerOf(line("deny"), castOf([], [idle])).name).toBe("alice");
  expect(isSubagent(line("state", { agent: "a0123" }))).toBe(true);
  expect(isSubagent(line("state", { agent: "areviewer-0123456789abcdef" }))).toBe(false);
});

test.each([
  [{ team: "t", name: "bob" }, "t", "bob"],
  [{ team: "t", name: "bob" }, undefined, "bob@t"],
  [{}, undefined, "0123abcd"],
])("%j (only team: %j) is called %s", (speaker, only, label) =>
  expect(labelOf(speaker, "0123abcd-ef", only)).toBe(label),
);

test.each([
  [undefined, ""],
  [null, ""],
  [7, "7"],
  ["a\nb", "a b"],
  ["x".repeat(90), `${"x".repeat(79)}…`],
])("%j on one line of eighty: %j", (value, text) => expect(shortLine(value, 80)).toBe(text));
