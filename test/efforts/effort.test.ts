// The fifteen events of Engine hooks: silent without an effort, and what the rarer ones leave behind.
import { rmSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import * as effort from "../../lib/efforts/hooks.ts";
import { readEffort } from "../../lib/efforts/store/efforts.ts";
import { appendLogEntry } from "../../lib/efforts/store/project-files.ts";
import * as events from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anEffort } from "../support/an-effort.ts";
import { effortEvents, minutes, words } from "../support/effort-events.ts";
import { payload } from "../support/run-built.ts";

let home: Home;
let on: ReturnType<typeof effortEvents>;
beforeEach(() => {
  home = aHome();
  on = effortEvents(home);
});

const handlerOf = (name: string) =>
  (effort as Record<string, unknown>)[name.replace(/^./, (letter) => letter.toLowerCase())] as
    | ((ctx: unknown) => unknown)
    | undefined;
const HEARD = Object.values(events).filter(({ name }) => handlerOf(name));

test("all fifteen events of the seed are here", () => expect(HEARD).toHaveLength(15));

test.each(HEARD)("without an effort $name says nothing and leaves nothing", (event) => {
  const ctx = aContext(home, event, { agent_id: "a0123456789abcdef" });
  expect(handlerOf(event.name)?.(ctx)).toBeUndefined();
  expect(home.has(".claude/swarm/efforts")).toBe(false);
});

test("UserPromptSubmit says the line with the heartbeat, and what waits", () => {
  anEffort(home, { phase: "1" });
  on.calls(4);
  on.inject("x", "do it");
  const ctx = aContext(home, events.UserPromptSubmit, { prompt: "go" });
  expect(words(effort.userPromptSubmit(ctx))).toMatch(
    /^\[Session Context\] Time: \d{4}-\d\d-\d\d \d\d:\d\d \| Session: work \| Skill: implement \| Phase: 1 \| Heartbeat: 4\/10\n\n\[Directive: x\]\ndo it$/,
  );
});

describe("PreCompact", () => {
  const compact = (trigger = "auto", env = {}) =>
    effort.preCompact(aContext(home, events.PreCompact, { trigger }, { env, now: minutes(5) }));
  const set = (way: string) => home.write(".claude/swarm/settings.toml", `[effort]\nprecompact = "${way}"`);

  test("keeps what the files know, and the next start gives it back", () => {
    const made = anEffort(home, { phase: "2: build" });
    appendLogEntry(made, "2026-02-20 12:00 · main", "built the form");
    on.onResult("Read", { file_path: "/p/form.ts" });
    expect(compact("manual")).toBeUndefined();
    expect(on.session(1)?.dehydration).toMatchObject({
      by: "snapshot",
      lastAction: expect.stringContaining("built the form"),
      requiredFiles: ["/p/form.ts"],
    });
    const text = on.start({ source: "compact" }, {}, minutes(6));
    expect(text).toContain("## Session Recovery (Dehydrated Context)\n(snapshot of the files");
    expect(text).toContain("Files: /p/form.ts");
  });

  test("the agent's own words come before a newer snapshot", () => {
    anEffort(home);
    on.dehydrated("my words", ["go"], minutes(4));
    compact();
    const text = on.start({ source: "compact" }, {}, minutes(6));
    expect(text.indexOf("my words")).toBeLessThan(text.indexOf("the window was compacted here"));
  });

  test("block: once, loud, with what to do for person and agent; then it goes through", () => {
    set("block");
    anEffort(home);
    expect(compact()).toMatchObject({ loud: true, deny: expect.stringContaining("swarm effort dehydrate") });
    expect(on.session(1)?.dehydration).toBeNull();
    expect(on.onResult("Bash", {}, {}, minutes(6))).toContain("A compaction was held back once");
    expect(compact()).toBeUndefined();
    expect(on.session(1)?.dehydration).toMatchObject({ by: "snapshot" });
  });

  test("block: not when this window is already written down", () => {
    set("block");
    anEffort(home);
    on.dehydrated("all of it", [], minutes(1));
    expect(compact()).toBeUndefined();
  });

  test.each([
    ["a manual /compact", "manual", { CLAUDE_PID: `${process.pid}` }],
    ["a client that is not proven ours", "auto", { CLAUDE_PID: "1" }],
  ])("kill spares %s and keeps a snapshot instead", (_, trigger, env) => {
    set("kill");
    anEffort(home);
    const ours = { env: { CLAUDE_PID: `${process.pid}` } };
    sessions.sessionStart(aContext(home, events.SessionStart, { source: "startup" }, ours));
    expect(compact(trigger, env)).toBeUndefined();
    expect(on.session(1)?.dehydration).toMatchObject({ by: "snapshot" });
    expect(home.has(".claude/swarm/efforts/1/restart.md")).toBe(false);
  });
});

describe("the message log", () => {
  const { PostToolUseFailure, Notification, PermissionRequest, TeammateIdle } = events;
  const permission = { kind: "attention", why: "permission_request", tool: "Write" };
  test.each([
    [
      PostToolUseFailure,
      { tool_name: "Bash", error: "Exit 3" },
      { kind: "failure", tool: "Bash", error: "Exit 3" },
    ],
    [
      Notification,
      { notification_type: "idle_prompt", message: "hm" },
      { kind: "attention", why: "idle_prompt" },
    ],
    [PermissionRequest, { tool_name: "Write" }, permission],
    [TeammateIdle, { teammate_name: "bob", team_name: "t" }, { kind: "idle", who: "bob", team: "t" }],
  ])("has $name", (event, input, expected) => {
    anEffort(home);
    handlerOf(event.name)?.(aContext(home, event, input));
    expect(on.messages()).toMatchObject([{ session: 1, ...expected }]);
  });

  test("an idle teammate in a client of its own is reported to the one that leads the effort", () => {
    anEffort(home, {}, null);
    on.startTwoClients();
    const bob = { session_id: "s-2", teammate_name: "bob", team_name: "t" };
    effort.teammateIdle(aContext(home, TeammateIdle, bob));
    expect(on.onResult("Bash", {}, { session_id: "s-2" })).toBe("");
    expect(on.onResult("Bash")).toBe("[Directive: idle-bob]\nbob is idle.");
  });

  test("a completed task is kept once; a turn's end is no completion", () => {
    anEffort(home);
    const done = (input: Record<string, unknown>) =>
      effort.taskCompleted(aContext(home, events.TaskCompleted, input));
    done({ ...payload("TaskCompleted-teammate-inprocess-turnend"), session_id: "s-1" });
    expect(on.messages()).toEqual([]);
    const real = { task_id: "1", task_subject: "First" };
    done(real);
    done(real);
    expect(readEffort(home.paths, 1)?.metadata.completedTasks).toEqual([{ id: "1", subject: "First" }]);
  });

  test("Stop keeps how full the window was, and a limit that ended the turn", () => {
    home.write(".claude/swarm/settings.toml", "[context]\nwindow = 1000");
    const message = { usage: { input_tokens: 420 }, content: "API Error: 429" };
    const entry = { type: "assistant", message, isApiErrorMessage: true, error: "rate_limit" };
    const transcript_path = home.write("t.jsonl", `${JSON.stringify(entry)}\n`);
    anEffort(home);
    effort.stop(aContext(home, events.Stop, { transcript_path }));
    expect(on.session(1)?.contextUsage).toBe(42);
    expect(on.messages("limit")).toMatchObject([{ limit: "rate", text: "API Error: 429" }]);
  });

  test("messages from before the log was rotated are still given back", () => {
    anEffort(home);
    const questions = [{ question: "Which one?", options: [], answer: "Alpha" }];
    const said = { at: "x", kind: "dialogue", session: 1, voice: "main", questions };
    home.write(".claude/swarm/efforts/1/messages.jsonl.1", `${JSON.stringify(said)}\n`);
    expect(on.start({ session_id: "s-2" })).toContain("- Which one? → Alpha");
  });

  test("ConfigChange reads the skill anew", () => {
    const change = () =>
      effort.configChange(aContext(home, events.ConfigChange, { source: "project_settings" }));
    anEffort(home, { skillConfig: { file: "old", phases: [], preload: [] } });
    const page = "---\ndescription: builds\nphases: [plan, build]\n---\n";
    home.write("project/.claude/skills/implement/SKILL.md", page);
    change();
    const known = { description: "builds", phases: ["plan", "build"] };
    expect(readEffort(home.paths, 1)?.skillConfig).toMatchObject(known);
    rmSync(home.path("project/.claude"), { recursive: true });
    change();
    expect(readEffort(home.paths, 1)?.skillConfig).toBeNull();
  });
});
