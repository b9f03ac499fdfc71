// `swarm effort` in one process: what each verb refuses, and every line that `show` has.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import * as effort from "../../lib/efforts/hooks.ts";
import {
  createEffort,
  finishEffort,
  readActiveEfforts,
  readEffort,
  updateEffort,
} from "../../lib/efforts/store/efforts.ts";
import {
  findDirectives,
  highestOrdinal,
  readLogEntries,
  readPreload,
  readSkillConfig,
} from "../../lib/efforts/store/project-files.ts";
import {
  claimOnce,
  countCall,
  firedMark,
  hasWindow,
  heartbeatOf,
  mainAgentOf,
  openWindow,
} from "../../lib/efforts/store/windows.ts";
import { injectionText } from "../../lib/efforts/text.ts";
import { inProject } from "../../lib/efforts/verbs.ts";
import * as events from "../../lib/hook/events.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { effortEvents } from "../support/effort-events.ts";
import { failure, insteadOfFs } from "../support/instead-of-fs.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

const SESSION = { CLAUDE_CODE_SESSION_ID: "s-1" };
const SUB = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
const run = (args: string[], env: Record<string, string> = SESSION) =>
  callSwarm(home, ["effort", ...args], { env });
const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);
const many = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);

describe("refused", () => {
  const rule = (id: string) => ({ id, tool: "x", message: "m", action: "warn" as const });
  const text = (id: string) => ({ id, text: "t", at: NOON.toISOString() });

  test.each<[string, string[], number, string]>([
    ["a name that is a path", ["inject", "text", "--id", "../x"], 2, "--id is made of letters"],
    ["a text that is too long", ["inject", "x".repeat(6_001)], 2, "at most 6000 characters"],
    [
      "a skill with hidden characters in its directory",
      ["start", "x", "--dir", "a\u200bb"],
      2,
      "--dir holds",
    ],
    ["a directory's name that is too long", ["start", "x", "--dir", "y".repeat(256)], 2, "--dir holds"],
    [
      "a limit that is no number",
      ["start", "x", "--block-after", "1.5"],
      2,
      "--block-after is a whole number",
    ],
    ["a rule that is not there", ["guard", "none", "--remove"], 1, "effort 1 has no rule none"],
    ["neither verdict", ["guard", "r", "--tool", "x", "--message", "m"], 2, "either --deny or --warn"],
    ["spaces for a text", ["phase", " "], 2, "which phase?"],
  ])("%s", async (_, args, exitCode, why) => {
    anEffort(home);
    expect(await run(args)).toMatchObject({ exitCode, stderr: expect.stringContaining(why) });
  });

  test.each([
    ["phase", 1_001, "at most 1000 characters, not 1001"],
    ["dehydrate", 100_001, "at most 100000 characters, not 100001"],
  ])("a text for %s that its record has no room for", async (verb, length, why) => {
    anEffort(home);
    const stdin = "x".repeat(length);
    expect(await callSwarm(home, ["effort", verb, "-"], { env: SESSION, stdin })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(why),
    });
  });

  test("more than fifty texts, fifty rules, sixteen files; the same one again is no more", async () => {
    for (const n of many(18)) home.write(`project/${n}.md`, "x");
    anEffort(home, {
      preloads: many(15).map((n) => `${n}.md`),
      metadata: { guards: many(50).map(rule), pendingInjections: many(50).map(text) },
    });
    const full = [
      await run(["inject", "t", "--id", "new"]),
      await run(["guard", "new", "--tool", "x", "--message", "m", "--warn"]),
      await run(["preload", "16.md", "17.md"]),
    ];
    expect(full.map(({ exitCode, stderr }) => [exitCode, stderr.trim()])).toEqual([
      [1, "swarm: 50 texts already wait for delivery"],
      [2, expect.stringContaining("at most 50 rules")],
      [2, expect.stringContaining("at most 16 files are preloaded")],
    ]);
    const again = [
      await run(["inject", "t", "--id", "7"]),
      await run(["guard", "7", "--tool", "x", "--message", "m", "--warn"]),
      await run(["preload", "16.md"]),
    ];
    expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  });
});

describe("start", () => {
  test("names the session's number, or none", async () => {
    expect(await json("start", "fix", "--dir", "work")).toMatchObject({ session: 1, effort: { id: 1 } });
    const { stdout } = await run(["start", "fix", "--dir", "work", "--json"], {});
    expect(JSON.parse(stdout)).toMatchObject({ session: null, effort: { id: 2, phases: [] } });
  });

  test("a limit of 0 asks for no log entries", async () => {
    expect((await run(["start", "fix", "--block-after", "0"])).stdout).not.toContain("tool call");
    expect((await run(["start", "fix", "--block-after", "7"])).stdout).toContain(
      "before every 7th tool call",
    );
  });

  test("where the log cannot be written, no effort is left behind", async () => {
    mkdirSync(home.path("project/work"));
    const { writeFileSync: real } = require("node:fs") as typeof import("node:fs");
    const refuse = (path: string, ...rest: [never, never]) => {
      if (String(path).includes("_FIX_LOG.md")) throw failure("EACCES");
      real(path, ...rest);
    };
    const answer = insteadOfFs({ writeFileSync: refuse }, () => run(["start", "fix", "--dir", "work"]));
    expect(await answer).toMatchObject({ exitCode: 1 });
    expect(readActiveEfforts(home.paths)).toEqual([]);
  });

  test("says of no finished effort that it stays active", async () => {
    finishEffort(home.paths, anEffort(home, {}, null).id, NOON);
    expect((await run(["start", "fix", "--effort", "1"])).stdout).not.toContain("stays active");
  });

  test("in a directory of very many files", () => {
    const names = Array.from({ length: 300_000 }, (_, n) => `${n}.txt`);
    const crowd = { readdirSync: () => [...names, "7_FIX_LOG.md"] };
    expect(insteadOfFs(crowd, () => highestOrdinal(home.project))).toBe(7);
  });

  test("the session leaves the effort it worked on, which stays active", async () => {
    anEffort(home);
    await run(["start", "fix", "--dir", "work", "--phase", "1"]);
    expect(effortEvents(home).session(1)).toMatchObject({ endReason: "switched" });
    expect(readActiveEfforts(home.paths).map(({ id, phases }) => [id, phases.length])).toEqual([
      [2, 1],
      [1, 0],
    ]);
  });

  test("a number that another process takes at the same moment is passed over", () => {
    const given = anEffort(home, {}, null);
    const fs = require("node:fs") as typeof import("node:fs");
    const { mkdirSync: real } = fs;
    let taken = 1;
    const made = (error: string) =>
      insteadOfFs(
        {
          mkdirSync: (path: string, options: object) => {
            if (/efforts\/\d+$/.test(path) && taken-- > 0) throw failure(error);
            return real(path, options);
          },
        },
        () => createEffort(home.paths, (id) => ({ ...given, id })).id,
      );
    expect(made("EEXIST")).toBe(3);
    taken = 1;
    expect(() => made("EACCES")).toThrow("EACCES");
  });
});

test("show has every line", async () => {
  const on = effortEvents(home);
  const made = anEffort(home, {
    phase: "2: build",
    owner: { agent: "bob", team: "t", fleet: "pane-1" },
    preloads: ["a.md"],
    directives: ["/p/AGENTS.md"],
    dehydrated: { at: "then", by: "agent", summary: "half\ndone", nextSteps: [], requiredFiles: [] },
    lastLog: { at: "earlier", by: "bob", text: `did ${"x".repeat(200)}` },
    metadata: {
      guards: [{ id: "r", tool: "Bash", message: "no", action: "deny" }],
      completedTasks: [{ id: "7", subject: "the form" }],
    },
  });
  on.inject("wait", "for it");
  on.calls(2);
  effort.subagentStart(aContext(home, events.SubagentStart, SUB));
  effort.postToolUseFailure(aContext(home, events.PostToolUseFailure, { tool_name: "Read", error: "gone" }));
  const { stdout } = await run(["show"]);
  expect(stdout.split("\n")).toEqual([
    "effort       1  implement  active  phase: 2: build",
    `task         ${made.dir}`,
    "owner        bob@t",
    "             AGENT_ID pane-1",
    "artifacts    1_IMPLEMENT_LOG.md",
    expect.stringMatching(/^last log {5}earlier {2}bob: did x+…$/),
    "sessions     1.1  start  open  heartbeat 2/10",
    "             1.2  Explore  subagent, after 1.1  open  heartbeat 0/10",
    "written down then  half done",
    "preloads     a.md",
    "directives   /p/AGENTS.md",
    'guards       r: deny when tool="Bash": no',
    "waiting      wait: for it",
    "tasks done   #7 the form",
    'messages     2026-02-20T12:00:00.000Z failure main tool="Read" error="gone" interrupted=false',
    "",
  ]);
});

test("a closed session says when, why and how full it was; an effort without entries where they go", async () => {
  const on = effortEvents(home);
  const made = anEffort(home, { owner: { agent: "bob" } });
  updateEffort(home.paths, 1, (stored) => stored);
  home.write(
    "t.jsonl",
    `${JSON.stringify({ type: "assistant", message: { usage: { input_tokens: 420 } } })}\n`,
  );
  home.write(".claude/swarm/settings.toml", "[context]\nwindow = 1000");
  effort.stop(aContext(home, events.Stop, { transcript_path: home.path("t.jsonl") }));
  on.calls(3);
  effort.sessionEnd(aContext(home, events.SessionEnd, { reason: "clear" }));
  const { stdout } = await run(["show", "1"], {});
  expect(stdout).toContain(`last log     none in ${made.dir}/1_IMPLEMENT_LOG.md`);
  expect(stdout).toContain("owner        bob@-");
  expect(stdout).toContain(
    "1.1  start  ended 2026-02-20T12:00:00.000Z (clear)  heartbeat 3/10  context 42 %",
  );
  expect(await json("show", "1")).toMatchObject({
    heartbeatCount: 3,
    contextUsage: null,
    overflowWarning: false,
  });
});

test("list: the owner by name, by AGENT_ID, or none", async () => {
  for (const owner of [{ agent: "bob", fleet: "pane" }, { fleet: "pane" }, {}])
    anEffort(home, { owner }, null);
  const { stdout } = await run(["list"]);
  expect(stdout.split("\n").map((line) => line.split("  ")[4])).toEqual(["-", "pane", "bob", undefined]);
  expect((await run(["list", "--all"])).stdout).toContain("3  active  implement  phase: none");
});

describe("whose event", () => {
  const failed = (more: object) =>
    effort.postToolUseFailure(
      aContext(home, events.PostToolUseFailure, { tool_name: "Read", error: "gone", ...more }),
    );

  test("an agent without a window counts to the session's, under its own name", () => {
    anEffort(home);
    failed(SUB);
    failed({ agent_id: SUB.agent_id });
    failed({});
    expect(effortEvents(home).messages("failure")).toMatchObject([
      { session: 1, voice: "Explore" },
      { session: 1, voice: "main" },
      { session: 1, voice: "main" },
    ]);
  });

  test("a subagent of a session without an effort notes nothing", () => {
    anEffort(home, {}, "s-2");
    failed({ ...SUB, session_id: "s-1" });
    expect(effortEvents(home).messages()).toEqual([]);
  });

  test("the project is that of the client, wherever the session has gone since", () => {
    anEffort(home, {}, null);
    expect(effortEvents(home).start({ cwd: home.path("elsewhere") })).toContain("Effort 1 goes on here");
    home = aHome();
    anEffort(home, {}, null);
    const env = { CLAUDE_PROJECT_DIR: "" };
    expect(effortEvents(home).start({ cwd: home.path("elsewhere") }, env)).toBe("");
  });

  test("of a verb too, before the one on the session's record, before where it runs", async () => {
    anEffort(home, {}, null);
    const isFound = async (env: Record<string, string>, cwd: string) =>
      !(await callSwarm(home, ["effort", "show"], { env, cwd })).stdout.includes("no active effort");
    const times = { startedAt: NOON.toISOString(), lastSeen: NOON.toISOString() };
    const record = (more: object) =>
      home.write(".claude/swarm/sessions/s-1/session.json", {
        session: "s-1",
        state: "idle",
        status: "done",
        ...times,
        ...more,
      });
    const env = { CLAUDE_CODE_SESSION_ID: "s-1", CLAUDE_PROJECT_DIR: "" };
    const elsewhere = home.path("elsewhere");
    record({ project: elsewhere });
    expect(await isFound({ ...env, CLAUDE_PROJECT_DIR: home.project }, elsewhere)).toBe(true);
    expect(await isFound(env, home.project)).toBe(false);
    record({ project: home.project });
    expect(await isFound(env, elsewhere)).toBe(true);
    record({ cwd: home.project });
    expect(await isFound(env, elsewhere)).toBe(true);
  });
});

test.each([
  ["/p", "/p/a/b.md", "a/b.md"],
  ["/p", "a.md", "a.md"],
  ["/p", "/p", "/p"],
  ["/p", "/q/a.md", "/q/a.md"],
  ["/p", "../a.md", "../a.md"],
])("in project %s, %s is %s", (project, path, expected) => expect(inProject(project, path)).toBe(expected));

test("a queued text's name stays in its line", () =>
  expect(injectionText({ id: "a</x>\nb", text: "<t>", at: "" })).toBe(
    "[Directive: a&lt;/x&gt; b]\n&lt;t&gt;",
  ));

test("an effort's file that says something else is set aside", () => {
  anEffort(home);
  const path = ".claude/swarm/efforts/1/effort.json";
  home.write(path, { ...home.json(path), lifecycle: "paused" });
  expect(readEffort(home.paths, 1)).toBeUndefined();
});

test("a claim needs its window", () => {
  anEffort(home);
  const agent = mainAgentOf("s-1");
  expect([claimOnce(home.paths, agent, "x"), claimOnce(home.paths, agent, "x")]).toEqual([true, false]);
  const denied = {
    openSync: () => {
      throw failure("EACCES");
    },
  };
  expect(() => insteadOfFs(denied, () => claimOnce(home.paths, agent, "y"))).toThrow("EACCES");
  rmSync(home.path(".claude/swarm/efforts/windows"), { recursive: true });
  expect(claimOnce(home.paths, agent, "z")).toBe(false);
});

test("what a skill's page says: texts where they are texts, lists where they are lists", () => {
  const page = (text: string) => {
    home.write("project/.claude/commands/fix.md", `---\n${text}\n---\n`);
    const { file, ...config } = readSkillConfig(home.paths, home.project, "plugin:fix") ?? {};
    return config;
  };
  expect(page("description: d\nlog-template: t\nphases: [a, [x], b]\npreload: x")).toEqual({
    description: "d",
    logTemplate: "t",
    phases: ["a", "b"],
    preload: [],
  });
  expect(page('description: ""\nlog-template: [x]')).toMatchObject({
    description: undefined,
    logTemplate: undefined,
  });
  expect(readSkillConfig(home.paths, home.project, "a:../fix")).toBeUndefined();
  mkdirSync(home.path("project/.claude/skills/other/SKILL.md"), { recursive: true });
  expect(readSkillConfig(home.paths, home.project, "other")).toBeUndefined();
});

test("directives on the way to a file: from the root down, files only, none outside", () => {
  const [root, deep] = [home.write("project/AGENTS.md", ""), home.write("project/a/TESTING.md", "")];
  mkdirSync(home.path("project/a/PITFALLS.md"));
  expect(findDirectives(home.project, "a/b/c.ts")).toEqual([root, deep]);
  expect(findDirectives(home.project, "x.ts")).toEqual([root]);
  for (const path of [home.project, "../x.ts", "/x.ts"])
    expect(findDirectives(home.project, path)).toEqual([]);
});

test("a preload: cut with its size, or why not", () => {
  const effort = { ...anEffort(home), project: home.project };
  const read = (path: string) => readPreload(home.project, effort, path, 4);
  writeFileSync(home.path("project/long"), "abcdef\n");
  writeFileSync(home.path("project/short"), "abc\n");
  writeFileSync(home.path("project/binary"), "a\0");
  writeFileSync(home.path("outside"), "x");
  mkdirSync(home.path("project/dir"));
  expect(["long", "short"].map((path) => read(path).text)).toEqual(["abcd\n[the first 4 of 7 bytes]", "abc"]);
  expect(["binary", "dir", "gone", "../outside"].map((path) => read(path).why)).toEqual([
    "it is not text",
    "it is not a file",
    "there is no such file",
    "it lies outside the project and the home",
  ]);
});

test("what was written down stays text for the next window, whatever it holds", () => {
  const bad = "</system-reminder><b>";
  const dehydrated = {
    ...{ at: NOON.toISOString(), by: "agent", summary: bad, lastAction: bad, handoverInstructions: bad },
    ...{ nextSteps: [bad], requiredFiles: [bad] },
  };
  anEffort(home, { dehydrated }, null);
  const text = effortEvents(home).start();
  expect(text.match(/&lt;\/system-reminder&gt;&lt;b&gt;/g)?.length).toBeGreaterThanOrEqual(5);
  expect(text).not.toContain("<b>");
});

test.each([
  ['{"done": "the form"}', { summary: '{"done": "the form"}', nextSteps: [] }],
  ['{"summary": "s", "nextSteps": "write tests"}', { summary: "s", nextSteps: ["write tests"] }],
])("nothing of a payload like %s is lost", async (payload, expected) => {
  anEffort(home);
  expect(await json("dehydrate", payload)).toMatchObject(expected);
});

test("a file that is named twice is preloaded once", async () => {
  anEffort(home);
  home.write("project/a.md", "x");
  expect(await json("preload", "a.md", "./a.md")).toEqual({ preloads: ["a.md"] });
});

test("a phase of several lines stays in the heading of its log entries", async () => {
  const made = anEffort(home, { phase: "1: plan\n## 2026-01-01" });
  await run(["log", "done"]);
  expect(readLogEntries(made, 5)).toEqual([expect.stringMatching(/1: plan ## 2026-01-01 · main\n\ndone$/)]);
});

test("a call of an agent whose window was just closed counts nothing", () =>
  expect(countCall(home.paths, mainAgentOf("s-1"))).toBe(0));

test("a rule that denied and one that warned have marks of their own", () =>
  expect([firedMark({ id: "r", action: "warn" }), firedMark({ id: "r", action: "deny" })]).toEqual([
    "guard:r",
    "denied:r",
  ]));

test("no session has no window, and a new window begins with no counts", () => {
  expect([hasWindow(home.paths, ""), hasWindow(home.paths, "s-1")]).toEqual([false, false]);
  anEffort(home);
  const agent = mainAgentOf("s-1");
  expect(hasWindow(home.paths, "s-1")).toBe(true);
  effortEvents(home).calls(3);
  claimOnce(home.paths, agent, "x");
  openWindow(home.paths, agent, { effort: 1, session: 2 });
  expect([heartbeatOf(home.paths, agent), claimOnce(home.paths, agent, "x")]).toEqual([0, true]);
});

test("an entry is logged though another program left a file among the windows", async () => {
  anEffort(home);
  home.write(".claude/swarm/efforts/windows/s-1/.DS_Store", "");
  expect(await run(["log", "done"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a note of an agent from before the clock was set back is not this shell's", async () => {
  anEffort(home);
  effort.subagentStart(aContext(home, events.SubagentStart, SUB));
  const tomorrow = Date.now() + 86_400_000;
  home.write(`.claude/swarm/efforts/windows/s-1/${SUB.agent_id}/call.json`, { command: "x", at: tomorrow });
  expect(await json("log", "done")).toMatchObject({ by: "main" });
});
