import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aTask, aTeam, member } from "../support/a-task.ts";
import { payload, runHook } from "../support/run-built.ts";

const BOB = { env: member("bob") };

function aTeamOf(...tasks: ReturnType<typeof aTask>[]): Home {
  const home = aHome();
  aTeam(home, ["team-lead", "bob", "amy"], tasks);
  return home;
}

test("the built script denies a forbidden TaskUpdate with the right way in it", () => {
  const home = aTeamOf(aTask("1"));
  const input = { ...payload("PreToolUse-TaskUpdate-completed"), cwd: home.project };
  const { exitCode, reply } = runHook(home, "pre-tool-use", input, BOB);
  expect(exitCode).toBe(0);
  expect(reply.hookSpecificOutput).toMatchObject({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("Set it to in_progress first."),
  });
  const journal = home.lines(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`);
  expect(journal).toContainEqual(
    expect.objectContaining({ feature: "tasks", what: "deny", tool: "TaskUpdate" }),
  );
});

test("a completion is announced once, by the built script", () => {
  const home = aTeamOf(aTask("1", { status: "completed", owner: "bob", subject: "Parser" }));
  const input = { ...payload("PostToolUse-TaskUpdate-completed"), cwd: home.project };
  expect(runHook(home, "post-tool-use", input, BOB)).toMatchObject({ exitCode: 0, stdout: "" });
  const inbox = home.json(".claude/teams/dev/inboxes/team-lead.json");
  expect(inbox.map((message: { text: string }) => message.text)).toEqual(["bob completed task #1: Parser"]);
});

test("a failed check blocks the completion", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[tasks]\nverify = "echo no; exit 1"');
  const input = { ...payload("TaskCompleted"), cwd: home.project };
  expect(runHook(home, "task-completed", input).reply).toEqual({
    decision: "block",
    reason: expect.stringContaining("The end of its output:\nno"),
  });
});

test.each([
  ["stop", {}],
  ["subagent-stop", { agent_id: "abob-0123456789abcdef", agent_type: "bob" }],
])("%s holds back once an agent that walks off", (script, input) => {
  const home = aTeamOf(aTask("5", { owner: "bob", status: "in_progress" }));
  const env = script === "stop" ? member("bob") : member("team-lead");
  expect(runHook(home, script, input, { env }).reply).toMatchObject({
    decision: "block",
    reason: expect.stringContaining("- Task #5: task 5"),
  });
  expect(runHook(home, script, input, { env }).reply).toBeUndefined();
});

test.each([
  ["a directory", "mkdir"],
  ["garbage", "{"],
  ["an empty file", ""],
  ["a list", "[]"],
])("%s in the place of a task stops nobody", (_, content) => {
  const home = aTeamOf();
  if (content === "mkdir") home.write(".claude/tasks/dev/1.json/x", "");
  else home.write(".claude/tasks/dev/1.json", content);
  const update = { ...payload("PreToolUse-TaskUpdate-completed"), cwd: home.project };
  expect(runHook(home, "pre-tool-use", update, BOB)).toMatchObject({ exitCode: 0, reply: undefined });
  expect(runHook(home, "stop", {}, BOB)).toMatchObject({ exitCode: 0, reply: undefined });
});
