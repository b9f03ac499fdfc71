import { expect, test } from "vitest";
import { segment, teamPath, whyNotSegment } from "../../lib/core/paths.ts";
import { sessionPath } from "../../lib/sessions/store/sessions.ts";

const paths = { home: "/h", base: "/h/.claude", atmHome: "/h", tmp: "/tmp" };

test.each([
  ["a uuid", "23551503-3d66-475c-acf2-dfa34f9d68b5"],
  ["a teammate", "doc-reviewer"],
  ["a native team", "session-9563eb94"],
  ["an in-process agent id", "abob-44ab4e64ebc98d30"],
  ["letters beyond ASCII", "prüferin"],
  ["a dot inside", "v1.2"],
  ["a space inside", "my team"],
])("%s can become a path", (_, name) => expect(segment(name)).toBe(name));

test.each([
  ["nothing", ""],
  ["the parent", ".."],
  ["itself", "."],
  ["a separator", "a/b"],
  ["a climb", "../../etc/passwd"],
  ["a backslash", "a\\b"],
  ["a drive", "c:x"],
  ["a NUL", "a\0b"],
  ["a newline", "a\nb"],
  ["an escape sequence", "a\u001b[31m"],
  ["a direction override", "a\u202eb"],
  ["a zero-width space", "a\u200bb"],
  ["a hidden file", ".lock"],
  ["an option", "-rf"],
  ["a trailing dot", "a."],
  ["a trailing space", "a "],
  ["a device", "NUL"],
  ["a device with an ending", "com1.json"],
  ["a wildcard", "a*"],
  ["101 bytes", "x".repeat(101)],
  ["26 emoji, which are 104 bytes", "🙂".repeat(26)],
  ["no text at all", 7],
])("%s is refused", (_, name) => {
  expect(whyNotSegment(name)).toBeTypeOf("string");
  expect(() => segment(name as string)).toThrow(/the name/);
});

test("paths are made only of names that passed", () => {
  expect(sessionPath(paths, "s-1")).toBe("/h/.claude/swarm/sessions/s-1/session.json");
  expect(teamPath(paths, "team", "inboxes", "alice.json")).toBe("/h/.claude/teams/team/inboxes/alice.json");
  expect(() => teamPath(paths, "../x", "inboxes")).toThrow();
  expect(() => sessionPath(paths, "../../x")).toThrow();
});
