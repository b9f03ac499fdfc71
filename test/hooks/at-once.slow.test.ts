// Many hooks and verbs at once, as real processes.
import { readdirSync, statSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { agent, aProject } from "../support/a-spawn.ts";
import { payload, type Ran, ROOT, runHook, runSwarm, startHook, startScript } from "../support/run-built.ts";

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
  const subagent = (session_id: string, at: number) => ({
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
        () => hook("subagent-start", subagent(session, at)),
        () => hook("subagent-stop", subagent(session, at)),
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

test("of twelve spawns at once exactly as many pass as the cap allows", async () => {
  const project = aProject({ person: "[gate]\nmax_spawns_per_hour = 5" });
  const call = (at: number) => ({
    ...payload("PreToolUse-Agent"),
    ...{ session_id: "s-1", cwd: project.project, tool_use_id: `toolu_${at}`, tool_input: agent("x") },
  });
  const env = { CLAUDE_CODE_SESSION_ATTENDED: "0" };
  const runs = Array.from({ length: 12 }, (_, at) => startHook(project, "pre-tool-use", call(at), env));
  const codes = (await Promise.all(runs.map((run) => run.done))).map((ran) => ran.exitCode);
  expect(codes.filter((code) => code === 0)).toHaveLength(5);
  expect(codes.filter((code) => code === 2)).toHaveLength(7);
});
