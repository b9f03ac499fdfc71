import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { writeRelay } from "../../lib/machines/store/relay.ts";
import { startOf } from "../../lib/system/processes.ts";
import {
  askingSession,
  type Facts,
  leadVerb,
  restoreOwnLead,
  takeLead,
  whyNotLead,
} from "../../lib/teammates/lead.ts";
import { aCall } from "../support/a-call.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aRelay } from "../support/a-relay.ts";
import { aTask } from "../support/a-task.ts";
import { aMessage } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

interface Known {
  lead?: Facts["lead"]["life"];
  asker?: Facts["asker"]["life"];
  memberName?: string;
}

const facts = ({ lead = "gone", asker = "alive", memberName }: Known): Facts => ({
  lead: { life: lead, evidence: "what we know" },
  asker: { life: asker, evidence: "it ended at noon" },
  memberName,
});

test.each<[string, Known, string | undefined]>([
  ["the lead is proven dead", { lead: "gone" }, undefined],
  ["the lead is alive", { lead: "alive" }, "the lead is alive: what we know"],
  ["nothing proves it dead", { lead: "unknown" }, "the lead is not proven dead: what we know"],
  ["it led already", { lead: "self", memberName: "dev-1" }, undefined],
  ["who asks is another member", { memberName: "dev-1" }, "this session is the member dev-1, not a lead"],
  ["who asks has ended", { asker: "gone" }, "the calling session has ended: it ended at noon"],
  ["who asks is unknown to us", { asker: "unknown" }, undefined],
])("%s", (_, more, why) => expect(whyNotLead(facts(more))).toBe(why));

const CONFIG = ".claude/teams/atm-dev/config.json";

function aTeam(leadSessionId: string | undefined): Home {
  const home = aHome();
  home.write(CONFIG, {
    name: "atm-dev",
    leadAgentId: "team-lead@atm-dev",
    leadSessionId,
    kept: "as it was",
    members: [
      { name: "team-lead", agentId: "team-lead@atm-dev", sessionId: leadSessionId, pid: 1 },
      { name: "dev-1", agentId: "dev-1@atm-dev", sessionId: "dev-sess" },
    ],
  });
  return home;
}

const self = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const usual = {
  state: "idle",
  status: "done",
  startedAt: "2026-02-20T10:00:00Z",
  lastSeen: "2026-02-20T11:00:00Z",
};

const withSession = (home: Home, session: string, more: object) =>
  home.write(`.claude/swarm/sessions/${session}/session.json`, { session, ...usual, ...more });

const take = (home: Home, session: string, force = false) =>
  takeLead(aCall(home, [], { force }), "atm-dev", session);

const dead = { pid: 2 ** 22 - 3, pidStartedAt: "1" };
const ended = { endedAt: "2026-02-20T11:30:00Z", endReason: "other" };

test.each<[string, object | undefined, RegExp | undefined]>([
  ["its process is gone", dead, undefined],
  ["its number belongs to another process by now", { pid: process.pid, pidStartedAt: "1" }, undefined],
  ["its end was seen", { ...self, ...ended }, undefined],
  ["it is running", self, /the lead is alive: process \d+ of session old is running/],
  [
    "its start is unknown",
    { pid: process.pid },
    /not proven dead: process \d+ of session old may be running/,
  ],
  ["it left no record", undefined, /not proven dead: nothing is known about session old but its id/],
])("the lead on record: %s", (_, old, refusal) => {
  const home = aTeam("old");
  home.write(CONFIG, { ...home.json(CONFIG), members: [{ name: "team-lead" }, { name: "dev-1" }] });
  if (old) withSession(home, "old", old);
  withSession(home, "new", self);
  if (refusal) {
    expect(() => take(home, "new")).toThrow(refusal);
    expect(home.json(CONFIG).leadSessionId).toBe("old");
    expect(take(home, "new", true)).toMatchObject({ isForced: true, before: "old" });
  } else expect(take(home, "new")).toMatchObject({ isForced: false, before: "old", isNew: true });
  expect(home.json(CONFIG)).toMatchObject({ leadSessionId: "new", kept: "as it was" });
});

test("a living lead that went on under a new id after /clear is still alive", () => {
  const home = aTeam("old");
  withSession(home, "old", { ...self, next: "after" });
  withSession(home, "after", { ...self, previous: "old" });
  withSession(home, "new", self);
  expect(() => take(home, "new")).toThrow("session after is running");
  expect(take(home, "after")).toMatchObject({ isNew: false });
  expect(home.json(CONFIG).leadSessionId).toBe("after");
});

test.each([
  ["was taken by force", self, true],
  ["had ended and is resumed", dead, false],
])(
  "a session whose lead %s speaks for the team no more, also under its id after /clear",
  async (_, process, force) => {
    const home = aTeam("old");
    const led = { team: "atm-dev", agent: "team-lead", isLead: true, kind: "lead" };
    withSession(home, "old", { ...process, ...led, next: "after" });
    withSession(home, "after", { ...process, ...led, previous: "old" });
    withSession(home, "new", self);
    home.write(".claude/tasks/atm-dev/1.json", aTask("1", { owner: "dev-1", status: "in_progress" }));
    home.write(".claude/teams/atm-dev/inboxes/team-lead.json", [aMessage("dev-1", "for the lead")]);
    take(home, "new", force);
    const swarm = (session: string, ...args: string[]) =>
      callSwarm(home, args, { env: { CLAUDE_CODE_SESSION_ID: session } });
    for (const session of ["old", "after"]) {
      expect(await swarm(session, "task", "delete", "1", "--team", "atm-dev")).toMatchObject({ exitCode: 1 });
      expect((await swarm(session, "send", "dev-1", "hi", "--team", "atm-dev")).exitCode).toBe(0);
      expect((await swarm(session, "inbox")).stdout).not.toContain("for the lead");
    }
    const mail = home.json(".claude/teams/atm-dev/inboxes/dev-1.json");
    expect(mail.map(({ from }: { from: string }) => from)).toEqual(["team-lead", "solo-old", "solo-after"]);
  },
);

test("the new lead is in the roster, the others are notified, and both outcomes are in the journal", () => {
  const home = aTeam("old");
  withSession(home, "old", self);
  withSession(home, "new", { ...self, pane: "%7", cwd: "/there" });
  expect(() => take(home, "new")).toThrow("swarm lead take atm-dev --force");
  take(home, "new", true);
  const [leader, dev] = home.json(CONFIG).members;
  expect(leader).toMatchObject({ sessionId: "new", ...self, paneId: "%7", cwd: "/there", status: "active" });
  expect(dev).toMatchObject({ name: "dev-1", sessionId: "dev-sess" });
  expect(home.json(".claude/teams/atm-dev/inboxes/dev-1.json")).toMatchObject([
    {
      from: "team-lead",
      text: expect.stringMatching(/^Team-lead has rejoined/),
      read: false,
      kind: "system",
    },
  ]);
  expect(home.has(".claude/teams/atm-dev/inboxes/team-lead.json")).toBe(false);
  expect(home.lines(".claude/swarm/journal/2026-02-20.jsonl")).toMatchObject([
    { feature: "hand-over", what: "lead-refused", team: "atm-dev", session: "new" },
    { feature: "hand-over", what: "lead-taken", isForced: true, before: "old", session: "new" },
  ]);
});

test("a lead that the roster did not list is in it from then on", () => {
  const home = aTeam(undefined);
  home.write(CONFIG, { ...home.json(CONFIG), members: [{ name: "dev-1", sessionId: "dev-sess" }] });
  withSession(home, "new", { ...self, cwd: "/there" });
  take(home, "new");
  expect(home.json(CONFIG).members).toMatchObject([
    { name: "dev-1", sessionId: "dev-sess" },
    { name: "team-lead", sessionId: "new", cwd: "/there", backend: "joined", status: "active", ...self },
  ]);
});

test.each([[["lead", "take"]], [["resume"]]])(
  "%j: the new lead has the name that the team's lead has, and reads its mail",
  async (verb) => {
    const home = aTeam("old");
    const members = [
      { name: "boss", agentId: "team-lead@atm-dev", sessionId: "old" },
      { name: "dev-1", backend: "joined", ...self },
    ];
    home.write(CONFIG, { ...home.json(CONFIG), members });
    withSession(home, "old", dead);
    withSession(home, "new", self);
    const env = { CLAUDE_CODE_SESSION_ID: "new" };
    expect(await callSwarm(home, [...verb, "atm-dev"], { env })).toMatchObject({ exitCode: 0 });
    const lead = { team: "atm-dev", agent: "boss", isLead: true };
    expect(home.json(".claude/swarm/sessions/new/session.json")).toMatchObject(lead);
    expect(home.json(".claude/teams/atm-dev/inboxes/dev-1.json")).toMatchObject([
      { from: "boss", text: expect.stringContaining("Messages to boss are read again.") },
    ]);
  },
);

test("a session on record under the lead's own name is no member that takes the lead", async () => {
  const home = aTeam("old");
  const members = [{ name: "boss", agentId: "team-lead@atm-dev", sessionId: "old" }];
  home.write(CONFIG, { ...home.json(CONFIG), members });
  withSession(home, "old", dead);
  withSession(home, "new", { ...self, team: "atm-dev", agent: "boss" });
  const env = { CLAUDE_CODE_SESSION_ID: "new" };
  const { stdout } = await callSwarm(home, ["lead", "take", "atm-dev", "--json"], { env });
  expect(JSON.parse(stdout)).toMatchObject({ isForced: false, isNew: true });
  expect(home.json(CONFIG)).toMatchObject({ leadSessionId: "new", members: [{ sessionId: "new" }] });
  expect(home.json(".claude/swarm/sessions/new/session.json")).toMatchObject({ agent: "boss", isLead: true });
});

test("a member does not become the lead by accident", () => {
  const home = aTeam("old");
  withSession(home, "old", dead);
  withSession(home, "dev-sess", self);
  expect(() => take(home, "dev-sess")).toThrow("this session is the member dev-1");
});

test("a member that takes the lead by force gives up its name: mail and open tasks are the lead's", () => {
  const home = aTeam("old");
  withSession(home, "old", self);
  withSession(home, "dev-sess", { ...self, team: "atm-dev", agent: "dev-1" });
  const inbox = (name: string) => `.claude/teams/atm-dev/inboxes/${name}.json`;
  const mail = { id: "m-1", from: "team-lead", text: "look", timestamp: NOON.toISOString(), read: false };
  home.write(inbox("dev-1"), [mail]);
  const task = { subject: "x", description: "", blocks: [], blockedBy: [], owner: "dev-1" };
  home.write(".claude/tasks/atm-dev/1.json", { id: "1", status: "in_progress", ...task });
  home.write(".claude/tasks/atm-dev/2.json", { id: "2", status: "completed", ...task });
  const check = () => {
    expect(home.json(CONFIG)).toMatchObject({ leadSessionId: "dev-sess", members: [{ name: "team-lead" }] });
    expect(home.json(CONFIG).members).toHaveLength(1);
    expect(home.json(inbox("dev-1"))).toEqual([]);
    expect(home.json(inbox("team-lead"))).toMatchObject([{ id: "m-1", read: false }]);
    const owners = ["1", "2"].map((id) => home.json(`.claude/tasks/atm-dev/${id}.json`).owner);
    expect(owners).toEqual(["team-lead", "dev-1"]);
  };
  expect(take(home, "dev-sess", true)).toMatchObject({ isForced: true, memberBefore: "dev-1" });
  check();
  // An interrupted hand-over: the session is still on record as the member.
  restoreOwnLead(home.paths, "atm-dev", "dev-sess", NOON);
  check();
});

test.each([
  ["on one machine", false, "mail and open tasks of dev-1 are now team-lead's."],
  ["on a relay, which decides about tasks", true, "mail of dev-1 is now team-lead's."],
])("what a member brings along to the lead is said: %s", (_, isOnRelay, said) => {
  const home = aTeam("dev-sess");
  const config = home.json(CONFIG);
  const member = { name: "dev-1", agentId: "dev-1@atm-dev", sessionId: "dev-sess", ...self };
  home.write(CONFIG, { ...config, leadSessionId: "gone-sess", members: [config.members[0], member] });
  withSession(home, "dev-sess", { ...self, team: "atm-dev", agent: "dev-1" });
  if (isOnRelay) writeRelay(home.paths, aRelay("nats://127.0.0.1:1", "laptop"));
  const env = { CLAUDE_CODE_SESSION_ID: "dev-sess" };
  expect(leadVerb(aCall(home, ["take", "atm-dev"], { force: true }, { env }) as never)).toMatchObject({
    text: expect.stringContaining(`It was dev-1; ${said}`),
  });
});

test.each([
  ["its lead", "a<b>", "dev-1"],
  ["its second name", "team-lead", "a<b>"],
])("a damaged name of %s has no mailbox: nothing is put in order", (_, lead, second) => {
  const home = aTeam("dev-sess");
  const config = home.json(CONFIG);
  const members = [{ ...config.members[0], name: lead, agentId: "lead-id" }];
  home.write(CONFIG, { ...config, leadAgentId: "lead-id", members });
  withSession(home, "dev-sess", { ...self, team: "atm-dev", agent: second });
  const before = home.read(CONFIG);
  expect(restoreOwnLead(home.paths, "atm-dev", "dev-sess", NOON)).toBeUndefined();
  expect(home.read(CONFIG)).toBe(before);
});

test("a session of another active team takes no second lead, not by force either", async () => {
  const home = aTeam("old");
  withSession(home, "old", dead);
  home.write(".claude/teams/other/config.json", { name: "other", leadSessionId: "new", members: [] });
  withSession(home, "new", { ...self, team: "other", agent: "team-lead", isLead: true });
  const env = { CLAUDE_CODE_SESSION_ID: "new" };
  expect(await callSwarm(home, ["lead", "take", "atm-dev", "--force"], { env })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("this session is team-lead in team other"),
  });
  expect(home.json(CONFIG).leadSessionId).toBe("old");
});

test("native teams, unknown teams and impossible sessions are refused", () => {
  const home = aTeam("old");
  const into = (team: string, session = "new") => takeLead(aCall(home, [], { force: true }), team, session);
  expect(() => into("session-0123abcd")).toThrow("a team of the client");
  expect(() => into("nope")).toThrow("there is no team nope");
  expect(() => into("atm-dev", "../x")).toThrow("session id");
});

test("a crash is noticed at once, without any SessionEnd", async () => {
  const home = aTeam("old");
  const child = spawn("sleep", ["60"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const pid = child.pid as number;
  withSession(home, "old", { pid, pidStartedAt: startOf(pid) });
  withSession(home, "new", self);
  expect(() => take(home, "new")).toThrow("the lead is alive");
  child.kill("SIGKILL");
  await new Promise((gone) => child.on("close", gone));
  expect(take(home, "new")).toMatchObject({ before: "old", evidence: expect.stringContaining("is gone") });
});

test("the session that asks: given, or the wrapper's name for it", () => {
  const home = aHome();
  withSession(home, "real", { wrapper: "w-1" });
  const ask = (session?: string, wrapperId?: string) =>
    askingSession({ session, wrapperId, paths: home.paths });
  expect(ask("s", "w-1")).toBe("s");
  expect(ask(undefined, "w-1")).toBe("real");
  expect(ask(undefined, "w-2")).toBe("w-2");
  expect(() => ask()).toThrow("which session?");
});
