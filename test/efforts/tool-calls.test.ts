// Before and after a tool: what counts, what is held back, what is said.
import { symlinkSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import * as effort from "../../lib/efforts/hooks.ts";
import { finishEffort, readEffort, updateEffort } from "../../lib/efforts/store/efforts.ts";
import { heartbeatOf, mainAgentOf, readLoaded } from "../../lib/efforts/store/windows.ts";
import * as events from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { effortEvents, minutes, words } from "../support/effort-events.ts";
import { payload } from "../support/run-built.ts";

let home: Home;
let on: ReturnType<typeof effortEvents>;
beforeEach(() => {
  home = aHome();
  on = effortEvents(home);
});

const SUB = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
const heartbeat = () => heartbeatOf(home.paths, mainAgentOf("s-1"));
const startSub = () => effort.subagentStart(aContext(home, events.SubagentStart, SUB));
const denied = (outcome: unknown) => (outcome as Outcome | undefined)?.deny;
const heldAt = (count: number, more = {}) =>
  on.calls(count, more).flatMap((deny, index) => (deny ? [index + 1] : []));

describe("the heartbeat", () => {
  test("the tenth call without a log entry is held back, with the command that clears it", () => {
    anEffort(home);
    const all = on.calls(10);
    expect(all.slice(0, 9)).toEqual(Array(9).fill(undefined));
    expect(all[9]).toMatch(/^heartbeat-block: 10\/10 tool calls without logging/);
    expect(all[9]).toContain('swarm effort log "');
    expect(all[9]).toContain("effort.block_after");
  });

  test("it cannot lock an agent: two are held back, then it goes on, and is asked again at the next ten", () => {
    anEffort(home);
    expect(heldAt(32)).toEqual([10, 11, 20, 21, 30, 31]);
  });

  test("a subagent, which may have no shell, is asked once; its count is its own", () => {
    anEffort(home);
    startSub();
    expect(heldAt(32, SUB)).toEqual([10, 11]);
    expect(heartbeat()).toBe(0);
  });

  test("a log entry frees at once, and the next stretch has its own allowance", () => {
    anEffort(home);
    on.calls(10);
    expect(on.bash('swarm effort log "done"')).toBeUndefined();
    expect(heartbeat()).toBe(0);
    expect(heldAt(11)).toHaveLength(2);
  });

  test("the engine's other commands pass and do not count", () => {
    anEffort(home);
    on.calls(9);
    for (const command of ["swarm effort show", "swarm effort phase 2", "cd x && swarm effort show"])
      expect(on.bash(command)).toBeUndefined();
    expect(heartbeat()).toBe(9);
  });

  test.each([
    ["loading", { metadata: { loading: true } }],
    ["a limit of 0", { metadata: { blockAfter: 0 } }],
  ])("%s holds nobody back", (_, given) => {
    anEffort(home, given);
    expect(heldAt(15)).toEqual([]);
  });

  test("the effort's own limit wins over the setting", () => {
    home.write("project/.atm.toml", "[effort]\nblock_after = 5");
    anEffort(home);
    expect(on.calls(5)[4]).toContain("5/5");
    updateEffort(home.paths, 1, (one) => ({ ...one, metadata: { ...one.metadata, blockAfter: 7 } }));
    expect(on.calls(2)[1]).toContain("7/7");
  });

  test("a finished effort has no say", () => {
    anEffort(home);
    finishEffort(home.paths, 1, NOON);
    expect(heldAt(12)).toEqual([]);
  });

  test("it is reminded shortly before it would block a call, once a stretch", () => {
    anEffort(home);
    on.calls(7);
    expect(on.onResult("Bash")).toBe("");
    on.calls(1);
    expect(on.onResult("Bash")).toContain("[Heartbeat 8/10]");
    expect(on.onResult("Bash")).toBe("");
  });
});

describe("before a tool", () => {
  test("a guard that denies gives reason and way out; one that warns says it once a window", () => {
    const guards = [
      {
        id: "no-push",
        tool: "Bash",
        input: "git push",
        phase: "1*",
        message: "Plan <first>.",
        action: "deny" as const,
      },
      { id: "slow", tool: "Read", message: "Mind the size.", action: "warn" as const },
    ];
    anEffort(home, { phase: "1: plan", metadata: { guards } });
    const deny = denied(on.bash("git push origin"));
    expect(deny).toContain("[Guard: no-push] Plan &lt;first&gt;.");
    expect(deny).toContain("swarm effort guard no-push --remove --effort 1");
    expect(words(on.atCall("Read"))).toBe("[Guard: slow] Mind the size.");
    expect(on.atCall("Read")).toBeUndefined();
    updateEffort(home.paths, 1, (stored) => ({ ...stored, phase: "2: build" }));
    expect(on.bash("git push origin")).toBeUndefined();
  });

  test("a command that only begins like ours does not slip past a guard", () => {
    anEffort(home, { metadata: { guards: [{ id: "g", input: "git push", message: "no", action: "deny" }] } });
    expect(denied(on.bash("swarm effort log x && git push"))).toContain("[Guard: g]");
    expect(on.bash('swarm effort log "never git push here"')).toBeUndefined();
  });

  test("a nearly full window is shown once how to write itself down, and is not blocked any more", () => {
    home.write(".claude/swarm/settings.toml", "[context]\nwindow = 1000");
    const usage = { type: "assistant", message: { usage: { input_tokens: 910 } } };
    const transcript_path = home.write("t.jsonl", `${JSON.stringify(usage)}\n`);
    anEffort(home);
    expect(words(on.bash("ls", { transcript_path }))).toMatch(
      /^\[Context 91 %\].*\nswarm effort dehydrate "/,
    );
    expect(heldAt(15, { transcript_path })).toEqual([]);
  });

  test("a file preloaded while the window is open is shown once", () => {
    home.write("project/new.md", "fresh");
    anEffort(home);
    updateEffort(home.paths, 1, (stored) => ({ ...stored, preloads: ["new.md"] }));
    expect(words(on.bash("ls"))).toBe("[Preloaded: new.md]\nfresh");
    expect(on.bash("ls")).toBeUndefined();
  });

  test("what has no room is shown with the next call", () => {
    for (const name of ["a.md", "b.md", "c.md"]) home.write(`project/${name}`, "long text ".repeat(1_000));
    anEffort(home);
    updateEffort(home.paths, 1, (stored) => ({ ...stored, preloads: ["a.md", "b.md", "c.md"] }));
    expect(words(on.bash("ls"))).toMatch(/^\[Preloaded: a\.md\][^[]*\[the first 4000 of 10000 bytes\]$/);
    expect(words(on.bash("ls"))).toContain("[Preloaded: b.md]");
    expect(words(on.bash("ls"))).toContain("[Preloaded: c.md]");
    expect(on.bash("ls")).toBeUndefined();
  });
});

describe("after a tool", () => {
  test("a queued text is delivered once, as a block, and kept in the log", () => {
    anEffort(home);
    on.inject("style", "Use </tabs>.");
    expect(on.onResult("Bash")).toBe("[Directive: style]\nUse &lt;/tabs&gt;.");
    expect(on.onResult("Bash")).toBe("");
    expect(on.messages("injection")).toMatchObject([{ id: "style", text: "Use </tabs>." }]);
  });

  test("one that was claimed and never shown comes back", () => {
    anEffort(home);
    on.inject("x", "again", { claimedAt: minutes(-1).toISOString() });
    expect(on.onResult("Bash")).toContain("again");
  });

  test("one that is replaced while it is shown is not lost", () => {
    anEffort(home);
    on.inject("x", "old");
    const shown = effort.postToolUse(aContext(home, events.PostToolUse, { tool_name: "Bash" }));
    const pendingInjections = [{ id: "x", text: "new", at: minutes(1).toISOString() }];
    updateEffort(home.paths, 1, (stored) => ({
      ...stored,
      metadata: { ...stored.metadata, pendingInjections },
    }));
    (shown as Outcome).after?.();
    expect(on.onResult("Bash")).toContain("new");
  });

  test("queued texts that do not fit into one answer come with the next ones", () => {
    anEffort(home);
    for (const id of ["a", "b", "c"]) on.inject(id, `${id} `.repeat(2_900));
    for (const id of ["a", "b", "c"])
      expect(on.onResult("Bash")).toMatch(new RegExp(`^\\[Directive: ${id}\\]`));
    expect(on.onResult("Bash")).toBe("");
  });

  test("a queued text waits on where the client was gone before the answer", () => {
    anEffort(home);
    on.inject("x", "do it");
    const answer = effort.postToolUse(aContext(home, events.PostToolUse, { tool_name: "Bash" })) as Outcome;
    answer.after?.(false);
    expect(readEffort(home.paths, 1)?.metadata.pendingInjections).toMatchObject([{ id: "x" }]);
  });

  test("a subagent's call does not take what is meant for the main agent", () => {
    anEffort(home);
    startSub();
    on.inject("x", "for main");
    expect(on.onResult("Bash", {}, SUB)).toBe("");
    expect(on.onResult("Bash")).toContain("for main");
  });

  test("a dialogue is stored with the words before it, and given back at the next start", () => {
    const said = { type: "assistant", message: { content: [{ type: "text", text: "Two ways." }] } };
    const transcript_path = home.write("t.jsonl", `${JSON.stringify(said)}\n`);
    anEffort(home);
    const { tool_input, tool_response } = payload("PostToolUse-AskUserQuestion");
    on.onResult("AskUserQuestion", tool_input, { tool_response, transcript_path });
    const questions = [{ question: "Which one?", options: ["Alpha", "Beta"], answer: "Alpha" }];
    expect(on.messages("dialogue")).toMatchObject([{ preamble: "Two ways.", questions }]);
    expect(on.start({ session_id: "s-2" })).toContain("- Which one? → Alpha");
  });

  test("files are tracked, and directives on the way are found once", () => {
    home.write("project/AGENTS.md", "x");
    home.write("project/src/ui/TESTING.md", "x");
    const { project } = anEffort(home);
    const file_path = `${project}/src/ui/form.ts`;
    const found = on.onResult("Read", { file_path });
    expect(found).toBe(`[Directives found: ${project}/AGENTS.md, ${project}/src/ui/TESTING.md]`);
    expect(on.onResult("Edit", { file_path })).toBe("");
    expect(readEffort(home.paths, 1)?.directives).toHaveLength(2);
    expect(readLoaded(home.paths, mainAgentOf("s-1"))).toEqual([file_path]);
  });

  test.each([
    ["Read", "file_path"],
    ["Edit", "file_path"],
    ["MultiEdit", "file_path"],
    ["Write", "file_path"],
    ["NotebookEdit", "notebook_path"],
  ])("%s names its file in %s", (tool, field) => {
    const file = `${anEffort(home).project}/a.ipynb`;
    on.onResult(tool, { [field]: file });
    expect(readLoaded(home.paths, mainAgentOf("s-1"))).toEqual([file]);
  });

  test("directives beyond those that an effort remembers are named once in a window", () => {
    home.write("project/AGENTS.md", "x");
    const directives = Array.from({ length: 50 }, (_, n) => `/p/${n}/AGENTS.md`);
    const { project } = anEffort(home, { directives });
    const file_path = `${project}/a.ts`;
    expect(on.onResult("Read", { file_path })).toBe(`[Directives found: ${project}/AGENTS.md]`);
    expect(on.onResult("Read", { file_path })).toBe("");
    expect(readEffort(home.paths, 1)?.directives).toEqual(directives);
  });

  test("a directive that is a link to itself is none, and what waits is delivered", () => {
    symlinkSync("AGENTS.md", home.path("project/AGENTS.md"));
    const { project } = anEffort(home);
    on.inject("x", "do it");
    expect(on.onResult("Read", { file_path: `${project}/a.ts` })).toContain("do it");
  });

  test("a file outside the project finds nothing", () => {
    home.write("AGENTS.md", "x");
    anEffort(home);
    expect(on.onResult("Read", { file_path: home.path("x.md") })).toBe("");
  });
});

test("warnings are journalled, and effort show --json says what the window has met", async () => {
  const guards = [
    { id: "slow", tool: "Read", message: "Mind the size.", action: "warn" as const },
    { id: "no-push", tool: "Bash", input: "git push", message: "Not yet.", action: "deny" as const },
    { id: "quiet", tool: "Write", message: "Never here.", action: "warn" as const },
  ];
  anEffort(home, { metadata: { guards }, preloads: ["a.md"] });
  const line = {
    type: "assistant",
    message: { model: "claude-haiku-4-5", usage: { input_tokens: 190_000 } },
  };
  const transcript = home.write("t.jsonl", `${JSON.stringify(line)}\n`);
  const usual = { session: "s-1", state: "active", status: "working", startedAt: "x", lastSeen: "x" };
  home.write(".claude/swarm/sessions/s-1/session.json", { ...usual, transcript });
  const facts = async () => {
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    const { stdout } = await callSwarm(home, ["effort", "show", "--json"], { env });
    const { contextUsage, overflowWarning, firedRules, pendingPreloads, heartbeatCount } = JSON.parse(stdout);
    return { contextUsage, overflowWarning, firedRules, pendingPreloads, heartbeatCount };
  };
  expect(await facts()).toEqual({
    contextUsage: 95,
    overflowWarning: true,
    firedRules: [],
    pendingPreloads: ["a.md"],
    heartbeatCount: 0,
  });
  const call = (tool_name: string, tool_input: object) =>
    effort.preToolUse(
      aContext(home, events.PreToolUse, { tool_name, tool_input, transcript_path: transcript }),
    ) as Outcome;
  expect(call("Read", {}).journal).toEqual([
    { what: "warn", rule: "overflow:context", reason: expect.stringContaining("95") },
    { what: "warn", rule: "effort:slow", reason: "[Guard: slow] Mind the size." },
  ]);
  expect(call("Read", {})).toBeUndefined();
  expect(call("Bash", { command: "git push" }).rule).toBe("effort:no-push");
  expect(await facts()).toMatchObject({ firedRules: ["slow", "no-push"], pendingPreloads: [] });
});
