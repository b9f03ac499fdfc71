// Pause and unpause: who is stopped, what waits meanwhile, who may lift it, and how an agent goes on. No process is started.
import { mkdirSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readJournal } from "../../lib/core/journal.ts";
import type { Context } from "../../lib/hook/context.ts";
import { FileChanged, PreToolUse, SessionStart, Stop, UserPromptSubmit } from "../../lib/hook/events.ts";
import { blockOnce } from "../../lib/hook/gate.ts";
import { encode } from "../../lib/hook/outcome.ts";
import { runSteps } from "../../lib/hook/run.ts";
import * as inbox from "../../lib/mail/hooks/inbox.ts";
import { appendMessage, readUnread } from "../../lib/mail/store/inbox.ts";
import { newMessage } from "../../lib/mail/store/message.ts";
import {
  beginTurn,
  countRenewals,
  isTurnOpen,
  renewWatch,
  watchFilePath,
} from "../../lib/mail/store/session-files.ts";
import * as pause from "../../lib/people/hooks/pause.ts";
import { look } from "../../lib/people/notify/look.ts";
import { type PauseCall, pauseVerb, unpauseVerb } from "../../lib/people/pause/pause.ts";
import { goOnText, refusal, stillPaused } from "../../lib/people/pause/stopping.ts";
import { pauseOf, readAllStopped, readPauses, removePauses } from "../../lib/sessions/store/pauses.ts";
import { readSession, writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { whyLost } from "../../lib/tasks/leases.ts";
import { teamRows } from "../../lib/teams/status-board/rows.ts";
import { readTeam } from "../../lib/teams/store/config.ts";
import { aCall } from "../support/a-call.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, CONFIG, inboxOf, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

const LATER = new Date(NOON.getTime() + 600_000);

/** A team whose members run (as this process), each in the middle of a turn. */
function aBusyTeam(): Home {
  const home = aHome();
  aTeam(home);
  for (const agent of ["team-lead", "alice", "bob"]) aSession(home, sessionOf(agent), { team: TEAM, agent });
  home.write(`.claude/tasks/${TEAM}/3.json`, {
    ...{ id: "3", subject: "parse the header", description: "", status: "in_progress", owner: "alice" },
    ...{ blocks: [], blockedBy: [] },
  });
  return home;
}

const sessionOf = (agent: string) => (agent === "team-lead" ? "lead-session" : `${agent}-session`);

function aSession(home: Home, session: string, more: Record<string, unknown> = {}): void {
  const at = NOON.toISOString();
  const isLead = more["agent"] === "team-lead";
  const running = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  const states = { state: "active", status: "working", startedAt: at, lastSeen: at };
  writeSession(home.paths, { session, ...running, ...states, isLead, ...more });
}

type Flags = Record<string, string | boolean>;
const callOf = (home: Home, words: string[], flags: Flags = {}, env: Record<string, string> = {}) =>
  aCall(home, words, flags, { env }) as unknown as PauseCall;
const doPause = (...given: Parameters<typeof callOf>) => pauseVerb(callOf(...given));
const doUnpause = (...given: Parameters<typeof callOf>) => unpauseVerb(callOf(...given));

const NPM_TEST = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "t1" };
const toolCall = (home: Home, agent: string, more: Record<string, unknown> = {}) =>
  aContext(home, PreToolUse, { session_id: sessionOf(agent), ...NPM_TEST, ...more }, { env: as(agent) });
const isStopped = (ctx: Parameters<typeof pause.preToolUse>[0]) =>
  (pause.preToolUse(ctx) as { deny?: string } | undefined)?.deny !== undefined;

describe("who is stopped", () => {
  const agents = ["team-lead", "alice", "bob"];
  test.each<[string, string[], Record<string, string | boolean>, string[]]>([
    ["one agent", ["alice"], {}, ["alice"]],
    ["one agent of a team", ["bob@atm-dev"], {}, ["bob"]],
    ["two", ["alice", "bob"], {}, ["alice", "bob"]],
    ["a session", ["alice-se"], {}, ["alice"]],
    ["a team", [], { team: TEAM }, agents],
    ["everything", [], { all: true }, agents],
  ])("%s", (_what, words, flags, expected) => {
    const home = aBusyTeam();
    doPause(home, words, flags);
    expect(agents.filter((agent) => isStopped(toolCall(home, agent)))).toEqual(expected);
  });

  test("a lone session by its id, also after /clear, and nobody else", () => {
    const home = aBusyTeam();
    aSession(home, "0123-lone");
    aSession(home, "other");
    doPause(home, ["0123"]);
    aSession(home, "4567-next", { previous: "0123-lone" });
    const ctx = (session: string) => aContext(home, PreToolUse, { session_id: session, ...NPM_TEST });
    expect(["0123-lone", "4567-next", "other"].map((one) => isStopped(ctx(one)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a subagent stops with its parent, an in-process teammate does not", () => {
    const home = aBusyTeam();
    doPause(home, ["team-lead"]);
    const inside = (agent_id: string, agent_type: string) =>
      toolCall(home, "team-lead", { agent_id, agent_type });
    expect(isStopped(inside("a0123456789abcdef", "Explore"))).toBe(true);
    expect(isStopped(inside("acarol-0123456789abcdef", "carol"))).toBe(false);
    doPause(home, [], { team: TEAM });
    expect(isStopped(inside("acarol-0123456789abcdef", "carol"))).toBe(true);
  });

  test("a name in two teams is asked for, unless one of them is the caller's", () => {
    const home = aBusyTeam();
    home.write(".claude/teams/other/config.json", { name: "other", members: [{ name: "bob" }] });
    aSession(home, "eve-session", { team: "eves", agent: "eve", isLead: true });
    home.write(".claude/teams/eves/config.json", { name: "eves", members: [{ name: "eve" }] });
    expect(() => doPause(home, ["bob"])).toThrow("bob could be bob@atm-dev or bob@other");
    expect(() => doPause(home, ["bob"], {}, { CLAUDE_CODE_SESSION_ID: "eve-session" })).toThrow(
      "bob could be",
    );
    expect(doPause(home, ["bob"], {}, as("team-lead")).text).toContain("paused bob@atm-dev");
  });

  test("a session that is in a team and nobody in it is paused by its id", () => {
    const home = aBusyTeam();
    aSession(home, "half-session", { team: TEAM });
    expect(doPause(home, ["half"]).data).toMatchObject({ paused: [{ session: "half-session" }] });
  });

  test("one that is named twice is paused once, and lifted by its name", () => {
    const home = aBusyTeam();
    aSession(home, "0123-lone");
    doPause(home, ["0123", "0123-lone", "alice", "alice@atm-dev"]);
    expect(readPauses(home.paths)).toHaveLength(2);
    expect(doUnpause(home, ["0123", "alice"]).text).toBe("unpaused session 0123-lon\nunpaused alice@atm-dev");
  });

  test.each([
    ["my team", "al;ice", "--team 'my team'", "'al;ice@my team'"],
    ["dev", "o'hara", "--team dev", "'o'\\''hara@dev'"],
  ])("the command that lifts it can be pasted: team %s, agent %s", (team, agent, ofTeam, ofAgent) => {
    const home = aHome();
    home.write(`.claude/teams/${team}/config.json`, { name: team, members: [{ name: agent }] });
    expect(doPause(home, [agent]).text).toContain(`\`swarm unpause ${ofAgent}\``);
    expect(doPause(home, [], { team }).text).toContain(`\`swarm unpause ${ofTeam}\``);
  });

  test("an empty word is no session's beginning", () => {
    const home = aHome();
    aSession(home, "0123-lone");
    expect(() => doPause(home, [""])).toThrow("an agent's name is empty");
    expect(readPauses(home.paths)).toEqual([]);
  });

  test("who paused what, and why, is in the journal", () => {
    const home = aBusyTeam();
    doPause(home, ["bob"], { why: "lunch" }, as("team-lead"));
    doPause(home, ["alice"]);
    doUnpause(home, ["bob"]);
    const lines = readJournal(home.paths, "2026-02-20").map(({ what, scope, reason, agent, session }) => ({
      ...{ what, scope, reason, agent, session },
    }));
    const bob = { scope: "bob@atm-dev", reason: "lunch" };
    const person = { agent: "person", session: "" };
    expect(lines).toEqual([
      { what: "paused", ...bob, agent: "team-lead", session: "lead-session" },
      { what: "paused", scope: "alice@atm-dev", reason: undefined, ...person },
      { what: "unpaused", ...bob, ...person },
    ]);
  });

  test.each<[string, string[], Record<string, string | boolean>]>([
    ["there is no agent and no open session", ["nobody"], {}],
    ["there is no team", [], { team: "elsewhere" }],
    ["there is no carol in team atm-dev", ["carol@atm-dev"], {}],
    ["--all means everything", ["alice"], { all: true }],
    ["alone- could be alone-1 or alone-2", ["alone-"], {}],
  ])("%s", (why, words, flags) => {
    const home = aBusyTeam();
    for (const session of ["alone-1", "alone-2"]) aSession(home, session);
    expect(() => doPause(home, words, flags)).toThrow(why);
    expect(readPauses(home.paths)).toEqual([]);
  });
});

describe("a paused agent", () => {
  test("hears why, ends its turn, and is written down where it stood", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"], { why: "look at <this>\u202e first" });
    const ctx = toolCall(home, "alice");
    const outcome = pause.preToolUse(ctx) as { deny: string };
    const reply = JSON.parse(encode("PreToolUse", [{ feature: "pause", ...outcome }]).stdout);
    expect(reply).toMatchObject({
      continue: false,
      stopReason: expect.stringContaining("swarm unpause alice@atm-dev"),
      hookSpecificOutput: { permissionDecision: "deny" },
    });
    expect(outcome.deny).toContain("Paused by person (alice@atm-dev): look at &lt;this&gt; first");
    expect(readAllStopped(home.paths)).toMatchObject([
      { agent: "alice", team: TEAM, tool: "Bash", about: "npm test", task: "#3 parse the header" },
    ]);
    expect(readSession(home.paths, { session: "alice-session" })).toMatchObject({ state: "idle" });
  });

  test.each<[string, Record<string, unknown>, string | undefined]>([
    ["a subagent at its parent's task", { agent_id: "a1", agent_type: "Explore" }, "#3 parse the header"],
    ["a file", { tool_name: "Read", tool_input: { file_path: "/x" } }, "#3 parse the header"],
    ["an address", { tool_name: "WebFetch", tool_input: { url: "http://x" } }, "#3 parse the header"],
    ["nothing to name", { tool_name: "Other", tool_input: {} }, "#3 parse the header"],
  ])("%s", (_, more, task) => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice", more));
    const input = (more["tool_input"] ?? NPM_TEST.tool_input) as Record<string, string>;
    expect(readAllStopped(home.paths)[0]).toMatchObject({ task, tool: more["tool_name"] ?? "Bash" });
    expect(readAllStopped(home.paths)[0]?.about).toBe(Object.values(input)[0]);
  });

  test("what others wrote is no markup and moves no cursor, in all it and its person read", () => {
    const home = aBusyTeam();
    const hostile = "<b>\u001b[31m\u202e";
    home.write(`.claude/tasks/${TEAM}/3.json`, {
      ...{ id: "3", subject: hostile, description: "", status: "in_progress", owner: "alice" },
      ...{ blocks: [], blockedBy: [] },
    });
    home.write(".claude/swarm/pauses.json", [
      { team: TEAM, agent: `alice${hostile}`, by: hostile, why: hostile, since: NOON.toISOString() },
      { team: TEAM, by: hostile, why: hostile, since: NOON.toISOString() },
    ]);
    const [own, wide] = readPauses(home.paths);
    if (!own || !wide) throw new Error("two pauses");
    const toPerson = [own, wide].flatMap((one) => [refusal(one).endsTurn, stillPaused(one).notice]);
    expect(toPerson.join("")).not.toMatch(/[\u001b\u202e]/);
    const toModel = [own, wide].flatMap((one) => [refusal(one).deny, stillPaused(one).context]);
    expect(JSON.stringify(toModel)).not.toMatch(/<b>|\\u001b|\u202e/);
    pause.preToolUse(toolCall(home, "alice", { tool_input: { command: `ls ${hostile}` } }));
    const [stopped] = readAllStopped(home.paths);
    expect(stopped).toMatchObject({ about: "ls <b>[31m", task: "#3 <b>[31m" });
    expect(stopped && goOnText(stopped, LATER)).toContain("Bash (ls &lt;b&gt;[31m), task #3 &lt;b&gt;[31m;");
  });

  test("of no team at the task of its own list", () => {
    const home = aHome();
    aSession(home, "lone");
    const task = { id: "7", subject: "alone", description: "", blocks: [], blockedBy: [] };
    home.write(".claude/tasks/lone/6.json", { ...task, id: "6", status: "pending" });
    home.write(".claude/tasks/lone/7.json", { ...task, status: "in_progress", owner: "somebody" });
    doPause(home, [], { all: true });
    pause.preToolUse(aContext(home, PreToolUse, { session_id: "lone", ...NPM_TEST }));
    expect(readAllStopped(home.paths)).toMatchObject([{ session: "lone", task: "#7 alone" }]);
  });

  test("is at no task of another", () => {
    const home = aBusyTeam();
    doPause(home, ["bob"], { why: "two\nlines" });
    expect(readPauses(home.paths)[0]?.why).toBe("two lines");
    pause.preToolUse(toolCall(home, "bob"));
    expect(readAllStopped(home.paths)[0]).not.toHaveProperty("task");
  });

  test("a subagent's turn ends, its parent's does not", () => {
    const home = aBusyTeam();
    const agentId = "a0123456789abcdef";
    const record = readSession(home.paths, { session: "alice-session" });
    if (record)
      writeSession(home.paths, { ...record, agentId, tool: { name: "Bash", since: record.lastSeen } });
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice", { agent_id: agentId, agent_type: "Explore" }));
    const states = [{ agentId }, {}].map((one) => {
      const { state, tool } = readSession(home.paths, { session: "alice-session", ...one }) ?? {};
      return [state, tool?.name];
    });
    expect(states).toEqual([
      ["idle", undefined],
      ["active", undefined],
    ]);
  });

  test("is stopped also where that cannot be written down", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    home.write(".claude/swarm/paused", "a file in the place of the directory");
    const steps = { pause: { handle: pause.preToolUse, onFailure: pause.refuseAnyway } };
    expect(runSteps(PreToolUse, steps, toolCall(home, "alice"))).toMatchObject([{ rule: "pause" }]);
    expect(runSteps(PreToolUse, steps, toolCall(home, "bob"))).toEqual([]);
  });

  test("what is cut of it ends with a whole character", () => {
    const home = aBusyTeam();
    const long = `x${"😀".repeat(300)}`;
    doPause(home, ["alice"], { why: long });
    pause.preToolUse(toolCall(home, "alice", { tool_input: { command: long } }));
    expect(readPauses(home.paths)[0]?.why).toBe(`x${"😀".repeat(149)}`);
    expect(readAllStopped(home.paths)[0]?.about).toBe(`x${"😀".repeat(49)}`);
  });

  test("keeps the place of its first refused call", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice"));
    pause.preToolUse(toolCall(home, "alice", { tool_name: "Read", tool_input: { file_path: "x" } }));
    expect(readAllStopped(home.paths)).toMatchObject([{ tool: "Bash" }]);
  });

  test("gets no mail before it goes on, and none is marked as read", () => {
    const home = aBusyTeam();
    const mail = newMessage({ from: "bob", text: "hello", at: NOON });
    appendMessage(home.paths, TEAM, "alice", mail);
    doPause(home, ["alice"]);
    beginTurn(home.paths, "alice-session");
    pause.preToolUse(toolCall(home, "alice"));
    expect(isTurnOpen(home.paths, "alice-session")).toBe(false); // or no mail would wake it later
    const env = as("alice", { CLAUDE_CODE_ENTRYPOINT: "cli" });
    const input = { session_id: "alice-session" };
    const stop = () => inbox.stop(aContext(home, Stop, input, { env }));
    const tool = () => inbox.preToolUse(toolCall(home, "alice"));
    const prompt = () => inbox.userPromptSubmit(aContext(home, UserPromptSubmit, input, { env }));
    expect(
      [stop(), tool(), prompt()].map((one) => (one as { context?: unknown } | undefined)?.context),
    ).toEqual([undefined, undefined, undefined]);
    expect(readUnread(home.paths, TEAM, "alice")).toHaveLength(1);
    doUnpause(home, ["alice"]);
    expect(JSON.stringify(tool())).toContain("hello");
  });

  test("is not kept from stopping by any gate", () => {
    const home = aBusyTeam();
    const held = () =>
      blockOnce(aContext(home, Stop, { session_id: "alice-session" }, { env: as("alice") }) as Context, {
        reason: "tasks:3",
        text: "go on",
      });
    doPause(home, ["alice"]);
    expect(held()).toBeUndefined();
    doUnpause(home, ["alice"]);
    expect(held()).toMatchObject({ deny: "go on" });
  });

  test("keeps its claims although it is silent", () => {
    const seen = [{ life: "alive" as const, lastSeen: "2026-02-20T08:00:00Z", isBusy: false }];
    expect(whyLost(seen, Number.NaN, NOON, 60_000)).toContain("was last seen");
    expect(whyLost(seen, Number.NaN, NOON, 60_000, () => true)).toBeUndefined();
    expect(whyLost([{ ...seen[0], life: "gone" } as never], Number.NaN, NOON, 60_000, () => true)).toBe(
      "is gone",
    );
  });

  test("shows as paused on the board, with where it stopped", () => {
    const home = aBusyTeam();
    doPause(home, [], { all: true, why: "lunch" });
    pause.preToolUse(toolCall(home, "alice"));
    const team = readTeam(home.paths, TEAM);
    const rows = team ? teamRows(aCall(home, []), TEAM, team) : [];
    expect(rows.map(({ agent, state }) => [agent, state])).toEqual([
      ["team-lead", "paused"],
      ["alice", "paused"],
      ["bob", "paused"],
    ]);
    expect(rows[1]?.evidence).toMatch(
      /^by person .*: lunch; stopped at Bash \(npm test\), task #3 parse the header$/,
    );
    expect(rows[2]?.evidence).toContain("stops at its next tool call");
  });

  test("is not called idle with open tasks", () => {
    const home = aBusyTeam();
    for (const agent of ["team-lead", "alice", "bob"])
      aSession(home, sessionOf(agent), { team: TEAM, agent, state: "idle", status: "done" });
    const { paths, now, loaded } = aCall(home, []);
    const idle = () => look({ paths, now, loaded }).map(({ event }) => event);
    expect(idle()).toEqual(["idle"]);
    doPause(home, [], { team: TEAM });
    expect(idle()).toEqual([]);
  });

  test("a restart changes nothing, and says so to both", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    const ctx = aContext(
      home,
      SessionStart,
      { session_id: "alice-session", source: "resume" },
      { env: as("alice") },
    );
    expect(pause.sessionStart(ctx)).toMatchObject({
      notice: expect.stringContaining("swarm unpause alice@atm-dev"),
      context: { text: expect.stringContaining("No tool runs until it is lifted") },
    });
  });
});

describe("going on", () => {
  const changed = (home: Home, agent: string, more: { file_path?: string; entry?: undefined } = {}) => {
    const file_path = more.file_path ?? watchFilePath(home.paths, sessionOf(agent));
    const input = { session_id: sessionOf(agent), file_path };
    const ctx = aContext(home, FileChanged, input, { env: as(agent), now: LATER });
    ctx.entry = "entry" in more ? more.entry : "then-look";
    return pause.fileChanged(ctx) as { wake?: string } | undefined;
  };

  test("it is woken once, with the place where it was", () => {
    const home = aBusyTeam();
    renewWatch(home.paths, "alice-session"); // as its SessionStart did
    doPause(home, [], { team: TEAM });
    pause.preToolUse(toolCall(home, "alice"));
    expect(changed(home, "alice")).toBeUndefined();
    const renewals = () => countRenewals(watchFilePath(home.paths, "alice-session"));
    expect(renewals()).toBe(1);
    expect(doUnpause(home, [], { team: TEAM })).toMatchObject({
      exitCode: 0,
      text: "unpaused team atm-dev\n  alice@atm-dev: woken",
    });
    expect(renewals()).toBe(2);
    expect(changed(home, "alice", { file_path: "/another" })).toBeUndefined();
    expect(changed(home, "alice", { entry: undefined })).toBeUndefined();
    expect(changed(home, "alice")?.wake).toContain(
      "You were stopped 10m ago at Bash (npm test), task #3 parse the header; that call did not run",
    );
    expect(changed(home, "alice")).toBeUndefined();
    expect(isStopped(toolCall(home, "alice"))).toBe(false);
    expect(home.has(".claude/swarm/pauses.json")).toBe(false);
    expect(home.has(".claude/swarm/paused/alice-session")).toBe(false);
  });

  test("an in-process teammate gets a message of the client's own kind", () => {
    const home = aHome();
    const native = "session-0a1b2c3d";
    const members = [{ name: "team-lead" }, { name: "carol", tmuxPaneId: "in-process" }];
    home.write(`.claude/teams/${native}/config.json`, {
      name: native,
      leadSessionId: "lead-session",
      members,
    });
    aSession(home, "lead-session", { team: native, agent: "team-lead" });
    doPause(home, ["carol"]);
    doPause(home, ["team-lead"]); // whose session it is in
    const carol = { agent_id: "acarol-0123456789abcdef", agent_type: "carol" };
    const ctx = aContext(home, PreToolUse, { session_id: "lead-session", ...NPM_TEST, ...carol });
    expect(isStopped(ctx)).toBe(true);
    expect(doUnpause(home, ["carol"]).text).toContain("woken by a message");
    expect(readUnread(home.paths, native, "carol")).toMatchObject([
      { text: expect.stringContaining("The pause is over") },
    ]);
    expect(readAllStopped(home.paths)).toEqual([]);
  });

  test("an in-process teammate whose team has ended gets none, and the team's directory stays gone", () => {
    const home = aBusyTeam();
    doPause(home, [], { team: TEAM });
    expect(
      isStopped(toolCall(home, "team-lead", { agent_id: "acarol-0123456789abcdef", agent_type: "carol" })),
    ).toBe(true);
    rmSync(home.path(`.claude/teams/${TEAM}`), { recursive: true });
    expect(doUnpause(home, [], { all: true }).text).toContain("carol@atm-dev: its team is gone");
    expect(home.has(`.claude/teams/${TEAM}`)).toBe(false);
    expect(readAllStopped(home.paths)).toEqual([]);
  });

  test("of a subagent, which has ended, its parent hears of it", () => {
    const home = aBusyTeam();
    renewWatch(home.paths, "alice-session");
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice", { agent_id: "a0123456789abcdef", agent_type: "Explore" }));
    expect(doUnpause(home, ["alice"]).text).toContain(
      "Explore@atm-dev: it has ended; its parent hears of it",
    );
    expect(changed(home, "alice")?.wake).toContain("the subagent Explore (it stopped at Bash (npm test)");
  });

  test("of a subagent whose parent nothing can wake, the parent needs a prompt", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice", { agent_id: "a0123456789abcdef", agent_type: "Explore" }));
    expect(doUnpause(home, ["alice"])).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining(
        "it has ended; its parent: nothing can wake it (mail.deliver): give it a prompt",
      ),
    });
  });

  test("one whose client has ended hears of it when it is resumed", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice"));
    aSession(home, "alice-session", { team: TEAM, agent: "alice", endedAt: NOON.toISOString() });
    expect(doUnpause(home, ["alice"]).text).toContain("it hears of it when it is resumed");
    const ctx = aContext(
      home,
      SessionStart,
      { session_id: "alice-session", source: "resume" },
      { env: as("alice") },
    );
    expect(JSON.stringify(pause.sessionStart(ctx))).toContain("The pause is over");
    expect(pause.sessionStart(ctx)).toBeUndefined();
  });

  test("one that nothing can wake hears of it with its next prompt, once, and not while it is paused again", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice"));
    const prompted = () => {
      const input = { session_id: "alice-session", prompt: "go on" };
      return pause.userPromptSubmit(aContext(home, UserPromptSubmit, input, { env: as("alice") }));
    };
    expect(prompted()).toBeUndefined();
    expect(doUnpause(home, ["alice"])).toMatchObject({
      exitCode: 1,
      text: expect.stringContaining("nothing can wake it (mail.deliver): give it a prompt"),
    });
    doPause(home, ["alice"]);
    expect(prompted()).toBeUndefined();
    doUnpause(home, ["alice"]);
    expect(JSON.stringify(prompted())).toContain("You were stopped 0s ago at Bash (npm test)");
    expect(prompted()).toBeUndefined();
    expect(readAllStopped(home.paths)).toEqual([]);
  });

  test("a subagent of one that is still paused stays stopped", () => {
    const home = aBusyTeam();
    for (const agent of ["alice", "team-lead", "bob"]) doPause(home, [agent]);
    pause.preToolUse(toolCall(home, "alice", { agent_id: "a0123456789abcdef", agent_type: "Explore" }));
    expect(doUnpause(home, ["bob"]).data.released).toEqual([]);
    expect(readAllStopped(home.paths)).toHaveLength(1);
    expect(doUnpause(home, ["alice"]).data.released).toHaveLength(1);
  });

  test("--team lifts what is paused in it, an agent's name only that, --all everything", () => {
    const home = aBusyTeam();
    aSession(home, "0123-lone");
    const paused = () => readPauses(home.paths).map(({ agent, session, team }) => agent ?? session ?? team);
    const pauseAll = () => {
      for (const words of [["alice"], ["bob"], ["0123"]]) doPause(home, words);
      doPause(home, [], { team: TEAM });
    };
    pauseAll();
    doUnpause(home, ["alice"]);
    expect(paused().sort()).toEqual(["0123-lone", TEAM, "bob"].sort());
    doUnpause(home, [], { team: TEAM });
    expect(paused()).toEqual(["0123-lone"]);
    pauseAll();
    doUnpause(home, [], { all: true });
    expect(paused()).toEqual([]);
  });

  test("whom a wider pause still covers stays stopped", () => {
    const home = aBusyTeam();
    renewWatch(home.paths, "alice-session");
    doPause(home, [], { all: true });
    doPause(home, ["alice"]);
    expect(doUnpause(home, ["alice"])).toMatchObject({
      text: expect.stringContaining("still held: Paused by person (everything)"),
    });
    expect(isStopped(toolCall(home, "alice"))).toBe(true);
    expect(doUnpause(home, [], { all: true }).exitCode).toBe(0);
    expect(doUnpause(home, [], { all: true })).toMatchObject({
      exitCode: 1,
      text: "nothing of that is paused",
    });
  });

  test("one that cannot be woken does not keep the others waiting, and is tried again by the next", () => {
    const home = aBusyTeam();
    const inside = (agent_id: string, agent_type: string) =>
      toolCall(home, "team-lead", { agent_id, agent_type });
    doPause(home, [], { team: TEAM });
    for (const name of ["alan", "carol"])
      expect(isStopped(inside(`a${name}-0123456789abcdef`, name))).toBe(true);
    home.write(`${inboxOf("alan")}/in-its-place`, "");
    const { text, exitCode } = doUnpause(home, [], { team: TEAM });
    expect(text).toMatch(/ alan@atm-dev: not woken: .*\n {2}carol@atm-dev: woken by a message/);
    expect(exitCode).toBe(1);
    expect(readUnread(home.paths, TEAM, "carol")).toHaveLength(1);
    rmSync(home.path(inboxOf("alan")), { recursive: true });
    doUnpause(home, ["alice"]);
    expect(readUnread(home.paths, TEAM, "alan")).toHaveLength(1);
  });

  test("one whose watch file cannot be written is tried again by the next, which says so", () => {
    const home = aBusyTeam();
    const watchFile = watchFilePath(home.paths, "alice-session");
    mkdirSync(watchFile, { recursive: true });
    doPause(home, ["alice"]);
    pause.preToolUse(toolCall(home, "alice"));
    expect(doUnpause(home, ["alice"])).toMatchObject({
      exitCode: 1,
      text: expect.stringMatching(
        /^unpaused alice@atm-dev\n {2}alice@atm-dev: not woken: .*; the same command tries again$/,
      ),
    });
    rmSync(watchFile, { recursive: true });
    renewWatch(home.paths, "alice-session");
    expect(doUnpause(home, [], { all: true })).toMatchObject({
      exitCode: 0,
      text: "  alice@atm-dev: woken",
    });
    expect(changed(home, "alice")?.wake).toContain("You were stopped 10m ago at Bash (npm test)");
  });

  test("of two subagents, which have ended, their parent hears of both", () => {
    const home = aBusyTeam();
    renewWatch(home.paths, "alice-session");
    doPause(home, ["alice"]);
    for (const [agent_id, agent_type, command] of [
      ["a0123456789abcdef", "Explore", "npm test"],
      ["a1123456789abcdef", "Plan", "npm run build"],
    ])
      pause.preToolUse(toolCall(home, "alice", { agent_id, agent_type, tool_input: { command } }));
    expect(doUnpause(home, ["alice"]).data.released).toHaveLength(2);
    const wake = changed(home, "alice")?.wake;
    expect(wake).toContain("the subagent Explore (it stopped at Bash (npm test)");
    expect(wake).toContain("the subagent Plan (it stopped at Bash (npm run build)");
  });

  test("a record that cannot be read keeps nobody else stopped", () => {
    const home = aBusyTeam();
    doPause(home, [], { team: TEAM });
    pause.preToolUse(toolCall(home, "bob"));
    home.write(".claude/swarm/paused/alice-session/main.json/in-its-place", "");
    expect(doUnpause(home, [], { team: TEAM }).data.released).toMatchObject([{ name: "bob@atm-dev" }]);
  });

  test("what `swarm pause` printed lifts it, also of a session that has ended, went on under another id or joined a team", () => {
    const home = aBusyTeam();
    const paused = () => readPauses(home.paths).length;
    const lone = (more: object = {}) => {
      aSession(home, "01234567-lone");
      doPause(home, ["0123"]);
      aSession(home, "01234567-lone", { ...more });
    };
    lone({ endedAt: NOON.toISOString() });
    expect(doUnpause(home, ["01234567"]).text).toBe("unpaused session 01234567");
    lone({ next: "89abcdef-next" });
    aSession(home, "89abcdef-next", { previous: "01234567-lone" });
    expect(doUnpause(home, ["01234567"]).text).toBe("unpaused session 01234567");
    lone({ next: "89abcdef-next" });
    expect(doUnpause(home, ["89abcdef"]).text).toBe("unpaused session 01234567");
    lone({ team: TEAM, agent: "bob" });
    expect(doUnpause(home, ["01234567"]).text).toBe("unpaused session 01234567");
    expect(paused()).toBe(0);
  });

  test("of a member that has left and of a team that is gone", async () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    doPause(home, [], { team: TEAM });
    aTeam(home, ["team-lead", "bob"]);
    expect(doUnpause(home, ["alice@atm-dev"]).text).toContain("unpaused alice@atm-dev");
    rmSync(home.path(`.claude/teams/${TEAM}`), { recursive: true });
    const unpause = () => callSwarm(home, ["unpause", "--team", TEAM]);
    expect(await unpause()).toMatchObject({ exitCode: 0, stdout: "unpaused team atm-dev\n" });
    expect((await unpause()).stderr).toContain("there is no team atm-dev");
  });

  test("of nobody in particular is asked for", () =>
    expect(() => doUnpause(aBusyTeam(), [])).toThrow("which agents? names, --team TEAM or --all"));

  test("another team's unpause lifts nothing of it", () => {
    const home = aBusyTeam();
    home.write(".claude/teams/other/config.json", { name: "other", members: [{ name: "team-lead" }] });
    doPause(home, [], { team: TEAM });
    expect(doUnpause(home, [], { team: "other" }).exitCode).toBe(1);
    expect(isStopped(toolCall(home, "alice"))).toBe(true);
  });

  test("a pause that is lifted between a hook's two looks stops nobody", () => {
    const home = aBusyTeam();
    doPause(home, ["alice"]);
    const ctx = toolCall(home, "alice");
    expect(ctx.pause).toBeDefined(); // the first look
    removePauses(home.paths, () => true);
    expect(pause.preToolUse(ctx)).toBeUndefined();
    expect(readAllStopped(home.paths)).toEqual([]);
  });
});

describe("who may", () => {
  test.each<
    [string, "pause" | "unpause", string[], Record<string, string | boolean>, string, string | undefined]
  >([
    ["a lead, its team", "pause", [], { team: TEAM }, "team-lead", undefined],
    ["a lead, one of its agents", "pause", ["bob"], {}, "team-lead", undefined],
    ["a lead, everything", "pause", [], { all: true }, "team-lead", "you lead atm-dev and may pause that"],
    ["a member, another", "pause", ["bob"], {}, "alice", "alice does not lead atm-dev"],
    [
      "a lead lifts what a person paused",
      "unpause",
      [],
      { all: true },
      "team-lead",
      "only a person lifts that",
    ],
  ])("%s", (_who, what, words, flags, agent, why) => {
    const home = aBusyTeam();
    if (what === "unpause") doPause(home, [], { all: true });
    const run = () => (what === "pause" ? doPause : doUnpause)(home, words, flags, as(agent));
    if (why) expect(run).toThrow(why);
    else expect(run()).toMatchObject({ text: expect.stringMatching(/^paused /) });
  });

  test("a person whose settings name a team, and a session of no team, anything", () => {
    const home = aBusyTeam();
    home.write(".claude/swarm/settings.toml", `[core]\ndefault_team = "${TEAM}"\n`);
    aSession(home, "lone");
    expect(doPause(home, [], { all: true }).data).toMatchObject({ paused: [{ by: "person" }] });
    const lone = { CLAUDE_CODE_SESSION_ID: "lone" };
    expect(doPause(home, ["bob"], {}, lone).text).toContain("paused bob@atm-dev");
  });

  test("a member of a team without a lead is not sent to one", () => {
    const home = aBusyTeam();
    const { leadSessionId: _, members, ...config } = home.json(CONFIG);
    const others = members.filter(({ name }: { name: string }) => name !== "team-lead");
    home.write(CONFIG, { ...config, members: others });
    expect(() => doPause(home, ["bob"], {}, as("alice"))).toThrow(
      /alice does not lead atm-dev: it has no lead$/,
    );
  });

  test("a member lifts nothing that its lead paused", () => {
    const home = aBusyTeam();
    doPause(home, ["bob"], {}, as("team-lead"));
    expect(() => doUnpause(home, ["bob"], {}, as("alice"))).toThrow("alice does not lead atm-dev");
  });

  test.each<[string, string[], Flags]>([
    ["one of its agents", ["bob"], {}],
    ["its team", [], { team: TEAM }],
  ])("a lead that pauses again what a person has paused (%s) does not take that over", (_, words, flags) => {
    const home = aBusyTeam();
    doPause(home, words, { ...flags, why: "wait for me" });
    expect(doPause(home, words, { ...flags, why: "go on" }, as("team-lead"))).toMatchObject({
      text: expect.stringMatching(/^paused /),
      data: { paused: [{ by: "person", why: "wait for me" }] },
    });
    expect(readPauses(home.paths)).toMatchObject([{ by: "person", why: "wait for me" }]);
    expect(() => doUnpause(home, words, flags, as("team-lead"))).toThrow("only a person lifts that");
    doUnpause(home, words, flags);
    expect(readPauses(home.paths)).toEqual([]);
  });

  test("a person takes over what a lead has paused", () => {
    const home = aBusyTeam();
    doPause(home, ["bob"], {}, as("team-lead"));
    doPause(home, ["bob"]);
    expect(() => doUnpause(home, ["bob"], {}, as("team-lead"))).toThrow("only a person lifts that");
  });

  test("a lead lifts what it paused", () => {
    const home = aBusyTeam();
    doPause(home, ["bob"], {}, as("team-lead"));
    expect(pauseOf(home.paths, { team: TEAM, agent: "bob" })?.by).toBe("team-lead");
    expect(doUnpause(home, ["bob"], {}, as("team-lead"))).toMatchObject({ exitCode: 0 });
  });
});

test("without arguments it shows what is paused and where each stopped", () => {
  const home = aBusyTeam();
  expect(doPause(home, []).text).toBe("nothing is paused");
  doPause(home, ["alice"], { why: "lunch" });
  pause.preToolUse(toolCall(home, "alice"));
  expect(doPause(home, []).text).toBe(
    "alice@atm-dev: paused by person 0s ago: lunch\n  alice@atm-dev stopped at Bash (npm test), task #3 parse the header",
  );
});

test("swarm pause and swarm unpause are two verbs", async () => {
  const home = aBusyTeam();
  const swarm = async (...args: string[]) => (await callSwarm(home, args)).exitCode;
  expect(await swarm("pause", "--all")).toBe(0);
  expect(readPauses(home.paths)).toHaveLength(1);
  expect(await swarm("unpause", "--all")).toBe(0);
  expect(readPauses(home.paths)).toEqual([]);
});
