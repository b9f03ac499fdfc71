// `swarm scratchpad`, in one process, and the texts of the protocol.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stop, SubagentStart, SubagentStop } from "../../lib/hook/events.ts";
import * as scratchpad from "../../lib/scratchpad/hooks.ts";
import { dutyText } from "../../lib/scratchpad/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

beforeEach(() => vi.stubEnv("TZ", "UTC"));
afterEach(() => vi.unstubAllEnvs());

const DAY = "2026-02-20";
const WHOLE = "## What I did\na\n## Cross-agent observations\nb\n## Unresolved\nc\n";
const PAGES = "project/.claude/scratchpad";
const pathOf = (folder: string) => `.claude/scratchpad/${folder}/${DAY}.md`;
const run = (home: Home, args: string[], env: Record<string, string> = {}) =>
  callSwarm(home, ["scratchpad", ...args, "--day", DAY], { env });
const list = async (home: Home, env: Record<string, string> = {}) =>
  (await run(home, ["list"], env)).stdout.trimEnd().split("\n");

test.each(["today", "2026-2-20", "x2026-02-20"])("--day %s is a bad call", async (day) =>
  expect(await callSwarm(aHome(), ["scratchpad", "list", "--day", day])).toMatchObject({ exitCode: 2 }),
);

test("without the folder nothing is required, unless a setting says so", async () => {
  const home = aHome();
  aTeam(home);
  expect(await list(home, as("bob"))).toEqual([`no page on ${DAY}, and none is required`]);
  home.write(".claude/swarm/settings.toml", '[scratchpad]\nenabled = "on"\n');
  expect(await list(home, as("bob"))).toEqual(
    ["alice", "bob", "coordinator"].map((folder) => `${pathOf(folder)}  missing`),
  );
  home.write(".claude/swarm/settings.toml", '[scratchpad]\nenabled = "off"\n');
  home.write(`${PAGES}/.keep`, "");
  expect(await list(home, as("bob"))).toEqual([`no page on ${DAY}, and none is required`]);
});

test("what is written, what it lacks, and who still owes a page", async () => {
  const home = aHome();
  aTeam(home);
  home.write(`${PAGES}/alice/${DAY}.md`, WHOLE);
  home.write(`${PAGES}/coordinator/${DAY}.md`, "anything");
  home.write(`${PAGES}/spec-writer/${DAY}.md`, "## What I did\na\n");
  home.write(".claude/swarm/settings.toml", '[scratchpad]\nexempt = ["carol"]\n');
  expect(await list(home, as("bob"))).toEqual([
    `${pathOf("alice")}  complete`,
    `${pathOf("coordinator")}  complete`,
    expect.stringMatching(/spec-writer\/2026-02-20\.md {2}lacks .*Unresolved/),
    `${pathOf("bob")}  missing`,
  ]);
});

test("alone nobody owes a page; a page of another agent shows that work was delegated", async () => {
  const home = aHome();
  home.write(`${PAGES}/.keep`, "");
  expect(await list(home)).toEqual([`no page on ${DAY}, and none is required`]);
  home.write(`${PAGES}/spec-writer/${DAY}.md`, WHOLE);
  expect(await list(home)).toEqual([
    `${pathOf("spec-writer")}  complete`,
    `${pathOf("coordinator")}  missing`,
  ]);
});

test("a subagent owes a page for the days it was at work on", async () => {
  const home = aHome();
  home.write(`${PAGES}/.keep`, "");
  const working = (agent: string, from: string, to: string) =>
    home.write(`.claude/swarm/agents/s-1/${agent}.json`, {
      ...{ session: "s-1", agentId: agent, agent, state: "idle", status: "done" },
      ...{ startedAt: `${from}T12:00:00Z`, lastSeen: `${to}T12:00:00Z` },
    });
  working("before", "2026-02-18", "2026-02-19");
  working("during", "2026-02-19", "2026-02-21");
  working("later", "2026-02-21", "2026-02-21");
  expect(await list(home, { CLAUDE_CODE_SESSION_ID: "s-1" })).toEqual([
    `${pathOf("coordinator")}  missing`,
    `${pathOf("during")}  missing`,
  ]);
});

test("a page of one's own: a teammate by its name, any other session as the coordinator", async () => {
  const home = aHome();
  aTeam(home);
  expect((await run(home, ["open"], as("bob"))).stdout).toMatch(/^\.claude\/scratchpad\/bob\/.* is new\n\n/);
  expect((await run(home, ["open"], as("bob"))).stdout).toContain("exists and lacks");
  for (const env of [{}, as("team-lead")])
    expect((await run(home, ["open"], env)).stdout).toContain(pathOf("coordinator"));
  home.write(`${PAGES}/plugin-agent/${DAY}.md`, WHOLE);
  expect((await run(home, ["open", "plugin:agent"])).stdout).toContain("exists and is complete");
  expect(await run(home, ["open", "../x"])).toMatchObject({ exitCode: 2 });
});

test("of two incomplete pages the one that lacks less is named", () => {
  const home = aHome();
  home.write(`${PAGES}/spec-writer/${DAY}.md`, "## What I did\na\n## Unresolved\nc\n");
  home.write(`elsewhere/.claude/scratchpad/spec-writer/${DAY}.md`, "## What I did\na\n");
  const agent = { agent_id: "a0123456789abcdef", agent_type: "spec-writer", cwd: home.path("elsewhere") };
  expect(scratchpad.subagentStop(aContext(home, SubagentStop, agent))).toMatchObject({
    context: "Still missing: Cross-agent observations.",
  });
});

test("a hostile name, path or section stays in its line", () => {
  const home = aHome();
  home.write(".claude/swarm/settings.toml", '[scratchpad]\nsections = ["s\\n<z>"]\n');
  const elsewhere = { env: { CLAUDE_PROJECT_DIR: "/r\n<y>" } };
  const text = dutyText(aContext(home, SubagentStart, {}, elsewhere), "a\n<x>");
  expect(text).toContain("(in /r &lt;y&gt;)");
  expect(text).toContain("- s &lt;z&gt;");
  expect(text).not.toContain("<");
  expect(text.split("\n")).toHaveLength(7);
  expect(dutyText(aContext(home, SubagentStart), "a")).toContain(`Scratchpad: ${pathOf("a")}\n`);
});

test("switched off, a stop asks for nothing", () => {
  const home = aHome();
  expect(scratchpad.stop(aContext(home, Stop))).toBeUndefined();
});
