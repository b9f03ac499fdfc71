import { describe, expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as sendCheck from "../../lib/mail/hooks/send-check.ts";
import { asOutgoing, whyNotSent } from "../../lib/mail/send-check.ts";
import { aContext } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, CONFIG } from "../support/a-team.ts";
import { payload } from "../support/run-built.ts";

describe("one shape for every version's input", () => {
  test.each([
    ["PreToolUse-SendMessage", { to: "bob", kind: "message", text: "hello bob", isName: true }],
    ["PreToolUse-SendMessage-v2.1.197", { to: "bob", kind: "message", text: "hello bob", isName: true }],
    [
      "PreToolUse-SendMessage-teammate-inprocess",
      { to: "team-lead", kind: "message", text: "alice report to lead", isName: true },
    ],
  ])("%s", (name, outgoing) => expect(asOutgoing(payload(name).tool_input)).toEqual(outgoing));

  test.each([
    [
      "a shutdown",
      { to: "bob", message: { type: "shutdown_request", reason: "" } },
      { kind: "shutdown", text: undefined },
    ],
    [
      "its answer",
      { to: "team-lead", message: { type: "shutdown_response", approve: true } },
      { kind: "other", text: undefined },
    ],
    ["a broadcast", { to: "*", message: "hi" }, { kind: "broadcast", text: "hi", isName: false }],
    ["an older broadcast", { type: "broadcast", content: "hi" }, { kind: "broadcast", text: "hi" }],
    ["an agent's id", { to: "a0123456789abcdef", message: "x" }, { isName: false }],
    ["an address", { to: "uds:/tmp/x.sock", message: "x" }, { isName: false }],
    ["a kind we do not know", { to: "bob", message: "x", recipient_kind: "session" }, { isName: false }],
    ["nothing at all", {}, { to: "", kind: "message", text: "", isName: false }],
  ])("%s", (_, input, outgoing) => expect(asOutgoing(input)).toMatchObject(outgoing));
});

describe("why not", () => {
  const native = { team: "session-0a1b2c3d", names: ["team-lead", "alice", "bob"] };
  const named = { team: "atm-dev", lead: "team-lead", names: ["team-lead", "carol"] };
  const known = { native, named: undefined, subagents: [], leadIsNamed: false };
  const to = (name: string, text = "hi") => asOutgoing({ to: name, message: text });

  test.each([
    ["a member", to("bob"), known],
    ["the lead", to("team-lead"), known],
    ["a subagent of this session", to("Explore"), { ...known, subagents: ["Explore"] }],
    ["anybody where no roster is known", to("bbo"), { ...known, native: undefined }],
    [
      "anybody while the roster has only the lead",
      to("bbo"),
      { ...known, native: { ...native, names: ["team-lead"] } },
    ],
    ["an id the client resolves", to("a0123456789abcdef"), known],
  ])("%s passes", (_, outgoing, rosters) => expect(whyNotSent(outgoing, rosters)).toBeUndefined());

  test.each([
    [
      "an unknown name",
      to("bbo"),
      known,
      "send:unknown",
      "There is no bbo in team session-0a1b2c3d. Nearest: bob. Members: team-lead, alice, bob.",
    ],
    ["an empty text", to("bob", " "), known, "send:empty", "The message is empty."],
    ["an empty broadcast", to("*", ""), known, "send:empty", "The message is empty."],
    [
      "a member SendMessage does not reach",
      to("carol"),
      { ...known, named },
      "send:named-team",
      'Use: swarm send carol "<text>"',
    ],
    [
      "the lead of the named team, although the client has one of that name",
      to("team-lead"),
      { ...known, named, leadIsNamed: true },
      "send:named-team",
      'team-lead is a member of team atm-dev, which SendMessage does not reach. Use: swarm send team-lead "<text>"',
    ],
    [
      "the lead of the named team, which has another name",
      to("team-lead"),
      { ...known, named: { ...named, lead: "the boss", names: ["the boss"] }, leadIsNamed: true },
      "send:named-team",
      "the boss is a member of team atm-dev, which SendMessage does not reach. Use: swarm send 'the boss' \"<text>\"",
    ],
    [
      "the lead of a named team that has none",
      to("team-lead"),
      { ...known, named: { ...named, names: ["carol"] }, leadIsNamed: true },
      "send:named-team",
      "Team atm-dev has no lead who could read this.",
    ],
  ])("%s is denied", (_, outgoing, rosters, rule, text) =>
    expect(whyNotSent(outgoing, rosters)).toEqual({ rule, text: expect.stringContaining(text) }),
  );
});

describe("the handler", () => {
  const NATIVE = "session-a9f5f644";
  const lead = payload("PreToolUse-SendMessage");
  const members = [{ name: "team-lead" }, { name: "alice" }, { name: "bob" }];
  function team(home: Home) {
    home.write(`.claude/teams/${NATIVE}/config.json`, {
      name: NATIVE,
      leadSessionId: lead.session_id,
      members,
    });
    const task = (id: string, subject: string, status: string, owner: string) =>
      home.write(`.claude/tasks/${NATIVE}/${id}.json`, { id, subject, status, owner });
    task("1", "Parser", "in_progress", "bob");
    task("2", "Docs", "completed", "bob");
    task("3", "Tests", "pending", "alice");
    home.write(`.claude/tasks/${NATIVE}/4.json`, "{ half a ta");
  }
  const call = (home: Home, tool_input: object, env: Record<string, string> = {}) =>
    sendCheck.preToolUse(aContext(home, events.PreToolUse, { ...lead, tool_input }, { env })) || {};
  const shutdown = { to: "bob", message: { type: "shutdown_request", reason: "bye" } };

  test("a true payload to a member passes", () => {
    const home = aHome();
    team(home);
    expect(call(home, lead.tool_input)).toEqual({});
  });

  test("shutting down an agent with open work is held back with the list, once", () => {
    const home = aHome();
    team(home);
    const list = expect.stringContaining("bob still has open work (1):\n- Task #1 [in_progress]: Parser\n");
    expect(call(home, shutdown)).toEqual({ rule: "shutdown:bob", deny: list });
    expect(call(home, shutdown)).toEqual({});
  });

  test("an agent with nothing open can go", () => {
    const home = aHome();
    team(home);
    const done = { id: "1", subject: "Parser", status: "completed", owner: "bob" };
    home.write(`.claude/tasks/${NATIVE}/1.json`, done);
    expect(call(home, shutdown)).toEqual({});
  });

  test("a broadcast announces its size", () => {
    const home = aHome();
    team(home);
    expect(call(home, { to: "*", message: "all" }).context).toBe(
      "This broadcast starts a turn in each of 2 members: alice, bob.",
    );
  });

  test("in a named team the right way is named", () => {
    const home = aHome();
    aTeam(home);
    expect(call(home, { to: "alice", message: "hi" }, as("bob")).deny).toContain('swarm send alice "<text>"');
  });

  test("in a team whose lead has another name, `team-lead` is answered with that name", () => {
    const home = aHome();
    aTeam(home, ["boss", "bob"]);
    home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: "boss@atm-dev" });
    expect(call(home, toLead, as("bob")).deny).toContain('swarm send boss "<text>"');
  });

  const toLead = { to: "team-lead", message: "done" };
  const inProcess = { agent_id: "acarol-5b987438f78c02a4", agent_type: "carol" };
  const subagent = { agent_id: "a0123456789abcdef", agent_type: "Explore" };
  const ownTeam = { name: NATIVE, leadSessionId: lead.session_id, members };
  test.each<[string, Record<string, string>, object, object | undefined, boolean]>([
    ["a named teammate", as("bob"), {}, undefined, true],
    ["a named teammate whose client leads a native team of its own", as("bob"), {}, ownTeam, true],
    ["a subagent of a named teammate", as("bob"), subagent, ownTeam, true],
    [
      "by the older field, a named teammate",
      as("bob"),
      { tool_input: { recipient: "team-lead", content: "x" } },
      ownTeam,
      true,
    ],
    ["an in-process teammate of a named teammate", as("bob"), inProcess, ownTeam, false],
    ["an in-process teammate of a session without a team", {}, inProcess, ownTeam, false],
    ["the named lead", as("team-lead"), {}, ownTeam, false],
    ["a native lead", {}, {}, ownTeam, false],
    ["a session without a team", {}, {}, undefined, false],
  ])("%s writes to team-lead", (_, env, agent, native, isDenied) => {
    const home = aHome();
    aTeam(home);
    if (native) home.write(`.claude/teams/${NATIVE}/config.json`, native);
    const input = { ...lead, tool_input: toLead, ...agent };
    const outcome = sendCheck.preToolUse(aContext(home, events.PreToolUse, input, { env }));
    if (isDenied) expect(outcome?.deny).toContain('Use: swarm send team-lead "<text>"');
    else expect(outcome).toBeUndefined();
  });

  test.each<[string, object, Record<string, string>, boolean]>([
    [
      "that it is a member of",
      { leadSessionId: "other" },
      { CLAUDE_CODE_TEAM_NAME: NATIVE, CLAUDE_CODE_AGENT_NAME: "bob" },
      true,
    ],
    ["that its session leads", {}, {}, true],
    [
      "that its process leads",
      { leadSessionId: "other", leadProcess: { pid: 77 } },
      { CLAUDE_PID: "77" },
      true,
    ],
    ["of another session", { leadSessionId: "other", leadProcess: { pid: 78 } }, { CLAUDE_PID: "77" }, false],
  ])("the native team is the one %s", (_, config, env, isDenied) => {
    const home = aHome();
    home.write(`.claude/teams/${NATIVE}/config.json`, { ...ownTeam, ...config });
    expect(call(home, { to: "bbo", message: "x" }, env).rule).toBe(isDenied ? "send:unknown" : undefined);
  });

  test("subagents of this session are reached by name and by id", () => {
    const home = aHome();
    team(home);
    home.write(`.claude/swarm/agents/${lead.session_id}/helper-1.json`, {
      ...{ session: lead.session_id, agentId: "helper-1", agent: "Explore", state: "active" },
      ...{ status: "working", startedAt: "", lastSeen: "" },
    });
    for (const to of ["Explore", "helper-1"]) expect(call(home, { to, message: "x" })).toEqual({});
    expect(call(home, { to: "Plan", message: "x" }).rule).toBe("send:unknown");
  });

  test("other tools and solo sessions pass", () => {
    const home = aHome();
    expect(sendCheck.preToolUse(aContext(home, events.PreToolUse, { tool_name: "Bash" }))).toBeUndefined();
    expect(call(home, { to: "anyone", message: "hi" })).toEqual({});
  });
});
