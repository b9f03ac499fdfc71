import { expect, test } from "vitest";
import { LONGEST_TEXT } from "../../lib/hook/fit.ts";
import type { NamedOutcome, Outcome } from "../../lib/hook/outcome.ts";
import { encode } from "../../lib/hook/wire.ts";

const say = (event: string, ...outcomes: Outcome[]) =>
  encode(
    event,
    outcomes.map((one, n): NamedOutcome => ({ ...one, feature: `f${n}` })),
  );
const body = (event: string, ...outcomes: Outcome[]) => {
  const { stdout } = say(event, ...outcomes);
  return stdout === "" ? undefined : JSON.parse(stdout);
};

test("nothing to say is silence", () => expect(say("Stop")).toEqual({ stdout: "", stderr: "", exitCode: 0 }));

test.each([
  [
    "PreToolUse",
    {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "no",
      },
    },
  ],
  [
    "PermissionRequest",
    {
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "deny", message: "no" },
      },
    },
  ],
  ["UserPromptSubmit", { decision: "block", reason: "no" }],
  ["PostToolUse", { decision: "block", reason: "no" }],
  ["Stop", { decision: "block", reason: "no" }],
  ["SubagentStop", { decision: "block", reason: "no" }],
  ["TeammateIdle", { decision: "block", reason: "no" }],
  ["TaskCreated", { decision: "block", reason: "no" }],
  ["TaskCompleted", { decision: "block", reason: "no" }],
  ["PreCompact", { decision: "block", reason: "no" }],
  ["ConfigChange", { decision: "block", reason: "no" }],
])("%s is denied in its own words", (event, expected) =>
  expect(body(event, { deny: "no" })).toEqual(expected),
);

test.each(["SessionStart", "SessionEnd", "Notification", "StopFailure", "PostCompact", "SubagentStart"])(
  "%s cannot hold anything back, so a denial says nothing",
  (event) => expect(body(event, { deny: "no" })).toBeUndefined(),
);

test.each([
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "SubagentStart",
  "SubagentStop",
  "Stop",
])("%s takes context", (event) =>
  expect(body(event, { context: "fact" })).toEqual({
    hookSpecificOutput: { hookEventName: event, additionalContext: "fact" },
  }),
);

test.each(["Notification", "PreCompact", "PostCompact", "SessionEnd", "TeammateIdle", "PermissionRequest"])(
  "%s takes no context",
  (event) => expect(body(event, { context: "fact" })).toBeUndefined(),
);

test("a denial and a fact travel together", () =>
  expect(body("PreToolUse", { context: "fact" }, { deny: "no" })).toEqual({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: "no",
      additionalContext: "fact",
    },
  }));

test("a loud denial speaks three ways at once", () => {
  const reply = say("PreToolUse", { deny: "no", loud: true });
  expect(reply).toMatchObject({ exitCode: 2, stderr: "no" });
  expect(JSON.parse(reply.stdout).hookSpecificOutput.permissionDecision).toBe("deny");
});

test("a question is left to the person, but never beats a denial", () => {
  expect(body("PreToolUse", { ask: "sure?" }).hookSpecificOutput.permissionDecision).toBe("ask");
  expect(body("PreToolUse", { ask: "sure?" }, { deny: "no" }).hookSpecificOutput.permissionDecision).toBe(
    "deny",
  );
  expect(body("Stop", { ask: "sure?" })).toBeUndefined();
});

test("never allow: silence leaves the client's own rules in force", () =>
  expect(JSON.stringify(body("PreToolUse", { context: "x", notice: "y" }))).not.toContain("allow"));

test("a session start names the files to watch", () =>
  expect(body("SessionStart", { watch: ["/a"] }, { watch: ["/b"] }).hookSpecificOutput.watchPaths).toEqual([
    "/a",
    "/b",
  ]));

test("only a session start watches", () => expect(body("Stop", { watch: ["/a"] })).toBeUndefined());

test("waking is exit code 2 with the text on stderr, nothing on stdout", () =>
  expect(say("FileChanged", { wake: "mail" })).toEqual({ stdout: "", stderr: "mail", exitCode: 2 }));

test("the last rewrite of a tool's input counts, unless the call is denied", () => {
  expect(
    body("PreToolUse", { updatedInput: { a: 1 } }, { updatedInput: { a: 2 } }).hookSpecificOutput
      .updatedInput,
  ).toEqual({ a: 2 });
  expect(
    body("PreToolUse", { updatedInput: { a: 1 } }, { deny: "no" }).hookSpecificOutput.updatedInput,
  ).toBeUndefined();
});

test("notices are for the person", () =>
  expect(body("SessionStart", { notice: "one" }, { notice: "two" })).toEqual({ systemMessage: "one\ntwo" }));

test("no string of ours is ever cut by the client", () => {
  const long = "x".repeat(20_000);
  const texts = [
    body("PreToolUse", { deny: long }).hookSpecificOutput.permissionDecisionReason,
    body("SessionStart", { context: long }).hookSpecificOutput.additionalContext,
    body("SessionStart", { notice: long }).systemMessage,
    say("FileChanged", { wake: long }).stderr,
    say("PreToolUse", { deny: long, loud: true }).stderr,
  ];
  for (const text of texts) expect(text.length).toBeLessThanOrEqual(LONGEST_TEXT);
});
