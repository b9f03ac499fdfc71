import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as budget from "../../lib/context/hooks.ts";
import { readWindowReading, writeWindowReading } from "../../lib/context/store/window.ts";
import { takeProblems } from "../../lib/core/process.ts";
import {
  PostToolUse,
  PreCompact,
  PreToolUse,
  SessionStart,
  Stop,
  UserPromptSubmit,
} from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";

const WINDOW = 200_000;
const firstLine = (outcome: Outcome | undefined | void) => {
  const context = outcome?.context;
  return (typeof context === "string" ? context : context?.text)?.split("\n")[0];
};
const line = (tokens: number, more: object = {}) =>
  `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: tokens } }, ...more })}\n`;

function aFilling(window: number | undefined = WINDOW) {
  const home = aHome();
  if (window) home.write(".claude/swarm/settings.toml", `[context]\nwindow = ${window}`);
  return home;
}
const transcript = (home: Home) => home.path("t/s-1.jsonl");
const fill = (home: Home, percent: number) => home.write("t/s-1.jsonl", line((percent / 100) * WINDOW));
const prompt = (home: Home, given = {}) =>
  budget.userPromptSubmit(aContext(home, UserPromptSubmit, { transcript_path: transcript(home) }, given));
const afterTool = (home: Home, input = {}) =>
  budget.postToolUse(aContext(home, PostToolUse, { transcript_path: transcript(home), ...input }));
const beforeTool = (home: Home, input = {}) =>
  budget.preToolUse(aContext(home, PreToolUse, { transcript_path: transcript(home), ...input }));
/** One call ends, the next begins. */
const tool = (home: Home) => {
  expect(afterTool(home)).toBeUndefined();
  return beforeTool(home);
};
const stop = (home: Home, input = {}, given = {}) =>
  budget.stop(aContext(home, Stop, { transcript_path: transcript(home), ...input }, given));

test("each level is said once, at whatever moment meets it first", () => {
  const home = aFilling();
  fill(home, 59);
  expect([prompt(home), tool(home), stop(home)]).toEqual([undefined, undefined, undefined]);
  fill(home, 61);
  expect(firstLine(prompt(home))).toBe(
    "[CLAUDE OS SYS: INFO]: Context at 60% - Consider writing reset notes soon",
  );
  expect([prompt(home), tool(home), stop(home)]).toEqual([undefined, undefined, undefined]);
  fill(home, 83);
  expect(firstLine(stop(home))).toBe("[CLAUDE OS SYS: WARNING]: Context at 80%");
  fill(home, 91);
  expect(firstLine(tool(home))).toBe("[CLAUDE OS SYS: WARNING]: Context at 90% - URGENT");
  fill(home, 97);
  expect(firstLine(stop(home))).toBe("[CLAUDE OS SYS: WARNING]: Context at 95% - CRITICAL");
  expect([prompt(home), tool(home), stop(home)]).toEqual([undefined, undefined, undefined]);
});

test("what runs beside the turn says nothing: the next call does, or the stop if there is none", () => {
  const home = aFilling();
  const due = ".claude/swarm/context/s-1/due";
  fill(home, 59);
  expect([afterTool(home), home.has(due)]).toEqual([undefined, false]);
  fill(home, 61);
  expect([afterTool(home), home.has(due)]).toEqual([undefined, true]);
  expect(firstLine(beforeTool(home))).toContain("Context at 60%");
  expect([beforeTool(home), home.has(due)]).toEqual([undefined, false]);
  fill(home, 83);
  expect(beforeTool(home)).toBeUndefined();
  afterTool(home);
  expect(firstLine(stop(home))).toBe("[CLAUDE OS SYS: WARNING]: Context at 80%");
  expect([beforeTool(home), home.has(due)]).toEqual([undefined, false]);
});

test("a compaction starts it anew", () => {
  const home = aFilling();
  fill(home, 85);
  expect(prompt(home)).toBeDefined();
  budget.sessionStart(aContext(home, SessionStart, { source: "compact" }));
  fill(home, 62);
  expect(firstLine(prompt(home))).toContain("Context at 60%");
});

test("so does a fall that only a compaction explains", () => {
  const home = aFilling();
  fill(home, 85);
  expect(prompt(home)).toBeDefined();
  fill(home, 10);
  expect(prompt(home)).toBeUndefined();
  fill(home, 81);
  expect(firstLine(prompt(home))).toContain("Context at 80%");
});

test("a turn that already continues because of a stop hook is left alone", () => {
  const home = aFilling();
  fill(home, 85);
  expect(stop(home, { stop_hook_active: true })).toBeUndefined();
  expect(stop(home)).toBeDefined();
});

test("a stop waits a moment for the answer it is about", () => {
  const home = aFilling();
  fill(home, 10);
  let looks = 0;
  onFileCalls((name, [path]) => {
    // The first look finds a use, the second not yet the answer.
    if (name !== "openSync" || path !== transcript(home) || ++looks !== 3) return;
    appendFileSync(transcript(home), line(0.85 * WINDOW, { text: "The last words." }));
  });
  const warning = stop(home, { last_assistant_message: "The last words." });
  expect(firstLine(warning)).toContain("Context at 80%");
});

test("in background mode it comes ten points earlier, and the first stop is asked to ping", () => {
  const home = aFilling();
  const env = { CLAUDE_SESSION_MODE: "background" };
  fill(home, 52);
  const first = stop(home, {}, { env });
  expect(first?.deny?.split("\n")[0]).toBe("[CLAUDE OS SYS: INFO]: Reminder - Ping before ending");
  expect(firstLine(first)).toBe("[CLAUDE OS SYS: INFO]: Memory check (50% context used)");
  expect(stop(home, {}, { env })).toBeUndefined();
});

test("the ping needs no known window, and no other mode has it", () => {
  const home = aFilling(0);
  expect(stop(home, {}, { env: { CLAUDE_SESSION_MODE: "mission" } })).toBeUndefined();
  expect(stop(home)).toBeUndefined();
  expect(stop(home, {}, { env: { CLAUDE_SESSION_MODE: "background" } })?.deny).toContain(
    "Ping before ending",
  );
});

test("an unknown window says nothing", () => {
  const home = aFilling(0);
  fill(home, 97);
  expect(prompt(home)).toBeUndefined();
});

test("the window: the status line first, then the setting, and never one smaller than what is used", () => {
  const home = aFilling(100_000);
  fill(home, 61);
  expect(prompt(home)).toBeUndefined();
  writeWindowReading(home.paths, "s-1", { window: WINDOW, at: "now" });
  expect(readWindowReading(home.paths, "s-1")?.window).toBe(WINDOW);
  expect(firstLine(prompt(home))).toContain("Context at 60%");
});

test("where the person set the client to compact is a window too", () => {
  const home = aFilling(0);
  fill(home, 61);
  const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200000" };
  expect(firstLine(prompt(home, { env }))).toContain("Context at 60%");
});

test("where the client compacted by itself is one for the time after", () => {
  const home = aFilling(0);
  fill(home, 80);
  const compact = (trigger: string) =>
    budget.preCompact(aContext(home, PreCompact, { trigger, transcript_path: transcript(home) }));
  compact("manual");
  fill(home, 66);
  expect(prompt(home)).toBeUndefined();
  fill(home, 80);
  compact("auto");
  fill(home, 66);
  expect(firstLine(prompt(home))).toContain("Context at 80%");
});

const ALICE = { agent_id: "aalice-0123456789abcdef", agent_type: "alice" };

test("a teammate inside the session is measured by its own transcript, a subagent not at all", () => {
  const home = aFilling();
  fill(home, 10);
  const own = (id: string) =>
    home.write(`t/s-1/subagents/agent-${id}.jsonl`, line(0.85 * WINDOW, { isSidechain: true }));
  own(ALICE.agent_id);
  own("a0123456789abcdef");
  expect(afterTool(home, ALICE)).toBeUndefined();
  expect(home.has(".claude/swarm/context/s-1/due")).toBe(false);
  expect(firstLine(beforeTool(home, ALICE))).toContain("Context at 80%");
  expect(beforeTool(home, ALICE)).toBeUndefined();
  expect(beforeTool(home, { agent_id: "a0123456789abcdef", agent_type: "writer" })).toBeUndefined();
  expect([beforeTool(home), afterTool(home)]).toEqual([undefined, undefined]);
});

test("the lead is notified once at 80 and once at 95", () => {
  const home = aFilling();
  home.write(".claude/teams/t/config.json", { name: "t", members: [{ name: "team-lead" }, { name: "bob" }] });
  const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
  for (const percent of [61, 82, 84, 91, 96, 97]) {
    fill(home, percent);
    prompt(home, { env });
  }
  const notes = home
    .json(".claude/teams/t/inboxes/team-lead.json")
    .map((note: any) => [note.from, note.text]);
  expect(notes).toEqual([
    ["bob", expect.stringContaining("bob has used 82 %")],
    ["bob", expect.stringContaining("bob has used 96 %")],
  ]);
});

test("a lead whose mailbox takes no mail costs the agent no warning", () => {
  const home = aFilling();
  home.write(".claude/teams/t/config.json", { name: "t", members: [{ name: "team-lead" }, { name: "bob" }] });
  home.write(".claude/teams/t/inboxes", "a file in the mailboxes' place");
  fill(home, 82);
  const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
  expect(firstLine(prompt(home, { env }))).toContain("Context at 80%");
  expect(takeProblems()).toEqual([expect.stringContaining("the lead could not be notified")]);
});

test("nobody tells a lead about itself", () => {
  const home = aFilling();
  home.write(".claude/teams/t/config.json", { name: "t", members: [{ name: "team-lead" }] });
  fill(home, 97);
  prompt(home, { env: { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "team-lead" } });
  expect(home.has(".claude/teams/t/inboxes")).toBe(false);
});

/** A fresh home: no status line, no setting; the newest answer names its model. */
const answered = (home: Home, tokens: number, model: string) =>
  home.write("t/s-1.jsonl", line(tokens, { message: { usage: { input_tokens: tokens }, model } }));

test.each([
  ["claude-sonnet-4-5-20250929", 190_000, "Context at 95% - CRITICAL", "190k of 200k tokens"],
  ["us.anthropic.claude-opus-4-5-20251101-v1:0", 165_000, "Context at 80% - Write", "165k of 200k tokens"],
  ["claude-sonnet-4-6", 950_000, "Context at 95% - CRITICAL", "950k of 1000k tokens"],
  ["claude-opus-5-5", 610_000, "Context at 60% - Consider", "610k of 1000k tokens"],
])("without a status line the model tells the window: %s with %i tokens", (model, tokens, words, figures) => {
  const home = aFilling(0);
  answered(home, tokens, model);
  expect((prompt(home)?.context as { text: string } | undefined)?.text).toMatch(
    new RegExp(`${words}[\\s\\S]*${figures}`),
  );
});

test("a model that is not known gives no warning, the large window of a session is its own", () => {
  const home = aFilling(0);
  answered(home, 190_000, "another-model");
  expect(prompt(home)).toBeUndefined();
  home.write(".claude/swarm/sessions/s-1/session.json", {
    ...{ session: "s-1", state: "active", status: "working", startedAt: "", lastSeen: "" },
    model: "claude-sonnet-4-6[1m]",
  });
  answered(home, 190_000, "claude-sonnet-4-6");
  expect(prompt(home)).toBeUndefined();
});
