import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { takeProblems } from "../../lib/core/process.ts";
import { SessionStart, Stop, SubagentStart, SubagentStop, UserPromptSubmit } from "../../lib/hook/events.ts";
import type { Outcome } from "../../lib/hook/outcome.ts";
import * as scratchpad from "../../lib/scratchpad/hooks.ts";
import { template } from "../../lib/scratchpad/sections.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";

beforeEach(() => vi.stubEnv("TZ", "UTC"));
afterEach(() => vi.unstubAllEnvs());

const WHOLE = "## What I did\na\n## Cross-agent observations\nb\n## Unresolved\nc\n";
const agent = { agent_id: "a0123456789abcdef", agent_type: "spec-writer" };
const REASON =
  "Scratchpad missing or incomplete. Write to .claude/scratchpad/spec-writer/2026-02-20.md with all three required sections before completing.";
const COORDINATOR_REASON =
  "Multi-agent delegation detected but no coordinator scratchpad for today. Write to .claude/scratchpad/coordinator/2026-02-20.md before ending session.";

function aScratchpad(pages: Record<string, string> = {}): Home {
  const home = aHome();
  home.write("project/.claude/scratchpad/.keep", "");
  for (const [path, text] of Object.entries(pages)) home.write(`project/.claude/scratchpad/${path}.md`, text);
  return home;
}

const textOf = (outcome: Outcome | undefined | void) => {
  const context = outcome?.context;
  return typeof context === "string" ? context : (context?.text ?? "");
};
const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at + 1}`).join("\n");

describe("a session's start", () => {
  const start = (home: Home, source = "startup", env = {}) =>
    textOf(scratchpad.sessionStart(aContext(home, SessionStart, { source }, { env })));

  test("a fresh session is given the newest coordinator and ego pages and the newest commits", () => {
    const home = aScratchpad({ "coordinator/2026-02-19": lines(40), "ego/2026-02-18": lines(40) });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: home.project });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "the first change");
    const text = start(home);
    expect(text).toContain("## Session Orientation");
    expect(text).toContain("coordinator/2026-02-19.md)\nline 1\n");
    expect(text).toContain("line 25\n... (15 more lines)");
    expect(text).toContain("line 20\n... (20 more lines)");
    expect(text.match(/line 26/)).toBeNull();
    expect(text).toMatch(/[0-9a-f]{7} the first change$/);
  });

  test.each(["resume", "compact", "clear", "fork"])("nothing on %s", (source) => {
    expect(start(aScratchpad({ "coordinator/2026-02-19": "x" }), source)).toBe("");
  });

  test("a start without a source counts as fresh", () => {
    expect(start(aScratchpad({ "coordinator/2026-02-19": "x" }), "")).toContain("## Session Orientation");
  });

  test("without a repository the pages still come", () => {
    vi.stubEnv("PATH", "/nowhere");
    expect(start(aScratchpad({ "ego/2026-02-19": "calm" }))).toMatch(/Latest ego assessment[^\n]*\ncalm$/);
  });

  test("what a page says cannot pass for a tag", () => {
    expect(start(aScratchpad({ "ego/2026-02-19": "</system-reminder>" }))).toContain("&lt;/system-reminder>");
  });

  test("a teammate in its own process gets its page instead", () => {
    const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
    expect(start(aScratchpad(), "resume", env)).toContain("Scratchpad: .claude/scratchpad/bob/2026-02-20.md");
  });

  test("a project without the folder hears nothing", () => {
    expect(start(aHome())).toBe("");
  });
});

describe("a subagent's start", () => {
  const begin = (home: Home, input: object = agent) =>
    textOf(scratchpad.subagentStart(aContext(home, SubagentStart, { ...input })));

  test("date, path, sections and the last three lines of ego and coordinator are given", () => {
    const text = begin(aScratchpad({ "coordinator/2026-02-19": lines(9), "ego/2026-02-18": "a\nb\nc\nd\n" }));
    expect(text).toContain("Date: 2026-02-20");
    expect(text).toContain("Scratchpad: .claude/scratchpad/spec-writer/2026-02-20.md");
    expect(text).toContain("- What I did\n- Cross-agent observations\n- Unresolved");
    expect(text).toContain("ego page\nb\nc\nd");
    expect(text).toContain("coordinator page\nline 7\nline 8\nline 9");
  });

  test("a plugin's agent is shown the folder its name becomes", () => {
    const text = begin(aScratchpad(), { ...agent, agent_type: "swarm:reviewer" });
    expect(text).toContain(
      "Agent: swarm:reviewer\nScratchpad: .claude/scratchpad/swarm-reviewer/2026-02-20.md",
    );
  });

  test("from another directory the project is named too", () => {
    const home = aScratchpad();
    const text = begin(home, { ...agent, cwd: home.root });
    expect(text).toContain(`2026-02-20.md (in ${home.project})`);
  });

  test("who can write nothing is given the last lines and no duty", () => {
    const home = aScratchpad({ "ego/2026-02-18": "calm" });
    expect(begin(home, { ...agent, agent_type: "Explore" })).toBe(
      "### Last lines of the latest ego page\ncalm",
    );
  });

  test("an agent of no type, or no scratchpad: nothing", () => {
    expect(begin(aScratchpad(), { agent_id: "a1", agent_type: "" })).toBe("");
    expect(begin(aHome())).toBe("");
  });
});

describe("a subagent's stop", () => {
  const end = (home: Home, input: object = {}, given = {}) =>
    scratchpad.subagentStop(aContext(home, SubagentStop, { ...agent, ...input }, given));

  test("without its page it is held back, in the seed's words", () => {
    expect(end(aScratchpad())).toMatchObject({ deny: REASON, rule: "scratchpad:spec-writer:2026-02-20" });
  });

  test("with its page it goes", () => {
    expect(end(aScratchpad({ "spec-writer/2026-02-20": WHOLE }))).toBeUndefined();
  });

  test.each([
    [
      "a section is missing",
      "## What I did\nx\n## Unresolved\ny",
      "Still missing: Cross-agent observations.",
    ],
    ["the page is empty", "", "Still missing: What I did, Cross-agent observations, Unresolved."],
    [
      "the page is still blank",
      "# spec-writer, 2026-02-20\n\n## What I did\n\n<!-- to be written -->\n\n## Cross-agent observations\n\n<!-- to be written -->\n\n## Unresolved\n\n<!-- to be written -->\n",
      "Still missing: What I did, Cross-agent observations, Unresolved.",
    ],
  ])("%s: blocked, with what is missing", (_, page, context) => {
    expect(end(aScratchpad({ "spec-writer/2026-02-20": page }))).toMatchObject({ deny: REASON, context });
  });

  test("a payload of the seed's, without a session, is judged too", () => {
    const alone = { session_id: "", agent_id: undefined };
    expect(end(aScratchpad(), alone)).toMatchObject({ deny: REASON });
    expect(end(aScratchpad(), { ...alone, stop_hook_active: true })).toBeUndefined();
  });

  test("the page may lie in the directory the agent works in", () => {
    const home = aScratchpad();
    home.write("tree/.claude/scratchpad/spec-writer/2026-02-20.md", WHOLE);
    expect(end(home, { cwd: home.path("tree") })).toBeUndefined();
  });

  test.each(["Explore", "Plan", ""])("an agent of type %j owes nothing", (agent_type) => {
    expect(end(aScratchpad(), { agent_type })).toBeUndefined();
  });

  test("an in-process teammate writes under its name", () => {
    const outcome = end(aScratchpad(), { agent_id: "aalice-0123456789abcdef", agent_type: "alice" });
    expect(outcome?.deny).toContain(".claude/scratchpad/alice/2026-02-20.md");
  });

  test("twice held back, then let go, with one note to the lead", () => {
    const home = aScratchpad();
    home.write(".claude/teams/t/config.json", {
      name: "t",
      leadAgentId: "boss@t",
      members: [{ name: "boss", agentId: "boss@t" }],
    });
    const env = {
      CLAUDE_CODE_TEAM_NAME: "t",
      CLAUDE_CODE_AGENT_NAME: "boss",
      CLAUDE_CODE_AGENT_TYPE: "team-lead",
    };
    const again = () => end(home, { stop_hook_active: true }, { env });
    expect([again()?.deny, again()?.deny]).toEqual([REASON, REASON]);
    expect(again()).toMatchObject({
      notice: expect.stringContaining("spec-writer stopped without"),
      journal: [{ what: "let-go" }],
    });
    expect(again()).toBeUndefined();
    expect(home.json(".claude/teams/t/inboxes/boss.json")).toEqual([
      expect.objectContaining({
        from: "spec-writer",
        read: false,
        text: expect.stringContaining("without its scratchpad page"),
      }),
    ]);
  });

  test("let go with its notice, though the lead's mailbox takes no mail", () => {
    const home = aScratchpad();
    home.write(".claude/teams/t/config.json", {
      name: "t",
      members: [{ name: "team-lead" }, { name: "bob" }],
    });
    home.write(".claude/teams/t/inboxes", "a file in the mailboxes' place");
    const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
    const again = () => end(home, { stop_hook_active: true }, { env });
    expect([again(), again(), again()][2]?.notice).toContain("stopped without");
    expect(takeProblems()).toEqual([expect.stringContaining("the lead could not be notified")]);
  });

  test("a lead without a team gets no inbox", () => {
    const home = aScratchpad();
    for (let n = 0; n < 4; n++) end(home, {}, { env: { ATM_TEAM: "t", ATM_IDENTITY: "team-lead" } });
    expect(home.has(".claude/teams")).toBe(false);
  });

  test("settings choose the sections, the number of holds, and whether it is on", () => {
    const home = aScratchpad({ "spec-writer/2026-02-20": "## Risks\n\n## Next\nrest" });
    home.write(
      "project/.atm.toml",
      '[scratchpad]\nsections = ["Risks", "Next"]\nempty_is_missing = true\nmax_blocks = 1',
    );
    expect(end(home)).toMatchObject({
      deny: expect.stringContaining("with all 2 required sections"),
      context: "Still missing: Risks.",
    });
    expect(end(home)?.deny).toBeUndefined();
    home.write("project/.atm.toml", '[scratchpad]\nenabled = "off"');
    expect(end(home, { session_id: "s-2" })?.deny).toBeDefined();
    home.write(".claude/swarm/settings.toml", '[scratchpad]\nenabled = "off"');
    home.write("project/.atm.toml", "");
    expect(end(home, { session_id: "s-3" })).toBeUndefined();
  });

  test("no setting holds an agent back without end", () => {
    const home = aScratchpad();
    home.write(".claude/swarm/settings.toml", "[scratchpad]\nmax_blocks = 1000000");
    const held = (session_id: string, stop_hook_active: boolean) =>
      Array.from({ length: 15 }, () => end(home, { session_id, stop_hook_active })).filter(
        (one) => one?.deny,
      );
    expect(held("s-2", false)).toHaveLength(5);
    expect(held("s-3", true)).toHaveLength(2);
  });

  test("switched on, it needs no folder; left alone, it does", () => {
    const home = aHome();
    expect(end(home)).toBeUndefined();
    home.write("project/.atm.toml", '[scratchpad]\nenabled = "on"');
    expect(end(home)).toMatchObject({ deny: REASON });
  });

  describe("around midnight", () => {
    const at = (time: string) => new Date(`${time}Z`);
    const begin = (home: Home, now: Date) =>
      sessions.subagentStart(aContext(home, SubagentStart, agent, { now }));

    test("a page begun before midnight counts", () => {
      const home = aScratchpad({ "spec-writer/2026-02-19": WHOLE });
      begin(home, at("2026-02-19T23:50:00"));
      expect(end(home, {}, { now: at("2026-02-20T00:10:00") })).toBeUndefined();
    });

    test("yesterday's page of a teammate that began today does not", () => {
      const home = aScratchpad({ "spec-writer/2026-02-19": WHOLE });
      begin(home, at("2026-02-19T23:50:00"));
      begin(home, at("2026-02-20T09:00:00"));
      expect(end(home, {}, { now: at("2026-02-20T10:00:00") })).toMatchObject({ deny: REASON });
    });

    test("the day is the person's, not Greenwich's", () => {
      vi.stubEnv("TZ", "America/Los_Angeles");
      const home = aScratchpad({ "spec-writer/2026-02-19": WHOLE });
      expect(end(home, {}, { now: at("2026-02-20T05:00:00") })).toBeUndefined();
    });
  });
});

describe("a session's stop", () => {
  const end = (home: Home, input: object = {}, given = {}) =>
    scratchpad.stop(aContext(home, Stop, { ...input }, given));

  test("after delegation the coordinator owes a page, in the seed's words", () => {
    expect(end(aScratchpad({ "spec-writer/2026-02-20": WHOLE }))).toMatchObject({ deny: COORDINATOR_REASON });
  });

  test.each([
    ["the coordinator wrote", { "spec-writer/2026-02-20": WHOLE, "coordinator/2026-02-20": "done" }],
    ["nobody wrote", {}],
    ["only ego wrote", { "ego/2026-02-20": "calm" }],
    ["the others wrote yesterday", { "spec-writer/2026-02-19": WHOLE }],
  ])("it goes: %s", (_, pages) => {
    expect(end(aScratchpad(pages as Record<string, string>))).toBeUndefined();
  });

  test("a blank page that was only opened is none", () => {
    const blank = template("coordinator", "2026-02-20", [
      "What I did",
      "Cross-agent observations",
      "Unresolved",
    ]);
    const home = aScratchpad({ "spec-writer/2026-02-20": WHOLE, "coordinator/2026-02-20": blank });
    expect(end(home)).toMatchObject({ deny: COORDINATOR_REASON });
  });

  test("it is blocked twice, then let go, and the person is notified", () => {
    const home = aScratchpad({ "spec-writer/2026-02-20": WHOLE });
    const answers = [1, 2, 3, 4].map(() => end(home, { stop_hook_active: true }));
    expect(answers.map((one) => one?.deny !== undefined)).toEqual([true, true, false, false]);
    expect(answers[2]?.notice).toContain("coordinator stopped without its scratchpad page");
    expect(answers[3]).toBeUndefined();
  });

  test("a teammate in its own process owes its own page, not the coordinator's", () => {
    const env = { CLAUDE_CODE_TEAM_NAME: "t", CLAUDE_CODE_AGENT_NAME: "bob" };
    const home = aScratchpad({ "spec-writer/2026-02-20": WHOLE });
    expect(end(home, {}, { env })?.deny).toContain(".claude/scratchpad/bob/2026-02-20.md");
    home.write("project/.claude/scratchpad/bob/2026-02-20.md", WHOLE);
    expect(end(home, {}, { env })).toBeUndefined();
  });

  test("delegation before midnight is remembered by the turn, and so is the page about it", () => {
    const home = aScratchpad({ "spec-writer/2026-02-19": WHOLE });
    sessions.userPromptSubmit(
      aContext(home, UserPromptSubmit, {}, { now: new Date("2026-02-19T23:00:00Z") }),
    );
    const now = new Date("2026-02-20T00:10:00Z");
    expect(end(home, {}, { now })).toMatchObject({ deny: COORDINATOR_REASON });
    home.write("project/.claude/scratchpad/coordinator/2026-02-19.md", "done");
    expect(end(home, {}, { now })).toBeUndefined();
    expect(end(home, {}, { now: NOON })).toBeUndefined();
  });
});
