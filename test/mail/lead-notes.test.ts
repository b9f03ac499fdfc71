import { expect, test } from "vitest";
import { notePrompt, notePromptEnd, notifyLead } from "../../lib/mail/store/lead-notes.ts";
import { readSession, type SessionRecord, updateSession } from "../../lib/sessions/store/sessions.ts";
import { waitingMembers } from "../../lib/teams/store/liveness.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam, inboxOf, TEAM } from "../support/a-team.ts";

const AT = NOON.toISOString();
const PUSH = { kind: "permission", tool: "Bash", detail: "git push", since: AT, isReported: true } as const;
const record = (more: Partial<SessionRecord> = {}): SessionRecord =>
  ({
    session: "s-1",
    team: TEAM,
    agent: "bob",
    startedAt: AT,
    state: "working",
    status: "busy",
    lastSeen: AT,
    prompt: PUSH,
    ...more,
  }) as SessionRecord;

const withTeam = (): Home => {
  const home = aHome();
  aTeam(home);
  return home;
};
const notes = (home: Home) =>
  home.has(inboxOf("team-lead"))
    ? home.json(inboxOf("team-lead")).map(({ text }: { text: string }) => text)
    : [];

test.each<[string, Partial<SessionRecord>, string]>([
  ["a permission", {}, "bob waits for permission: Bash(git push)"],
  ["a question", { prompt: { ...PUSH, kind: "question" } }, "bob waits for an answer: Bash(git push)"],
  ["in a pane", { pane: "%3" }, "bob waits for permission: Bash(git push), pane %3"],
  [
    "of an unknown subject",
    { prompt: { kind: "permission", since: AT } },
    "bob waits for permission: its screen says for what",
  ],
])("the lead hears what a member waits for: %s", (_, more, said) => {
  const home = withTeam();
  notePrompt(home.paths, record(more), NOON);
  expect(home.json(inboxOf("team-lead"))).toMatchObject([
    { from: "bob", text: said, summary: said, kind: "system", routine: true, timestamp: AT },
  ]);
  expect(waitingMembers(home.paths, TEAM)).toEqual(["bob"]);
});

test.each<[string, Partial<SessionRecord>]>([
  ["the lead itself", { isLead: true }],
  ["an agent of no team", { team: undefined }],
  ["a session without a name", { agent: undefined }],
  ["a stranger", { agent: "mallory" }],
  ["an agent of the client's own team", { team: "session-0a1b2c3d" }],
  ["an agent of a team that only a project names", { team: "nowhere" }],
  ["a member without a question", { prompt: undefined }],
] as [string, Partial<SessionRecord>][])("not about %s", (_, more) => {
  const home = withTeam();
  home.write(".claude/teams/session-0a1b2c3d/config.json", {
    leadAgentId: "team-lead@session-0a1b2c3d",
    members: [{ name: "bob" }],
  });
  notePrompt(home.paths, record(more), NOON);
  notePromptEnd(home.paths, record(more), NOON);
  expect(notes(home)).toEqual([]);
  for (const team of [TEAM, "session-0a1b2c3d"]) {
    expect(waitingMembers(home.paths, team)).toEqual([]);
    expect(home.has(`.claude/teams/${team}/inboxes`)).toBe(false);
  }
  expect(home.has(".claude/teams/nowhere")).toBe(false);
});

test("no record is no question, and a team that does not exist has no lead", () => {
  const home = withTeam();
  notePrompt(home.paths, undefined, NOON);
  const note = { from: "bob", text: "x", summary: "x", at: NOON };
  notifyLead(home.paths, "nowhere", note);
  expect(home.has(".claude/teams/nowhere")).toBe(false);
  notifyLead(home.paths, TEAM, note);
  expect(notes(home)).toEqual(["x"]);
});

test.each<[string, SessionRecord["prompt"], string[]]>([
  ["that was reported", PUSH, ["bob no longer waits: Bash(git push)"]],
  [
    "of an unknown subject",
    { kind: "permission", since: AT, isReported: true },
    ["bob no longer waits: its question is closed"],
  ],
  ["that was answered quickly", { ...PUSH, isReported: undefined } as never, []],
])("the end of a question %s", (_, prompt, said) => {
  const home = withTeam();
  notePrompt(home.paths, record(), NOON);
  notePromptEnd(home.paths, record({ prompt }), NOON);
  expect(notes(home).slice(1)).toEqual(said);
  expect(waitingMembers(home.paths, TEAM)).toEqual(said.length > 0 ? [] : ["bob"]);
});

test.each([
  ["the same", AT, ["bob no longer waits: Bash(git push)"]],
  ["a later one", "2026-02-20T13:00:00.000Z", []],
])(
  "an agent inside a session was reported under it: its question ends there where it is %s",
  (_, since, said) => {
    const home = withTeam();
    updateSession(home.paths, { session: "s-1" }, () => record({ prompt: { ...PUSH, since } }));
    notePromptEnd(home.paths, record({ agentId: "a1" }), NOON);
    expect(notes(home)).toEqual(said);
    expect(readSession(home.paths, { session: "s-1" })?.prompt?.since).toBe(
      said.length > 0 ? undefined : since,
    );
  },
);
