// A damaged record, and the end of a client.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

const EFFORTS = ".claude/swarm/efforts";
const tool = (session_id: string) => ({ session_id, tool_name: "Bash", tool_input: { command: "ls" } });
const effort = (...args: string[]) =>
  runSwarm(home, ["effort", ...args], { env: { CLAUDE_CODE_SESSION_ID: "s-1" } });

test("a damaged record is set aside, said once, and the tool goes through", () => {
  effort("start", "fix");
  home.write(`${EFFORTS}/1/effort.json`, "{ half");
  expect(runHook(home, "pre-tool-use", tool("s-1"))).toMatchObject({ exitCode: 0, stdout: "" });
  expect(readdirSync(home.path(`${EFFORTS}/1`)).some((name) => name.includes("corrupt"))).toBe(true);
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([
    { error: expect.stringContaining("effort.json is damaged") },
  ]);
});

describe("effort.precompact = kill", () => {
  /** Stands in for the client: it only waits to be ended. */
  function aClient() {
    const client = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    onTestFinished(() => void client.kill("SIGKILL"));
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      client.on("exit", (_, signal) => resolve(signal)),
    );
    return { env: { CLAUDE_PID: `${client.pid}` }, client, ended };
  }
  const compact = { trigger: "auto" };

  beforeEach(() => {
    home.write(".claude/swarm/settings.toml", '[effort]\nprecompact = "kill"');
    effort("start", "fix", "--phase", "2");
  });

  test("ends our own client and leaves a prompt, which the next session follows", async () => {
    const { env, ended } = aClient();
    runHook(home, "session-start", { source: "startup" }, { env });
    const ran = runHook(home, "pre-compact", compact, { env });
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("restart.md") });
    expect(await ended).toBe("SIGTERM");
    expect(home.read(`${EFFORTS}/1/restart.md`)).toContain("Go on with effort 1 (fix, phase 2)");
    const record = home.json(`${EFFORTS}/1/sessions/2.json`);
    expect(record).toMatchObject({ endReason: "precompact-kill", dehydration: null });
    const { stdout } = runHook(home, "session-start", { session_id: "s-2", source: "startup" });
    expect(stdout).toContain("session 1.3, after 1.2");
    expect(home.has(`${EFFORTS}/1/restart.md`)).toBe(false);
  });

  test("spares a process that has our client's number but another start", () => {
    const { env, client } = aClient();
    runHook(home, "session-start", { source: "startup" }, { env });
    const record = home.json(".claude/swarm/sessions/s-1/session.json");
    home.write(".claude/swarm/sessions/s-1/session.json", { ...record, pidStartedAt: "1" });
    runHook(home, "pre-compact", compact, { env });
    expect(client.exitCode ?? client.signalCode).toBeNull();
    expect(home.read(".claude/swarm/errors.jsonl")).toContain("not proven ours");
    expect(home.has(`${EFFORTS}/1/restart.md`)).toBe(false);
    expect(home.json(`${EFFORTS}/1/sessions/2.json`).dehydration).toMatchObject({ by: "snapshot" });
  });
});
