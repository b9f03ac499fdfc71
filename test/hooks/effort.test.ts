// What only real processes can show: many hooks at once on one effort, and the end of a client.
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { type Ran, ROOT, runHook, runSwarm, startHook, startScript } from "../support/run-built.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

const EFFORTS = ".claude/swarm/efforts";
const SCRIPT = `${ROOT}/plugin/bin/swarm`;
const tool = (session_id: string) => ({ session_id, tool_name: "Bash", tool_input: { command: "ls" } });
const hook = (script: string, input: object) => startHook(home, script, { cwd: home.project, ...input }).done;
const verb = (session: string, ...args: string[]) =>
  startScript(SCRIPT, ["effort", ...args], home, "", { CLAUDE_CODE_SESSION_ID: session }).done;
const everyFile = () => readdirSync(home.path(".claude"), { recursive: true, encoding: "utf8" });

/** Eight at a time, which is as parallel as two cores can be. */
async function together(work: (() => Promise<Ran>)[]): Promise<Ran[]> {
  const done: Ran[] = [];
  const next = async () => {
    for (let one = work.shift(); one; one = work.shift()) done.push(await one());
  };
  await Promise.all(Array.from({ length: 8 }, next));
  return done;
}

test("fifty tool calls at once count fifty", async () => {
  await verb("s-1", "start", "fix", "--block-after", "1000");
  await together(Array.from({ length: 50 }, () => () => hook("pre-tool-use", tool("s-1"))));
  expect(statSync(home.path(`${EFFORTS}/windows/s-1/main/beats`)).size).toBe(50);
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([]);
}, 60_000);

test("calls at once overdraw no allowance", async () => {
  await verb("s-1", "start", "fix");
  for (let at = 0; at < 9; at++) runHook(home, "pre-tool-use", tool("s-1"));
  const ran = await together(Array.from({ length: 9 }, () => () => hook("pre-tool-use", tool("s-1"))));
  expect(ran.filter((one) => one.reply?.hookSpecificOutput.permissionDecision === "deny")).toHaveLength(2);
}, 60_000);

test("two sessions and their subagents on one effort never corrupt it", async () => {
  await verb("s-1", "start", "fix", "--dir", "work");
  const voice = (session_id: string, at: number) => ({
    session_id,
    agent_id: `a${at}000000000000000`,
    agent_type: "Explore",
  });
  const ran = await together(
    Array.from({ length: 6 }, (_, at) => {
      const session = at % 2 ? "s-1" : "s-2";
      return [
        () => hook("session-start", { session_id: session, source: "compact" }),
        () => verb(session, "log", `entry ${at}`),
        () => verb(session, "inject", `text ${at}`, "--id", `id-${at}`),
        () => hook("post-tool-use", tool(session)),
        () => hook("subagent-start", voice(session, at)),
        () => hook("subagent-stop", voice(session, at)),
        () => verb(session, "phase", `phase ${at}`),
      ];
    }).flat(),
  );
  expect(ran.filter((one) => one.exitCode !== 0 || one.stderr !== "")).toEqual([]);
  const { reply } = runSwarm(home, ["effort", "show", "1", "--json"]);
  const numbers = reply.sessions.map((one: { number: number }) => one.number);
  expect(numbers).toEqual(Array.from({ length: reply.effort.sessions }, (_, at) => at + 1));
  expect(reply.effort.phases).toHaveLength(6);
  const log = home.read("project/work/1_FIX_LOG.md");
  for (let at = 0; at < 6; at++) expect(log).toContain(`\n\nentry ${at}\n`);
  const delivered = ran.map((one) => one.stdout).join("");
  const waiting = JSON.stringify(reply.effort.metadata.pendingInjections);
  for (let at = 0; at < 6; at++) expect(delivered + waiting).toContain(`text ${at}`);
  expect(everyFile().filter((name) => /corrupt|\.tmp\.|\.lock$/.test(name))).toEqual([]);
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([]);
}, 90_000);

test("a queued text reaches exactly one of many calls", async () => {
  await verb("s-1", "start", "fix");
  await verb("s-1", "inject", "only once", "--id", "x");
  const ran = await together(Array.from({ length: 12 }, () => () => hook("post-tool-use", tool("s-1"))));
  expect(ran.filter((one) => one.stdout.includes("only once"))).toHaveLength(1);
}, 60_000);

test("a damaged record is set aside, said once, and the tool goes through", async () => {
  await verb("s-1", "start", "fix");
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

  beforeEach(async () => {
    home.write(".claude/swarm/settings.toml", '[effort]\nprecompact = "kill"');
    await verb("s-1", "start", "fix", "--phase", "2");
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
