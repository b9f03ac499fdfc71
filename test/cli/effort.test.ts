// `swarm effort` as an agent or a person calls it, on the built script.
import { readdirSync, symlinkSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { runHook, runSwarm } from "../support/run-built.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

const SESSION = { CLAUDE_CODE_SESSION_ID: "s-1" };
const effort = (...args: string[]) => runSwarm(home, ["effort", ...args], { env: SESSION });
const json = (...args: string[]) => effort(...args, "--json").reply;
const entries = () => home.read("project/work/1_IMPLEMENT_LOG.md").split(/^## /m).slice(1);
const call = (command: string, more = {}) =>
  runHook(home, "pre-tool-use", { tool_name: "Bash", tool_input: { command }, ...more }).reply;
const begin = (...args: string[]) => effort("start", "implement", "--dir", "work", ...args);
const contextOf = (script: string, input: object) =>
  runHook(home, script, input).reply.hookSpecificOutput.additionalContext;

describe("start", () => {
  test("makes task, log and session, and says what comes next", () => {
    const { stdout, exitCode } = begin("--phase", "1: plan", "--title", "the form");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("effort 1 started: implement, phase 1: plan");
    expect(stdout).toContain("session  1.1");
    expect(home.read("project/work/1_IMPLEMENT_LOG.md")).toBe("# implement: the form\n");
    expect(json("show")).toMatchObject({
      task: { lastOrdinal: 1, title: "the form" },
      effort: { id: 1, skill: "implement", ordinal: 1, lifecycle: "active" },
      session: 1,
      artifacts: ["1_IMPLEMENT_LOG.md"],
    });
  });

  test("efforts of one task are counted, also over files that were there before", () => {
    begin();
    home.write("project/work/7_OLD_PLAN.md", "");
    symlinkSync(home.path("project/work"), home.path("project/link"));
    const { stdout } = effort("start", "my-plugin:fix", "--dir", "link");
    expect(stdout).toContain("8_MY_PLUGIN_FIX_LOG.md");
    expect(stdout).toContain("effort 1 (implement) stays active; swarm effort finish --effort 1");
    expect(json("show")).toMatchObject({ effort: { id: 2, task: json("show", "1").effort.task } });
  });

  test("without --dir the task has the day and the skill in its name", () =>
    expect(effort("start", "fix").stdout).toMatch(/\.claude\/efforts\/\d{4}-\d\d-\d\d-fix\n/));

  test("from a terminal there is no session yet; the next one takes it up", () => {
    const { stdout } = runSwarm(home, ["effort", "start", "fix"]);
    expect(stdout).toContain("session  none yet");
    expect(contextOf("session-start", { source: "startup" })).toContain(
      "Effort 1 goes on here: session 1.1.",
    );
  });

  test("reads what the project says about the skill", () => {
    const page = "---\ndescription: builds\nlog-template: did / next\npreload: [notes.md]\n---\n";
    home.write("project/.claude/commands/implement.md", page);
    home.write("project/notes.md", "remember");
    expect(begin().stdout).toContain('swarm effort log "did / next"');
    const text = contextOf("session-start", { session_id: "s-2", source: "startup" });
    expect(text).toContain("[Preloaded: notes.md]\nremember");
  });
});

describe("log", () => {
  test("writes an entry and starts the heartbeat again", () => {
    begin("--phase", "2: build");
    for (let at = 0; at < 9; at++) call("ls");
    expect(call("ls").hookSpecificOutput.permissionDecision).toBe("deny");
    expect(effort("log", "built", "the form").stdout).toContain("the heartbeat starts again at 0");
    expect(entries()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d · 2: build · main\n\nbuilt the form\n$/),
    ]);
    expect(call("ls")).toBeUndefined();
  });

  test("reads from stdin for -", () => {
    begin();
    runSwarm(home, ["effort", "log", "-"], { env: SESSION, stdin: "two\nlines\n" });
    expect(entries()[0]).toContain("\n\ntwo\nlines\n");
  });

  test("a subagent's entry carries its name and frees the subagent, not its parent", () => {
    begin();
    const agent = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
    runHook(home, "subagent-start", agent);
    for (let at = 0; at < 3; at++) call("ls");
    for (let at = 0; at < 4; at++) call("ls", agent);
    call('swarm effort log "looked around"', agent);
    effort("log", "looked around");
    expect(entries()[0]).toContain("· Explore");
    const { sessions } = json("show");
    expect(sessions.map((one: { heartbeat: number }) => one.heartbeat)).toEqual([3, 0]);
  });

  test("inside a longer command it frees as well", () => {
    begin();
    for (let at = 0; at < 5; at++) call("ls");
    call("cd . && swarm effort log done");
    effort("log", "done");
    expect(json("show").sessions[0].heartbeat).toBe(0);
  });
});

describe("dehydrate", () => {
  test("by text and flags", () => {
    begin();
    const steps = ["--last", "ran tests", "--next", "a", "--next", "b"];
    effort("dehydrate", "form is there", ...steps, "--file", "x.ts", "--handover", "ask bob");
    const dehydrated = expect.objectContaining({ summary: "form is there", by: "agent" });
    expect(json("show").effort.dehydrated).toEqual(dehydrated);
    expect(home.json(".claude/swarm/efforts/1/sessions/1.json").dehydration).toEqual(dehydrated);
    const text = contextOf("session-start", { session_id: "s-2", source: "startup" });
    for (const part of [
      "form is there",
      "Last action: ran tests",
      "- a\n- b",
      "Handover: ask bob",
      "Files: x.ts",
    ])
      expect(text).toContain(part);
  });

  test("by the whole payload", () => {
    begin();
    const stdin = JSON.stringify({ summary: "s", nextSteps: ["n", 7], requiredFiles: Array(12).fill("f") });
    runSwarm(home, ["effort", "dehydrate", "-"], { env: SESSION, stdin });
    const { dehydrated } = json("show").effort;
    expect(dehydrated).toMatchObject({ by: "agent", summary: "s", nextSteps: ["n"] });
    expect(dehydrated.requiredFiles).toEqual(Array(8).fill("f"));
  });
});

describe("preload, inject, guard", () => {
  test("a file is preloaded, listed and removed", () => {
    begin();
    home.write("project/a.md", "x");
    expect(effort("preload", "a.md").stdout).toBe("a.md\n");
    expect(effort("preload").stdout).toBe("a.md\n");
    expect(effort("preload", "a.md", "--remove").stdout).toBe("no preloads\n");
    expect(effort("preload", "gone.md")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("gone.md cannot be preloaded: there is no such file"),
    });
  });

  test("a text waits under its name, and the same name replaces it", () => {
    begin();
    effort("inject", "one", "--id", "x");
    effort("inject", "two", "--id", "x");
    expect(contextOf("post-tool-use", { tool_name: "Bash" })).toBe("[Directive: x]\ntwo");
    expect(runHook(home, "post-tool-use", { tool_name: "Bash" }).stdout).toBe("");
  });

  test("a rule is added, shown, in force, and removed", () => {
    begin();
    effort("guard", "no-push", "--tool", "Bash", "--input", "git push", "--message", "Not yet.", "--deny");
    expect(effort("guard").stdout).toBe('no-push: deny when tool="Bash" input="git push": Not yet.\n');
    const { permissionDecisionReason } = call("git push").hookSpecificOutput;
    expect(permissionDecisionReason).toContain("[Guard: no-push] Not yet.");
    effort("guard", "no-push", "--remove");
    expect(call("git push")).toBeUndefined();
    expect(effort("guard", "no-push", "--remove")).toMatchObject({ exitCode: 1 });
  });

  const BOTH = ["guard", "x", "--tool", "B", "--message", "m", "--deny", "--warn"];
  const MANY = ["guard", "x", "--heartbeat", "many", "--message", "m", "--warn"];
  test.each([
    ["without a condition", ["guard", "x", "--message", "m", "--deny"], "when?"],
    ["without a message", ["guard", "x", "--tool", "Bash", "--deny"], "--message"],
    ["with both verdicts", BOTH, "either --deny or --warn"],
    ["with a strange name", ["guard", "../x", "--tool", "B", "--message", "m", "--deny"], "a rule's name"],
    ["with a number that is none", MANY, "--heartbeat is a whole number"],
  ])("a rule %s is refused", (_, args, why) => {
    begin();
    expect(effort(...args)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

describe("finish", () => {
  test("ends the effort, keeps log and debrief, and nothing counts any more", () => {
    begin();
    runHook(home, "session-start", { session_id: "s-2", source: "startup" });
    expect(effort("finish", "the form works").stdout).toContain("effort 1 (implement) is finished");
    expect(readdirSync(home.path("project/work"))).toEqual(["1_IMPLEMENT_DEBRIEF.md", "1_IMPLEMENT_LOG.md"]);
    expect(home.read("project/work/1_IMPLEMENT_DEBRIEF.md")).toContain("the form works");
    expect(readdirSync(home.path(".claude/swarm/efforts/active"))).toEqual([]);
    expect(readdirSync(home.path(".claude/swarm/efforts/windows"))).toEqual([]);
    expect(json("show", "1").sessions.map((one: { endReason: string }) => one.endReason)).toEqual([
      "gone",
      "effort-finished",
    ]);
    const next = runHook(home, "session-start", { session_id: "s-3", source: "startup" });
    expect(next.stdout).not.toContain("Effort");
  });

  test("a finished effort takes no more entries", () => {
    begin();
    effort("finish");
    const ran = effort("log", "x", "--effort", "1");
    expect(ran).toMatchObject({ exitCode: 1, stderr: "swarm: effort 1 is finished\n" });
  });
});

describe("looking", () => {
  test("where there is none every link is null", () => {
    expect(effort("show").stdout).toContain("no active effort here");
    expect(json("show")).toEqual({ task: null, effort: null, session: null });
    expect(effort("list").stdout).toContain("no active effort");
    expect(home.has(".claude")).toBe(false);
  });

  test("list shows the active ones, --all the finished as well", () => {
    begin();
    effort("start", "fix", "--dir", "work");
    effort("finish", "--effort", "1");
    expect(json("list").map((one: { id: number }) => one.id)).toEqual([2]);
    expect(json("list", "--all").map((one: { id: number }) => one.id)).toEqual([2, 1]);
  });

  test("the effort is found from a directory below the project", () => {
    runSwarm(home, ["effort", "start", "fix"]);
    home.write("project/deep/er/x", "");
    const env = { CLAUDE_PROJECT_DIR: "" };
    const ran = runSwarm(home, ["effort", "show", "--json"], { env, cwd: home.path("project/deep/er") });
    expect(ran.reply.effort.id).toBe(1);
  });
});

test.each([
  ["an unknown verb", ["dance"], 2, 'not "dance"'],
  ["no skill", ["start"], 2, "which skill?"],
  ["a skill that is a path", ["start", "../x"], 2, "which skill?"],
  ["no text", ["log"], 2, "what happened?"],
  ["no effort", ["log", "x"], 1, "swarm effort start <skill>"],
  ["an effort that is not there", ["show", "9"], 1, "there is no effort 9"],
  ["an id that is none", ["show", "x"], 2, "--effort is a whole number"],
  ["an unknown flag", ["show", "--loud"], 2, "--loud"],
])("%s is said in one line", (_, args, exitCode, why) => {
  const ran = effort(...args);
  expect(ran).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(why) });
});
