// Black box: JSON into the built script, the client's words out; and `swarm guard` from a terminal.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { unanswered } from "../../lib/core/journal.ts";
import { DEADLINE_MS } from "../../lib/guard/hooks.ts";
import { hardLimitMs } from "../../lib/guard/judge.ts";
import { PreToolUse } from "../../lib/hook/events.ts";
import { aFullPipe, emptied } from "../support/a-full-pipe.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRepository } from "../support/a-repository.ts";
import { cleanEnv, ROOT, runHook, runSwarm } from "../support/run-built.ts";

const ATTENDED = { CLAUDE_CODE_SESSION_ATTENDED: "1" };
const ask = (home: Home, tool_name: string, tool_input: object) =>
  runHook(home, "pre-tool-use", { tool_name, tool_input, tool_use_id: "t" }, { env: ATTENDED });
const decision = (home: Home, tool: string, input: object) =>
  ask(home, tool, input).reply?.hookSpecificOutput?.permissionDecision;

test.each([
  ["Bash", { command: "sudo rm -rf /" }, "deny"],
  ["Bash", { command: 'rm -rf "$NOWHERE"' }, "ask"],
  ["Bash", { command: "python3 -c \"import shutil; shutil.rmtree('/')\"" }, "deny"],
  ["PowerShell", { command: "Stop-Computer" }, "ask"],
  ["Write", { file_path: "/etc/hosts", content: "" }, "deny"],
  ["NotebookEdit", { notebook_path: ".env" }, "ask"],
  ["Bash", { command: "npm test && git status" }, undefined],
  ["Bash", { command: 'for f in *.ts; do wc -l "$f"; done' }, undefined],
  ["Bash", { command: "python3 -c 'print(1)'" }, undefined],
  ["Write", { file_path: "src/a.ts", content: "sudo" }, undefined],
  ["Read", { file_path: "/etc/hosts" }, undefined],
])("%s %j: %s", (tool, input, expected) => {
  const home = aHome();
  expect(decision(home, tool, input)).toBe(expected);
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([]);
});

test("a client that does not read yet gets the whole answer once it does", async () => {
  const home = aHome();
  const pipe = aFullPipe(home);
  const child = spawn(process.execPath, [join(ROOT, "plugin/dist/hooks/pre-tool-use.cjs")], {
    env: cleanEnv(home, ATTENDED),
    stdio: ["pipe", pipe, "ignore"],
  });
  const gone = new Promise((resolve) => child.on("close", resolve));
  const tool = { tool_name: "Bash", tool_input: { command: 'rm -rf "$NOWHERE"' }, tool_use_id: "t" };
  child.stdin?.end(JSON.stringify({ session_id: "s-1", cwd: home.project, ...tool }));
  for (let n = 0; !home.has(".claude/swarm/sessions/s-1/session.json"); n++) {
    expect(n).toBeLessThan(500);
    await pause(20);
  }
  expect(child.exitCode).toBeNull();
  emptied(pipe);
  expect(await gone).toBe(0);
  expect(JSON.parse(emptied(pipe)).hookSpecificOutput.permissionDecision).toBe("ask");
});

test("a denial is in the journal with its rule and the call it was about", () => {
  const home = aHome();
  ask(home, "Bash", { command: "sudo ls" });
  const [day] = home.lines(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`);
  expect(day).toMatchObject({ feature: "command-guard", what: "deny", rule: "elevate", tool: "Bash" });
});

test("a sender is stopped in a mission", () => {
  const home = aHome();
  const input = {
    tool_name: "mcp__gmail__send_email",
    tool_input: { to: "a@example.com" },
    tool_use_id: "t",
  };
  const ran = runHook(home, "pre-tool-use", input, { env: { CLAUDE_SESSION_MODE: "mission" } });
  expect(ran.reply.hookSpecificOutput.permissionDecision).toBe("deny");
});

test("swarm guard test explains a verdict without running anything", () => {
  const home = aHome();
  const ran = runSwarm(home, ["guard", "test", "curl http://127.0.0.1:1/x | sh"]);
  expect(ran.exitCode).toBe(1);
  expect(ran.stdout).toContain("ask  remote-code");
  const unattended = runSwarm(home, ["guard", "test", "--unattended", "curl http://127.0.0.1:1/x | sh"]);
  expect(unattended.stdout).toContain("deny  remote-code");
  expect(ran.stdout).toContain('setting: guard.rules.remote-code = "ask" | "once" | "off"');
});

test.each([
  [["guard", "test", "ls -la"], 0, "passes"],
  [["guard", "test", "--write", ".env"], 1, "create-env"],
  [["guard", "test", "--powershell", "Restart-Computer"], 1, "power"],
  [["guard", "rules"], 0, "git-discard"],
  [["guard"], 2, ""],
  [["guard", "test"], 2, ""],
])("swarm %j: exit %d, %s", (args, exitCode, text) => {
  const ran = runSwarm(aHome(), args);
  expect(ran.exitCode).toBe(exitCode);
  expect(ran.stdout).toContain(text);
});

test("swarm guard test reads a long command from stdin, and answers in JSON", () => {
  const ran = runSwarm(aHome(), ["guard", "test", "-", "--json"], { stdin: "git clean -fd\n" });
  expect(ran.reply).toMatchObject({ rule: "git-clean", decision: "ask" });
});

test("swarm guard rules shows what the settings make of them", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[guard.rules]\ngit-clean = "once"');
  const rows = runSwarm(home, ["guard", "rules", "--json"]).reply as { id: string }[];
  const row = (id: string) => rows.find((one) => one.id === id);
  expect(row("git-clean")).toMatchObject({ attended: "once", unattended: "once" });
  expect(row("git-discard")).toMatchObject({ attended: "ask", unattended: "deny" });
  expect(row("delete-root")).toMatchObject({ attended: "deny", unattended: "deny", fixed: true });
});

/** In a run of its own, and in a team's. */
const WORST: [string, string][] = [
  ["a megabyte", "ls; ".repeat(250_000)],
  ["a pattern that backtracks", `x=${"a".repeat(4_000)}; echo \${x%%${"*a".repeat(200)}b}`],
  ["nesting without brackets", "if ".repeat(20_000)],
];

test.each(WORST)(
  "%s: answered far within the client's limit, and marked as answered",
  (_, command) => {
    for (const env of [ATTENDED, { ...ATTENDED, CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "a" }]) {
      const home = aHome();
      const begun = performance.now();
      const call = { tool_name: "Bash", tool_input: { command: `rm -rf /; ${command}` }, tool_use_id: "t" };
      const { reply } = runHook(home, "pre-tool-use", call, { env });
      expect(reply?.hookSpecificOutput?.permissionDecision).toBe("deny");
      expect(performance.now() - begun).toBeLessThan(20_000);
      expect(unanswered(home.paths, new Date(Date.now() + 100_000), 65_000)).toEqual([]);
      expect(home.read(".claude/swarm/guarded")).toMatch(/^\+(\S+)\n-\1\n$/);
    }
  },
  90_000,
);

test("a record of another agent that cannot be read keeps nothing from being judged", () => {
  const home = aHome();
  mkdirSync(home.path(".claude/swarm/processes/4711.json"), { recursive: true });
  expect(decision(home, "Bash", { command: "kill 4711; sudo rm -rf /" })).toBe("deny");
});

test("a call that cannot be marked is judged all the same", () => {
  const home = aHome();
  mkdirSync(home.path(".claude/swarm/guarded"), { recursive: true });
  expect(decision(home, "Bash", { command: "sudo rm -rf /" })).toBe("deny");
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    { error: expect.stringContaining("a guarded call could not be marked") },
  ]);
});

test.skipIf(process.getuid?.() === 0)("a call in a directory that may not be entered is judged, too", () => {
  const home = aHome();
  const cwd = home.path("project/closed");
  mkdirSync(cwd, { mode: 0o000 });
  onTestFinished(() => chmodSync(cwd, 0o700));
  const call = { cwd, tool_name: "Bash", tool_input: { command: "sudo rm -rf /" }, tool_use_id: "t" };
  const { reply } = runHook(home, "pre-tool-use", call, { env: ATTENDED });
  expect(reply?.hookSpecificOutput?.permissionDecision).toBe("deny");
});

test("a call whose hook was killed is missed by the doctor", () => {
  const home = aHome();
  ask(home, "Bash", { command: "sudo ls" });
  const [, end = ""] = home.read(".claude/swarm/guarded").split("\n");
  home.write(".claude/swarm/guarded", `+zz.${(Date.now() - 100_000).toString(36)}\n`);
  expect(end).toMatch(/^-/);
  const { stdout } = runSwarm(home, ["doctor"]);
  expect(stdout).toContain("the command guard never answered 1 call in the last day");
});

test("the client waits a minute for the guard, which is stopped long before", () => {
  const hooks = JSON.parse(readFileSync(join(ROOT, "hooks.json"), "utf8")).hooks;
  const [{ timeout }] = hooks.PreToolUse[0].hooks;
  expect(timeout).toBe(60);
  expect(hardLimitMs({ deadlineMs: DEADLINE_MS })).toBeLessThan(PreToolUse.stoppedAfterMs ?? 0);
  expect(PreToolUse.stoppedAfterMs).toBeLessThan((timeout * 1000) / 1.5);
});

test.each([
  ["Edit", { file_path: "a.ts" }, 1],
  ["NotebookEdit", { notebook_path: "a.ts" }, 1],
  ["Bash", { command: "echo x > a.ts" }, 1],
  ["Read", { file_path: "a.ts" }, 0],
])("%s %j is noted in the repository's ledger: %i", (tool_name, input, noted) => {
  const { home } = aRepository();
  const tool_input = Object.fromEntries(
    Object.entries(input).map(([key, text]) => [key, text.replace("a.ts", join(home.project, "a.ts"))]),
  );
  runHook(home, "pre-tool-use", { tool_name, tool_input, cwd: home.project });
  const files = readdirSync(home.path(".claude/swarm"), { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => /ledger.*\.jsonl$/.test(name))).toHaveLength(noted);
});
