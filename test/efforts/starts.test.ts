// Windows that begin and end: the effort is given back, and each is linked to the one before.
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import * as effort from "../../lib/efforts/hooks.ts";
import { finishEffort, readEffort, readEffortSessions } from "../../lib/efforts/store/efforts.ts";
import { appendLogEntry, logPathOf, readLogEntries } from "../../lib/efforts/store/project-files.ts";
import { mainAgentOf, readLink, windowAgents } from "../../lib/efforts/store/windows.ts";
import * as events from "../../lib/hook/events.ts";
import { startOf } from "../../lib/system/processes.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { anEffort } from "../support/an-effort.ts";
import { callSwarm } from "../support/call-swarm.ts";
import { effortEvents, minutes, words } from "../support/effort-events.ts";
import { failure, insteadOfFs } from "../support/instead-of-fs.ts";

let home: Home;
let on: ReturnType<typeof effortEvents>;
beforeEach(() => {
  home = aHome();
  on = effortEvents(home);
});

describe("SessionStart", () => {
  test("goes on with the effort: line, recovery, log, files, in this order", () => {
    home.write("project/plan.md", "Step <one>");
    const made = anEffort(home, { phase: "2: build", preloads: ["plan.md"] });
    appendLogEntry(made, "2026-02-20 12:00 · main", "built the form");
    on.dehydrated("form is there", ["write tests"]);
    const text = on.start({ session_id: "s-2" });
    const paths = [
      "[Session Context] Time: ",
      " | Session: work | Skill: implement | Phase: 2: build | Heartbeat: 0/10",
      "Effort 1 goes on here: session 1.2, after 1.1.",
      "## Session Recovery (Dehydrated Context)",
      "form is there",
      "- write tests",
      "built the form",
      "[Files to preload]:\n- plan.md",
      "[Preloaded: plan.md]\nStep &lt;one&gt;",
    ].map((part) => text.indexOf(part));
    expect(paths).not.toContain(-1);
    expect(paths).toEqual([...paths].sort((a, b) => a - b));
  });

  test.each(["startup", "clear", "compact", "resume"])(
    "%s always opens a new session, linked to the last",
    (source) => {
      anEffort(home);
      on.start({ source }, {}, minutes(1));
      expect(on.session(2)).toMatchObject({ client: "s-1", previous: 1, source });
      expect(on.session(1)).toMatchObject({ endReason: source });
      expect(readLink(home.paths, mainAgentOf("s-1"))).toEqual({ effort: 1, session: 2 });
    },
  );

  test("/clear changes the session's name, and the effort follows the process", () => {
    const env = { CLAUDE_PID: `${process.pid}` };
    anEffort(home, {}, null);
    on.start({ session_id: "s-1" }, env);
    anEffort(home, {}, "s-9"); // a younger one in the same project, by somebody else
    const text = on.start({ session_id: "s-2", source: "clear" }, env);
    expect(text).toContain("Effort 1 goes on here: session 1.2, after 1.1.");
  });

  test("each client follows its own window, though another opened one since", () => {
    anEffort(home, {}, null);
    on.start({ session_id: "s-1" });
    on.start({ session_id: "s-2" });
    on.start({ session_id: "s-1", source: "compact" });
    expect(on.session(3)).toMatchObject({ client: "s-1", previous: 1 });
  });

  test("the windows of a client that died, its subagents' too, are closed by the next one", () => {
    anEffort(home, {}, null);
    on.start({ session_id: "s-1" }, { CLAUDE_PID: "4194300" });
    const subagent = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
    effort.subagentStart(aContext(home, events.SubagentStart, subagent));
    on.start({ session_id: "s-2" });
    expect(on.session(1)).toMatchObject({ endReason: "gone" });
    expect(on.session(2)).toMatchObject({ endReason: "gone" });
    expect(on.session(3)?.endedAt).toBeUndefined();
  });

  const CAROL = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "carol" };
  test.each([
    ["AGENT_ID", { AGENT_ID: "pane-1" }, 1],
    ["team and name", { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" }, 2],
    ["nothing: the latest", {}, 3],
    ["a name that owns none: the latest without an owner", CAROL, 3],
  ])("finds the effort by %s", (_, env, expected) => {
    anEffort(home, { owner: { fleet: "pane-1" } }, null);
    anEffort(home, { owner: { team: "t", agent: "bob" } }, null);
    anEffort(home, {}, null);
    expect(on.start({}, env)).toContain(`Effort ${expected} goes on`);
  });

  test.each([
    ["another project", () => anEffort(home, { project: home.path("elsewhere") }, null)],
    ["a finished one", () => finishEffort(home.paths, anEffort(home, {}, null).id, NOON)],
    ["a mark without a record", () => home.write(".claude/swarm/efforts/active/7", "")],
  ])("%s is no effort here", (_, arrange) => {
    arrange();
    expect(on.start()).toBe("");
  });

  test("stays within 2,500 tokens, and says what was cut", () => {
    for (const name of ["a.md", "b.md", "c.md"]) home.write(`project/${name}`, "long text ".repeat(2_000));
    anEffort(home, { preloads: ["a.md", "b.md", "c.md"] });
    on.dehydrated("the heart of it");
    const text = on.start({ session_id: "s-2" });
    expect(text.length).toBeLessThanOrEqual(10_000);
    expect(text).toContain("the heart of it");
    expect(text).toMatch(/\[swarm: cut for length: .*c\.md/);
  });

  test("a queued text that long notes leave no room for comes later", () => {
    anEffort(home);
    on.dehydrated("long notes ".repeat(2_000));
    on.inject("x", "do it ".repeat(100));
    expect(on.start({ session_id: "s-2" })).not.toContain("do it");
    expect(on.onResult("Bash", {}, { session_id: "s-2" }, minutes(1))).toContain("[Directive: x]\ndo it");
  });

  test.each([
    ["outside project and home", "/etc/hostname", "it lies outside"],
    ["not there", "gone.md", "there is no such file"],
  ])("a preload %s is named with the reason", (_, path, why) => {
    anEffort(home, { preloads: [path] });
    expect(on.start({ session_id: "s-2" })).toContain(`- ${path} (${why}`);
  });
});

describe("SessionStart beside something odd", () => {
  test("an effort that cannot be read hides no other one", () => {
    anEffort(home, {}, null);
    anEffort(home, { project: home.path("elsewhere") }, null);
    const path = home.path(".claude/swarm/efforts/2/effort.json");
    rmSync(path);
    mkdirSync(path);
    expect(on.start()).toContain("Effort 1 goes on here");
    expect(takeProblems()).toEqual([expect.stringContaining("effort 2 cannot be read")]);
  });

  test("a preload that may not be read is named with the reason, and the rest is there", () => {
    home.write("project/closed.md", "x");
    anEffort(home, { preloads: ["closed.md"] });
    on.dehydrated("the heart of it");
    const { openSync } = require("node:fs") as typeof import("node:fs");
    const refuse = (path: string, ...rest: [never, never]) => {
      if (String(path).endsWith("closed.md")) throw failure("EACCES");
      return openSync(path, ...rest);
    };
    const text = insteadOfFs({ openSync: refuse }, () => on.start({ session_id: "s-2" }));
    expect(text).toContain("- closed.md (it cannot be read)");
    expect(text).toContain("the heart of it");
  });

  test("what a project's skill lists must lie inside it; a person's own may name the home", () => {
    home.write("secret.md", "the secret");
    const config = { phases: [], preload: ["../secret.md"] };
    const file = `${realpathSync(home.project)}/.claude/skills/implement/SKILL.md`;
    anEffort(home, { skillConfig: { file, ...config } }, null);
    const text = on.start();
    expect(text).toContain("- ../secret.md (it lies outside");
    expect(text).not.toContain("the secret");
    finishEffort(home.paths, 1, NOON);
    const own = home.path(".claude/skills/implement/SKILL.md");
    anEffort(home, { skillConfig: { file: own, ...config } }, null);
    expect(on.start({ session_id: "s-2" })).toContain("the secret");
    finishEffort(home.paths, 2, NOON);
    anEffort(home, { skillConfig: { file, ...config }, preloads: ["../secret.md"] }, null);
    expect(on.start({ session_id: "s-3" })).toContain("the secret");
  });

  test("a directory in the log's place costs the next window nothing else", () => {
    const made = anEffort(home);
    on.dehydrated("the heart of it");
    rmSync(logPathOf(made));
    mkdirSync(logPathOf(made));
    expect(on.start({ session_id: "s-2" })).toContain("the heart of it");
  });

  test("of a log whose last entry is a giant its end is given back", () => {
    const made = anEffort(home);
    appendLogEntry(made, "2026-02-20 12:00 · main", `${"long text ".repeat(2_000)}the end`);
    expect(readLogEntries(made, 3)).toEqual([expect.stringMatching(/^… [\s\S]*the end$/)]);
    effort.preCompact(aContext(home, events.PreCompact, { trigger: "auto" }));
    expect(on.session(1)?.dehydration?.summary).toContain("the log has the rest");
  });
});

describe("subagents", () => {
  const subagent = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
  const mate = { agent_id: "aalice-0123456789abcdef", agent_type: "alice" };
  const begin = (who: Record<string, unknown>) =>
    words(effort.subagentStart(aContext(home, events.SubagentStart, who)));
  const end = (who: Record<string, unknown>) => effort.subagentStop(aContext(home, events.SubagentStop, who));

  test("get a session of the parent's effort, with log template, directives and rules", () => {
    anEffort(home, {
      directives: ["/p/AGENTS.md"],
      metadata: { guards: [{ id: "g", tool: "Bash", message: "Careful.", action: "warn" }] },
    });
    const text = begin(subagent);
    expect(text).toContain("session 1.2, started from 1.1");
    expect(text).toContain("template: swarm effort log");
    expect(text).toContain("Directives: /p/AGENTS.md");
    expect(text).toContain("[Guard: g] Careful.");
    expect(on.session(2)).toMatchObject({
      voice: subagent.agent_id,
      agentType: "Explore",
      previous: 1,
      client: "s-1",
    });
    expect(readEffort(home.paths, 1)?.lastSession).toBe(1);
  });

  test("end it when they stop, and hand their files back", () => {
    anEffort(home);
    begin(subagent);
    on.onResult("Read", { file_path: "/p/a.ts" }, subagent);
    end(subagent);
    expect(on.session(2)).toMatchObject({ endReason: "subagent-stop", loadedFiles: ["/p/a.ts"] });
    expect(readEffort(home.paths, 1)?.loadedFiles).toEqual(["/p/a.ts"]);
    expect(windowAgents(home.paths, "s-1")).toEqual([mainAgentOf("s-1")]);
  });

  test("an in-process teammate has one session, however many turns", () => {
    anEffort(home);
    for (const turn of [1, 2, 3]) {
      begin(mate);
      on.onResult("Read", { file_path: `/p/${turn}.ts` }, mate);
      end(mate);
    }
    expect(readEffortSessions(home.paths, 1)).toHaveLength(2);
    expect(on.session(2)?.endedAt).toBeUndefined();
    expect(readEffort(home.paths, 1)?.loadedFiles).toEqual(["/p/1.ts", "/p/2.ts", "/p/3.ts"]);
  });

  test("an in-process teammate's next turn says its own count of calls", () => {
    anEffort(home);
    begin(mate);
    on.calls(4, mate);
    end(mate);
    expect(begin(mate)).toContain("Heartbeat: 4/10");
  });

  test("an in-process teammate follows its lead to another effort, and its session in the first one ends", async () => {
    anEffort(home);
    begin(mate);
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    await callSwarm(home, ["effort", "start", "fix", "--dir", "work"], { env });
    expect(begin(mate)).toContain("session 2.2, started from 2.1");
    expect(readEffortSessions(home.paths, 1).map((one) => one.endReason)).toEqual(["switched", "switched"]);
  });

  test("the compaction's SubagentStop is nobody", () => {
    anEffort(home);
    begin(subagent);
    end({ ...subagent, agent_type: "" });
    expect(on.session(2)?.endedAt).toBeUndefined();
  });

  test("without an effort a subagent starts none", () => {
    expect(begin(subagent)).toBe("");
    expect(home.has(".claude/swarm/efforts")).toBe(false);
  });
});

describe("SessionEnd", () => {
  const end = (input: Record<string, unknown>) =>
    effort.sessionEnd(aContext(home, events.SessionEnd, input, { now: minutes(5) }));

  test.each(["prompt_input_exit", "clear", "other"])("%s ends the window and every agent in it", (reason) => {
    anEffort(home);
    const mate = { agent_id: "aalice-0123456789abcdef", agent_type: "alice" };
    effort.subagentStart(aContext(home, events.SubagentStart, mate));
    on.calls(3);
    end({ reason });
    expect(readEffortSessions(home.paths, 1).map((one) => one.endReason)).toEqual([reason, reason]);
    expect(on.session(1)?.heartbeat).toBe(3);
    expect(on.messages("session")).toMatchObject([{ what: "ended", reason }]);
    expect(readEffort(home.paths, 1)?.lifecycle).toBe("active");
  });

  test("nothing ends while another client runs the session", () => {
    anEffort(home);
    const other = { pid: process.pid, startedAt: startOf(process.pid), session: "s-1" };
    home.write(`.claude/swarm/processes/${process.pid}.json`, other);
    const env = { CLAUDE_PID: String(process.ppid) };
    effort.sessionEnd(aContext(home, events.SessionEnd, { reason: "other" }, { env }));
    expect(on.session(1)?.endedAt).toBeUndefined();
  });

  test("a file of another program among the windows breaks nothing off", () => {
    anEffort(home);
    home.write(".claude/swarm/efforts/windows/s-1/.DS_Store", "");
    end({ reason: "other" });
    expect(on.session(1)?.endReason).toBe("other");
    expect(on.messages("session")).toMatchObject([{ what: "ended" }]);
  });

  test("the other client on the effort is notified", () => {
    anEffort(home, {}, null);
    on.startTwoClients();
    end({ session_id: "s-2", reason: "other" });
    expect(on.onResult("Bash")).toBe("[Directive: ended-2]\nSession 1.2 ended.");
  });

  test("nobody dead is asked to lead, though a younger window lives", () => {
    anEffort(home, {}, null);
    on.start({ session_id: "s-1" }, { CLAUDE_PID: "4194300" });
    on.start({ session_id: "s-2" }, { CLAUDE_PID: `${process.pid}` });
    on.start({ session_id: "s-3" }, { CLAUDE_PID: `${process.ppid}` });
    end({ session_id: "s-3", reason: "other" });
    expect(on.onResult("Bash", {}, { session_id: "s-2" })).toContain("Session 1.3 ended.");
  });
});
