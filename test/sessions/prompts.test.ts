// A question that a client shows to a person: on record at once, the lead notified after 6 s, and of its end.
import { expect, test } from "vitest";
import * as events from "../../lib/hook/events.ts";
import * as sessions from "../../lib/sessions/hooks.ts";
import { startOf } from "../../lib/system/processes.ts";
import * as teams from "../../lib/teams/hooks.ts";
import { aContext, NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { as, aTeam, inboxOf } from "../support/a-team.ts";

const RECORD = ".claude/swarm/sessions/bob-session.json";
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

test.each([
  ["idle", [WAITS, ENDED]],
  ["waiting", [WAITS]],
])(
  "of a no, which fires no event, the lead hears by the next look at the team: client %s",
  (status, expected) => {
    const home = asked();
    const me = { pid: process.pid, pidStartedAt: startOf(process.pid) };
    aTeam(home, ["team-lead", { name: "bob", sessionId: "bob-session", ...me }]);
    sixSecondsLater(home);
    home.write(`.claude/sessions/${process.pid}.json`, {
      sessionId: "bob-session",
      status,
      statusUpdatedAt: later(8).getTime(),
    });
    const lead = aContext(home, events.Notification, {}, { env: as("team-lead"), now: later(70) });
    const beat = teams.beat(lead);
    if (beat) beat.after?.();
    expect(notes(home)).toEqual(expected);
  },
);
