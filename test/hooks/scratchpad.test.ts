import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { payload, runHook, runSwarm } from "../support/run-built.ts";

const WHOLE = "## What I did\na\n## Cross-agent observations\nb\n## Unresolved\nc\n";
const TZ = { TZ: "UTC" };
const today = () => new Date().toISOString().slice(0, 10);

function aScratchpad() {
  const home = aHome();
  home.write("project/.claude/scratchpad/.keep", "");
  return home;
}

test("the chain: introduced, blocked, written, passed, and the coordinator after it", () => {
  const home = aScratchpad();
  const agent = { agent_type: "spec-writer" };
  const path = `.claude/scratchpad/spec-writer/${today()}.md`;
  const notices = runHook(home, "subagent-start", agent, { env: TZ }).reply.hookSpecificOutput;
  expect(notices).toMatchObject({
    hookEventName: "SubagentStart",
    additionalContext: expect.stringContaining(path),
  });

  const held = runHook(home, "subagent-stop", agent, { env: TZ });
  expect(held).toMatchObject({
    exitCode: 0,
    reply: {
      decision: "block",
      reason: `Scratchpad missing or incomplete. Write to ${path} with all three required sections before completing.`,
    },
  });

  home.write(`project/${path}`, WHOLE);
  expect(runHook(home, "subagent-stop", agent, { env: TZ }).stdout).toBe("");

  const coordinator = `.claude/scratchpad/coordinator/${today()}.md`;
  expect(runHook(home, "stop", {}, { env: TZ }).reply).toEqual({
    decision: "block",
    reason: `Multi-agent delegation detected but no coordinator scratchpad for today. Write to ${coordinator} before ending session.`,
  });
  home.write(`project/${coordinator}`, "We built it.");
  expect(runHook(home, "stop", {}, { env: TZ }).stdout).toBe("");

  const start = runHook(home, "session-start", { source: "startup" }, { env: TZ });
  expect(start.reply.hookSpecificOutput.additionalContext).toContain("We built it.");
});

test("the compaction, which ends as a subagent of no type, is left alone", () => {
  const home = aScratchpad();
  const input = { ...payload("SubagentStop-compaction"), cwd: home.project };
  expect(runHook(home, "subagent-stop", input)).toMatchObject({ exitCode: 0, stdout: "" });
});

test("what cannot be read never blocks, and is logged", () => {
  const home = aScratchpad();
  home.write(`project/.claude/scratchpad/spec-writer/${today()}.md/inside`, "a folder in the page's place");
  const ran = runHook(home, "subagent-stop", { agent_type: "spec-writer" }, { env: TZ });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([
    expect.objectContaining({ feature: "scratchpad", error: expect.stringContaining("not a regular file") }),
  ]);
});

test("`swarm scratchpad` shows the pages, who owes one, and opens a blank one", () => {
  const home = aScratchpad();
  const day = today();
  home.write(`project/.claude/scratchpad/writer/${day}.md`, "## What I did\nx");
  for (const [agent_id, agent_type] of [
    ["a1", "writer"],
    ["a2", "swarm:reviewer"],
    ["a3", "Explore"],
  ])
    runHook(home, "subagent-start", { agent_id, agent_type }, { env: TZ });
  const env = { ...TZ, CLAUDE_CODE_SESSION_ID: "s-1" };
  expect(runSwarm(home, ["scratchpad"], { env }).stdout).toBe(
    [
      `.claude/scratchpad/writer/${day}.md  lacks Cross-agent observations, Unresolved`,
      `.claude/scratchpad/coordinator/${day}.md  missing`,
      `.claude/scratchpad/swarm-reviewer/${day}.md  missing`,
      "",
    ].join("\n"),
  );
  const open = runSwarm(home, ["scratchpad", "open"], { env });
  expect(open.stdout).toMatch(/coordinator\/[\d-]+\.md is new\n\n# coordinator, [\d-]+\n\n## What I did/);
  expect(runSwarm(home, ["scratchpad", "open", "coordinator"], { env }).stdout).toContain("exists and lacks");
  expect(runSwarm(home, ["scratchpad", "--json"], { env }).reply).toMatchObject({
    missing: ["swarm-reviewer"],
  });
  expect(runSwarm(home, ["scratchpad", "burn"], { env })).toMatchObject({ exitCode: 2 });
});

test("without .claude/scratchpad nobody owes a page", () => {
  const home = aHome();
  runHook(home, "subagent-start", { agent_id: "a1", agent_type: "writer" }, { env: TZ });
  const env = { ...TZ, CLAUDE_CODE_SESSION_ID: "s-1" };
  expect(runSwarm(home, ["scratchpad"], { env }).stdout).toBe(
    `no page on ${today()}, and none is required\n`,
  );
});

test.each(["", "{", "[]", '{"cwd":7}'])("stdin %j: silent, exit 0", (stdin) => {
  const home = aScratchpad();
  for (const script of ["session-start", "subagent-start", "subagent-stop", "stop"])
    expect(runHook(home, script, stdin)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
});
