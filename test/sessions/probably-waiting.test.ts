import { expect, test } from "vitest";
import { isProbablyWaiting } from "../../lib/sessions/store/sessions.ts";

const NOW = new Date("2026-02-20T12:00:00Z");
const began = (name: string, secondsAgo: number, permission = "default", state = "tool_active") => ({
  session: "s",
  state,
  status: "working",
  startedAt: "",
  lastSeen: "",
  tool: { name, since: new Date(NOW.getTime() - secondsAgo * 1000).toISOString(), permission },
});

test.each([
  ["an edit that never ended", began("Edit", 30), true],
  ["an edit that has just begun", began("Edit", 5), false],
  ["a command that takes its time", began("Bash", 100), false],
  ["a command that never ended", began("Bash", 600), true],
  ["nobody is asked in this mode", began("Edit", 600, "bypassPermissions"), false],
  ["a subagent takes as long as it takes", began("Agent", 6_000), false],
  ["the tool is over", began("Edit", 600, "default", "active"), false],
  ["no tool", { ...began("Edit", 600), tool: undefined }, false],
])("%s: %s", (_, record, expected) => expect(isProbablyWaiting(record, NOW)).toBe(expected));
