// Black box: the built scripts, as the client runs them.
import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { agent, aProject, TOML, withNativeTeam } from "../support/a-spawn.ts";
import { payload, runHook, runSwarm } from "../support/run-built.ts";

const call = (input: object, more: object = {}) => ({
  ...payload("PreToolUse-Agent"),
  session_id: "s-1",
  tool_input: input,
  ...more,
});

test("a denial is exit code 2, the text on stderr, and the reason in the reply", () => {
  const home = aProject({ toml: TOML });
  const ran = runHook(home, "pre-tool-use", call(agent("scrum-master"), { cwd: home.project }));
  expect(ran.exitCode).toBe(2);
  expect(ran.stderr).toMatch(/^BLOCKED: 'scrum-master' is an orchestrator and must be a named teammate\.\n/);
  expect(ran.reply.hookSpecificOutput).toMatchObject({
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason: ran.stderr,
  });
});

test("a spawn that is fine is silent, and both scripts together keep the ledger", () => {
  const home = aProject({});
  const asked = call(agent("reviewer"), { cwd: home.project });
  expect(runHook(home, "pre-tool-use", asked)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  const done = { ...payload("PostToolUse-Agent-async_launched"), session_id: "s-1", cwd: home.project };
  runHook(home, "post-tool-use", { ...done, tool_use_id: asked.tool_use_id });
  expect(home.lines(".claude/swarm/spawns/s-1.jsonl")).toMatchObject([
    { what: "asked", type: "reviewer", depth: 1, by: "main" },
    { what: "answered", fate: "background", agentId: "a95f77ee05c1252a2", model: "claude-opus-5-5" },
  ]);
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"tool_name":7}',
  '{"tool_name":"Agent","tool_input":"x"}',
  '{"tool_name":"Task"}',
])("stdin %j: nothing is blocked, exit 0", (stdin) => {
  const ran = runHook(aProject({ toml: TOML }), "pre-tool-use", stdin);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  expect(ran.stdout).not.toContain("permissionDecision");
});

test("planted symlinks change neither the verdict nor what they point to", () => {
  const home = aProject({ toml: TOML });
  home.write("victim", "precious");
  symlinkSync(home.path("victim"), home.path("tmp/gate-agent-spawns-debug.jsonl"));
  symlinkSync(home.path("victim"), home.path("tmp/atm-session-id"));
  expect(runHook(home, "pre-tool-use", call(agent("scrum-master"), { cwd: home.project })).exitCode).toBe(2);
  expect(home.read("victim")).toBe("precious");
  expect(home.lines(".claude/swarm/errors.jsonl")[0]).toMatchObject({ feature: "spawn-gate" });
});

test("a named spawn beyond the cap is a question to the person", () => {
  const home = aProject({ person: "[gate]\nmax_teammates = 2" });
  const { leadSessionId: session_id } = withNativeTeam(home, "inprocess");
  const asked = call(agent("x", "carl"), { session_id, cwd: home.project });
  const { reply, exitCode } = runHook(home, "pre-tool-use", asked);
  expect(exitCode).toBe(0);
  expect(reply.hookSpecificOutput).toMatchObject({ permissionDecision: "ask" });
  expect(runSwarm(home, ["explain", "last"]).stdout).toContain("gate.max_teammates");
});
