import { mkdirSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { isOlderVersion } from "../../lib/core/text.ts";
import * as events from "../../lib/hook/events.ts";
import * as inbox from "../../lib/mail/hooks/inbox.ts";
import * as reports from "../../lib/mail/hooks/last-reports.ts";
import { readUnread } from "../../lib/mail/store/inbox.ts";
import { claimNotice } from "../../lib/teams/store/liveness.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, archiveOf, as, aTeam, inboxOf, TEAM } from "../support/a-team.ts";
import { virtualTime } from "../support/in-no-time.ts";
import { withWaits } from "../support/own-time.ts";
import { payload } from "../support/run-built.ts";

const stop = (home: Home, agent: string, words: string | undefined, env = {}) =>
  reports.stop(aContext(home, events.Stop, { last_assistant_message: words }, { env: as(agent, env) }));
const later = (s: number) => new Date(NOON.getTime() + s * 1_000).toISOString();
const words = (home: Home) => home.json(inboxOf("team-lead")).map((one: any) => one.text);

describe("in a named team", () => {
  test("the last words of a member reach the lead, once a turn", () => {
    const home = aHome();
    aTeam(home);
    stop(home, "bob", "The parser is done.");
    const report = {
      from: "bob",
      text: "[report] The parser is done.",
      kind: "report",
      summary: "report",
      read: false,
    };
    expect(home.json(inboxOf("team-lead"))).toEqual([expect.objectContaining(report)]);
  });

  test.each([
    ["the lead reports to nobody", "team-lead", "done"],
    ["nothing was said", "bob", "  \n"],
    ["nothing was said at all", "bob", undefined],
  ])("no report: %s", (_, agent, said) => {
    const home = aHome();
    aTeam(home);
    stop(home, agent, said);
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test("a lead's inbox that another process holds costs the turn next to nothing: the report is spooled", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("team-lead"), []);
    mkdirSync(home.path(`${inboxOf("team-lead")}.lock`));
    onTestFinished(virtualTime());
    expect(withWaits(() => stop(home, "bob", "The parser is done.")).waitedMs).toBeLessThan(1_000);
    expect(words(home)).toEqual([]);
    expect(readUnread(home.paths, TEAM, "team-lead").map(({ text }) => text)).toEqual([
      "[report] The parser is done.",
    ]);
  });

  test("while mail keeps the turn going these are not the last words", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("bob"), [aMessage("alice", "one more thing")]);
    const ctx = aContext(home, events.Stop, { last_assistant_message: "half done" }, { env: as("bob") });
    const mail = inbox.stop(ctx) || {};
    ctx.outcomes.push({ ...mail, feature: "inbox" });
    reports.stop(ctx);
    mail.after?.();
    expect(home.has(inboxOf("team-lead"))).toBe(false);
    stop(home, "bob", "all done");
    expect(words(home)).toEqual(["[report] all done"]);
  });

  const turn = { turnStartedAt: NOON.toISOString() };
  const sent = (more = {}) => aMessage("bob", "the result", { timestamp: later(60), ...more });
  test.each([
    ["it wrote to the lead in this turn", [sent()], [], false],
    ["it wrote in an earlier turn", [sent({ timestamp: later(-60) })], [], true],
    ["what it wrote was routine", [sent({ routine: true })], [], true],
    ["a note of ours in its name", [sent({ kind: "system" })], [], true],
    ["another member wrote", [sent({ from: "alice" })], [], true],
    [
      "the lead asked after that",
      [sent()],
      [aMessage("team-lead", "why?", { read: true, shownAt: later(90) })],
      true,
    ],
  ])("whether the last words follow: %s", (_, toLead, toBob, isReported) => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("team-lead"), toLead);
    home.write(inboxOf("bob"), toBob);
    expect(reportsAtStop(home)).toBe(isReported);
  });

  test.each([
    ["nothing else", []],
    ["an older one that it has not read", [aMessage("alice", "old", { timestamp: later(-60) })]],
  ])(
    "what it wrote counts where the lead has read it and much mail since, and has beside that %s",
    (_, older) => {
      const home = aHome();
      aTeam(home);
      home.write(archiveOf("team-lead"), `${JSON.stringify(sent({ id: "archived" }))}\n`);
      const since = aMessage("alice", "more", { read: true, timestamp: later(70) });
      home.write(inboxOf("team-lead"), [...older, since]);
      expect(reportsAtStop(home)).toBe(false);
    },
  );

  function reportsAtStop(home: Home): boolean {
    const ctx = aContext(home, events.Stop, { last_assistant_message: "so it is" }, { env: as("bob") });
    ctx.record = {
      session: "s-1",
      state: "idle",
      status: "done",
      startedAt: "",
      lastSeen: "",
      ...turn,
      team: TEAM,
      agent: "bob",
    };
    reports.stop(ctx);
    return words(home).includes("[report] so it is");
  }

  test("a client that only inherited the name does not report in it", () => {
    const home = aHome();
    aTeam(home, ["team-lead", { name: "bob", pid: process.pid, lastSeen: "2026-02-20T11:59:00Z" }]);
    stop(home, "bob", "I am a child", { CLAUDE_PID: "4190001" });
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });

  test("a turn that failed is reported too", () => {
    const home = aHome();
    aTeam(home);
    const input = { error: "rate_limit", last_assistant_message: "I was about to" };
    reports.stopFailure(aContext(home, events.StopFailure, input, { env: as("bob") }));
    expect(words(home)).toEqual(["[report] The turn failed (rate_limit). I was about to"]);
  });

  test("a turn that failed is reported although it had written, and the team's alerts do not repeat it", () => {
    const home = aHome();
    aTeam(home);
    home.write(inboxOf("team-lead"), [sent()]);
    const notice = (sign: string) => claimNotice(home.paths, TEAM, "bob", { state: "rate-limited", sign });
    const fails = (agent: string) => {
      const ctx = aContext(home, events.StopFailure, { error: { no: "text" } }, { env: as(agent) });
      const record = { session: "s-1", state: "idle", status: "done", startedAt: "2026-02-20", lastSeen: "" };
      ctx.record = { ...record, ...turn, team: TEAM, agent, isLead: agent === "team-lead" };
      return reports.stopFailure(ctx);
    };
    expect(fails("team-lead")).toBeUndefined();
    expect(fails("eve")).toBeDefined();
    fails("bob");
    expect(words(home).at(-1)).toBe("[report] The turn failed (unknown).");
    expect([notice(turn.turnStartedAt), notice("another")]).toEqual([false, true]);
  });

  test("without a roster there is no lead to report to", () => {
    const home = aHome();
    expect(stop(home, "bob", "done")).toBeUndefined();
    expect(home.has(inboxOf("team-lead"))).toBe(false);
  });
});

describe("in a native team only where the client does not", () => {
  const NATIVE = "session-101acb3e";
  const LEADS = `.claude/teams/${NATIVE}/inboxes/team-lead.json`;
  const native = (home: Home) =>
    home.write(`.claude/teams/${NATIVE}/config.json`, {
      name: NATIVE,
      leadSessionId: "101acb3e-9966-4a4e-94e8-0faf42811749",
      members: [{ name: "team-lead" }, { name: "bob", backendType: "in-process" }],
    });
  const stops = (home: Home, name: string, env: Record<string, string>) =>
    reports.subagentStop(aContext(home, events.SubagentStop, payload(name), { env }));

  test.each([
    ["2.1.197", true],
    ["2.1.325", false],
    ["2.2.0", false],
    ["", false],
  ])("client %j: reported by us is %j", (version, ours) => {
    const home = aHome();
    native(home);
    const env: Record<string, string> = version
      ? { AI_AGENT: `claude-code_${version.replaceAll(".", "-")}_harness` }
      : {};
    stops(home, "SubagentStop-teammate-inprocess-v2.1.197", env);
    const entry = { from: "bob", text: "[report] bob done", read: false, timestamp: expect.any(String) };
    expect(home.has(LEADS) ? home.json(LEADS) : []).toEqual(ours ? [expect.objectContaining(entry)] : []);
  });

  test("a pane reports at its stop; a session, and one without a name, does not", () => {
    const home = aHome();
    native(home);
    const ends = (env: Record<string, string>) =>
      reports.stop(
        aContext(
          home,
          events.Stop,
          { last_assistant_message: "done" },
          { env: { AI_AGENT: "claude-code_2-1-197_harness", ...env } },
        ),
      );
    expect(ends({})).toBeUndefined();
    expect(ends({ CLAUDE_CODE_TEAM_NAME: NATIVE })).toBeUndefined();
    home.write(`.claude/teams/${NATIVE}/config.json`, {
      ...home.json(`.claude/teams/${NATIVE}/config.json`),
      members: [{ name: "bob", backendType: "tmux", tmuxPaneId: "%5" }],
    });
    expect(ends({ TMUX_PANE: "%5", CLAUDE_PID: "4190001" })).toMatchObject({
      journal: [{ what: "report", team: NATIVE, from: "bob", to: "team-lead" }],
    });
  });

  test("a subagent's result goes back by the client's own way, also one of a pane", () => {
    const home = aHome();
    native(home);
    home.write(`.claude/teams/${NATIVE}/config.json`, {
      ...home.json(`.claude/teams/${NATIVE}/config.json`),
      members: [{ name: "bob", backendType: "tmux", tmuxPaneId: "%5" }],
    });
    const inPane = { AI_AGENT: "claude-code_2-1-197_harness", TMUX_PANE: "%5", CLAUDE_PID: "4190001" };
    const ctx = aContext(
      home,
      events.SubagentStop,
      { agent_id: "a1", agent_type: "Explore", last_assistant_message: "found" },
      { env: inPane },
    );
    expect(ctx.identity).toMatchObject({ kind: "subagent", team: NATIVE });
    expect(reports.subagentStop(ctx)).toBeUndefined();
    for (const name of ["SubagentStop-v2.1.197", "SubagentStop-compaction"])
      stops(home, name, { AI_AGENT: "claude-code_2-1-197_harness" });
    expect(home.has(LEADS)).toBe(false);
  });

  test.each([
    ["2.1.197", "2.1.325", true],
    ["2.1.325", "2.1.325", false],
    ["2.0.999", "2.1.0", true],
    ["3.0.0", "2.1.325", false],
  ])("%s is before %s: %j", (version, other, before) => expect(isOlderVersion(version, other)).toBe(before));
});
