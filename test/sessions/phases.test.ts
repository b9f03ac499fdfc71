// The coarse state that a timeline shows, and when it is written down.
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { type Phase, phaseOf } from "../../lib/sessions/store/sessions.ts";
import { aContext } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";

test.each<[string, string, Phase]>([
  ["active", "done", "idle"],
  ["active", "working", "working"],
  ["tool_active", "working", "working"],
  ["active", "error", "working"],
  ["tool_active", "attention", "waiting"],
  ["idle", "attention", "idle"],
  ["idle", "done", "idle"],
  ["idle", "error", "failed"],
  ["ended", "done", "ended"],
])("%s and %s is %s", (state, status, phase) => expect(phaseOf({ state, status })).toBe(phase));

test("a turn leaves a line when it begins and one when it ends, however many tools it used", () => {
  const home = aHome();
  const tool = { tool_name: "Read", tool_input: {}, tool_use_id: "t" };
  const notes = [
    sessions.userPromptSubmit(aContext(home, events.UserPromptSubmit, { prompt: "go" })),
    sessions.preToolUse(aContext(home, events.PreToolUse, tool)),
    sessions.postToolUse(aContext(home, events.PostToolUse, { ...tool, tool_response: {} })),
    sessions.preToolUse(aContext(home, events.PreToolUse, tool)),
    sessions.postToolUseFailure(aContext(home, events.PostToolUseFailure, { ...tool, error: "x" })),
    sessions.preToolUse(aContext(home, events.PreToolUse, tool)),
    sessions.stop(aContext(home, events.Stop, {})),
  ].flatMap((outcome) => outcome?.journal ?? []);
  expect(notes.map(({ what, state }) => [what, state])).toEqual([
    ["state", "working"],
    ["state", "idle"],
  ]);
});
