// A question that a client shows to a person: on record at once, the lead notified after 6 s, and of its end.
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as teams from "../../lib/teams/hooks.ts";
import { sessionRows } from "../../lib/teams/status-board/rows.ts";
import { takeBeat } from "../../lib/teams/store/liveness.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, inboxOf } from "../support/a-team.ts";
import { onFileCalls } from "../support/file-calls.ts";

const RECORD = ".claude/swarm/sessions/bob-session/session.json";
const PANE = { TMUX: "/tmp/none,1,0", TMUX_PANE: "%3", CLAUDE_PID: String(process.pid) };
const later = (s: number) => new Date(NOON.getTime() + s * 1_000);
const push = { tool_name: "Bash", tool_input: { command: "git push" }, tool_use_id: "t1" };
const inside = { agent_id: "a0123456789abcdef", agent_type: "Explore" };

type Handled = { after?: () => void } | undefined | void;
const fire = (home: Home, handler: (ctx: any) => Handled, event: any, input: object, s = 0) => {
  const env = as("bob", PANE);
  handler(aContext(home, event, { session_id: "bob-session", ...input }, { env, now: later(s) }))?.after?.();
};
const prompt = (home: Home) => home.json(RECORD).prompt;
const notes = (home: Home) =>
  home.has(inboxOf("team-lead"))
    ? home.json(inboxOf("team-lead")).map((one: any) => [one.text, one.kind, one.routine])
    : [];

function asked(more: object = {}) {
  const home = aHome();
  aTeam(home);
  home.write(".claude/swarm/settings.toml", '[display]\npane_color = "off"\n');
  fire(home, sessions.sessionStart, events.SessionStart, { source: "startup" });
  fire(home, sessions.preToolUse, events.PreToolUse, { ...push, ...more });
  fire(home, sessions.permissionRequest, events.PermissionRequest, { ...push, ...more });
  return home;
}
const sixSecondsLater = (home: Home, type = "permission_prompt") =>
  fire(
    home,
    sessions.notification,
    events.Notification,
    { notification_type: type, message: "Claude needs it" },
    6,
  );

const WAITS = ["bob waits for permission: Bash(git push), pane %3", "system", true];
const ENDED = ["bob no longer waits: Bash(git push)", "system", true];

test("a permission prompt is on record at once; one that is answered quickly is not reported", () => {
  const home = asked();
  expect(prompt(home)).toEqual({
    kind: "permission",
    tool: "Bash",
    detail: "git push",
    since: NOON.toISOString(),
  });
  fire(home, sessions.postToolUse, events.PostToolUse, push, 3);
  expect(prompt(home)).toBeUndefined();
  expect(notes(home)).toEqual([]);
});

test("one that stays open is reported to the lead as routine, once, and so is its end", () => {
  const home = asked();
  sixSecondsLater(home);
  sixSecondsLater(home);
  expect(notes(home)).toEqual([WAITS]);
  fire(home, sessions.postToolUse, events.PostToolUse, push, 20);
  expect(notes(home)).toEqual([WAITS, ENDED]);
});

test.each([
  ["the tool failed", sessions.postToolUseFailure, events.PostToolUseFailure, push],
  ["the next prompt", sessions.userPromptSubmit, events.UserPromptSubmit, { prompt: "no" }],
  ["the next tool", sessions.preToolUse, events.PreToolUse, { tool_name: "Read", tool_use_id: "t2" }],
  ["the end of the turn", sessions.stop, events.Stop, {}],
  ["a minute of idleness", sessions.notification, events.Notification, { notification_type: "idle_prompt" }],
])("it ends with %s", (_, handler, event, input) => {
  const home = asked();
  sixSecondsLater(home);
  fire(home, handler as any, event, input, 30);
  expect(prompt(home)).toBeUndefined();
  expect(notes(home)).toEqual([WAITS, ENDED]);
});

test("a subagent's prompt is reported under its member, and ends with the subagent's next event", () => {
  const home = asked(inside);
  expect(prompt(home)).toBeUndefined();
  sixSecondsLater(home);
  expect(prompt(home)).toMatchObject({ tool: "Bash", detail: "git push" });
  fire(home, sessions.postToolUse, events.PostToolUse, { ...push, ...inside }, 20);
  expect(prompt(home)).toBeUndefined();
  expect(notes(home)).toEqual([WAITS, ENDED]);
});

test("a question is not a permission", () => {
  const home = asked({ tool_name: "AskUserQuestion", tool_input: { questions: [] } });
  expect(prompt(home).kind).toBe("question");
  sixSecondsLater(home);
  expect(notes(home)[0][0]).toBe("bob waits for an answer: AskUserQuestion, pane %3");
});

test("after a minute without work an agent is idle and nothing else", () => {
  const home = asked();
  fire(home, sessions.stop, events.Stop, {}, 10);
  sixSecondsLater(home, "idle_prompt");
  expect(home.json(RECORD)).toMatchObject({ state: "idle", status: "done" });
  expect(notes(home)).toEqual([]);
});

const looks = {
  "the next look at the team": (ctx: any) => teams.beat(ctx),
  "the lead's next prompt, before its mail": (ctx: any) => {
    mkdirSync(ctx.paths.tmp, { recursive: true });
    takeBeat(ctx.paths, { team: "atm-dev", agent: "team-lead" }, ctx.now, 0); // no look at the team is due
    teams.userPromptSubmit(ctx);
  },
};

test.each([
  ["idle", "the next look at the team", [WAITS, ENDED]],
  ["waiting", "the next look at the team", [WAITS]],
  ["idle", "the lead's next prompt, before its mail", [WAITS, ENDED]],
  ["busy", "the lead's next prompt, before its mail", [WAITS, ENDED]],
  ["waiting", "the lead's next prompt, before its mail", [WAITS]],
] as const)(
  "of an answer, which may fire no event, the lead hears: its client is %s, by %s",
  (status, look, expected) => {
    const home = asked();
    const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };
    aTeam(home, ["team-lead", { name: "bob", sessionId: "bob-session", ...me }]);
    sixSecondsLater(home);
    home.write(`.claude/sessions/${process.pid}.json`, {
      sessionId: "bob-session",
      status,
      statusUpdatedAt: later(8).getTime(),
    });
    for (const at of [70, 75]) {
      const lead = aContext(home, events.UserPromptSubmit, {}, { env: as("team-lead"), now: later(at) });
      const done = looks[look](lead);
      if (done) done.after?.();
    }
    expect(notes(home)).toEqual(expected);
  },
);

/** Right before the lock of this record is taken. */
function meanwhile(home: Home, record: string, change: (stored: object) => object): void {
  let isDone = false;
  onFileCalls((name, [path]) => {
    if (isDone || name !== "mkdirSync" || path !== home.path(`${record}.lock`)) return;
    isDone = true;
    home.write(record, change(home.json(record)));
  });
}

test("a question that is asked while the one before it is closed stays open", () => {
  const home = asked();
  const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  aTeam(home, ["team-lead", { name: "bob", sessionId: "bob-session", ...me }]);
  sixSecondsLater(home);
  const client = { sessionId: "bob-session", status: "busy", statusUpdatedAt: later(8).getTime() };
  home.write(`.claude/sessions/${process.pid}.json`, client);
  const next = { kind: "permission", tool: "Write", since: later(9).toISOString() };
  meanwhile(home, RECORD, (stored) => ({ ...stored, prompt: next }));
  looks["the next look at the team"](
    aContext(home, events.UserPromptSubmit, {}, { env: as("team-lead"), now: later(70) }),
  )?.after?.();
  expect(prompt(home)).toEqual(next);
  expect(notes(home)).toEqual([WAITS]);
});

const NATIVE = "session-0123abcd";
const ALICE = ".claude/swarm/sessions/alice-session/session.json";

/** The lead's client shows the question of its pane teammate, which fires no event itself. */
function askedByWorker(
  message: string,
  leadSessionId = "lead-session",
  prepare: (home: Home) => void = () => {},
) {
  const home = aHome();
  const usual = { state: "tool_active", status: "working", startedAt: NOON.toISOString() };
  const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  home.write(`.claude/teams/${NATIVE}/config.json`, {
    name: NATIVE,
    leadSessionId,
    members: [{ name: "alice" }],
  });
  const alice = { session: "alice-session", team: NATIVE, agent: "alice", kind: "pane", pane: "%1" };
  const tool = { name: "Write", since: NOON.toISOString(), permission: "default" };
  home.write(ALICE, { ...usual, ...alice, ...me, tool, lastSeen: NOON.toISOString() });
  const lead = { session: "lead-session", pane: "%0", ...me };
  home.write(".claude/swarm/sessions/lead-session/session.json", {
    ...usual,
    ...lead,
    lastSeen: later(1).toISOString(),
  });
  const input = { session_id: "lead-session", notification_type: "worker_permission_prompt", message };
  const env = { ...PANE, CLAUDE_CODE_SESSION_ID: "lead-session" };
  prepare(home);
  const asks = sessions.notification(aContext(home, events.Notification, input, { env, now: later(1) }));
  if (asks) asks.after?.();
  return home;
}
const rowOfAlice = (home: Home, leadIs: string, s: number) => {
  home.write(`.claude/sessions/${process.pid}.json`, {
    sessionId: "lead-session",
    status: leadIs,
    statusUpdatedAt: later(s - 1).getTime(),
  });
  const { paths, loaded } = aContext(home, events.Stop);
  return sessionRows({ paths, loaded, now: later(s), compactWindow: undefined }).find(({ agent }) =>
    agent.startsWith("alice"),
  );
};

test("the client's own pane teammate waits for permission, on its lead's screen, until that shows it no longer", () => {
  const home = askedByWorker("alice needs permission for Write");
  expect(rowOfAlice(home, "waiting", 5)).toMatchObject({
    state: "permission",
    evidence: "waits for permission: Write, pane %0, for 4s",
    waiting: { tool: "Write", pane: "%0" },
  });
  expect(rowOfAlice(home, "busy", 9)).toMatchObject({ state: "working" });
});

test.each([
  ["another team's", "alice needs permission for Write", "other-lead"],
  ["another text", "x alice needs permission for Write", undefined],
  ["a hostile name", "../alice needs permission for Write", undefined],
])("%s notification is about nobody here", (_, message, lead) => {
  expect(askedByWorker(message, lead).json(ALICE).prompt).toBeUndefined();
});

test("of two open records of one name the newest is that of the teammate that asks", () => {
  const older = ["aa", "zz"].map((session) => ({
    session,
    path: `.claude/swarm/sessions/${session}/session.json`,
  }));
  const home = askedByWorker("alice needs permission for Write", undefined, (home) => {
    for (const { session, path } of older)
      home.write(path, { ...home.json(ALICE), session, lastSeen: later(-60).toISOString() });
  });
  expect(home.json(ALICE).prompt).toMatchObject({ tool: "Write" });
  for (const { path } of older) expect(home.json(path).prompt).toBeUndefined();
});

test("a pane teammate that ends meanwhile waits for nothing", () => {
  const endedAt = later(1).toISOString();
  const home = askedByWorker("alice needs permission for Write", undefined, (home) =>
    meanwhile(home, ALICE, (stored) => ({ ...stored, state: "ended", endedAt })),
  );
  expect(home.json(ALICE)).toMatchObject({ state: "ended", endedAt });
  expect(home.json(ALICE).prompt).toBeUndefined();
});
