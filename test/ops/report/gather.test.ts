// A report's story from the files of a morning: who is in it, under which name, in which states, and what happened.
import { beforeEach, expect, test } from "vitest";
import { appendJournal } from "../../../lib/core/journal.ts";
import { readSettings } from "../../../lib/core/settings.ts";
import { wholeSeconds } from "../../../lib/core/time.ts";
import { gather, type Story } from "../../../lib/ops/report/gather.ts";
import { page } from "../../../lib/ops/report/page.ts";
import { appendLifecycle, type LifecycleEvent } from "../../../lib/sessions/store/lifecycle.ts";
import { writeSession } from "../../../lib/sessions/store/sessions.ts";
import { startOf } from "../../../lib/system/processes.ts";
import { NOON } from "../../support/a-context.ts";
import { aHome, type Home } from "../../support/a-home.ts";
import { aMessage, aTeam, inboxOf, TEAM } from "../../support/a-team.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});

/** `9:30` of that day. */
const at = (time: string) => new Date(`2026-02-20T${time.padStart(5, "0")}:00Z`);
const alive = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const gone = { pid: 4_194_300, pidStartedAt: "1" };

const record = (session: string, lastSeen: string, more: object) =>
  writeSession(home.paths, {
    ...{ session, state: "active", status: "working", startedAt: at("8:00").toISOString() },
    ...{ lastSeen: at(lastSeen).toISOString(), ...more },
  });
const line = (time: string, session: string, what: string, more: object = {}) =>
  appendJournal(home.paths, at(time), {
    ...{ event: "Stop", session, agent: "main", feature: "f", what, ...more },
  });
const state = (time: string, session: string, to: string) => line(time, session, "state", { state: to });
const lifecycle = (
  time: string,
  session: string,
  event: string,
  agent: string,
  kind: LifecycleEvent["source"]["kind"],
) =>
  appendLifecycle(home.paths, {
    ...{ event, agent, team: TEAM, session_id: session, received_at: wholeSeconds(at(time)) },
    ...{ source: { kind }, process_id: 1, payload: {} },
  });

const story = (team: string | undefined, since = "8:00", now = NOON) => {
  const loaded = readSettings(home.paths, home.project, home.project);
  return gather({ paths: home.paths, now, loaded, compactWindow: undefined }, team, at(since));
};
/** `String` and `Number` fail on it. */
const ODD = { toString: 1, valueOf: 1 };
const time = (ms: number) => new Date(ms).toISOString().slice(11, 16).replace(/^0/, "");
const lanes = ({ lanes: all }: Story) =>
  all.map(({ agent, role, spans }) =>
    [
      role ? `${agent} (${role})` : agent,
      ...spans.map((one) => `${one.state} ${time(one.from)}-${time(one.to)}`),
    ].join(", "),
  );

test("the lead first, then members and others who were seen, each with its role and states", () => {
  aTeam(home, [
    { name: "amy", agentType: "developer" },
    { name: "bob", agentType: "developer" },
    "team-lead",
  ]);
  record("lead-session", "11:00", { team: TEAM, agent: "team-lead", ...alive });
  record("bob-session", "11:00", { team: TEAM, agent: "bob", role: "reviewer", ...alive });
  record("boss-session", "11:00", { team: TEAM, agent: "boss", isLead: true, role: "x", ...alive });
  state("9:00", "bob-session", "working");
  state("10:00", "bob-session", "idle");
  state("9:30", "lead-session", "working");
  state("9:40", "boss-session", "idle");
  expect(lanes(story(TEAM))).toEqual([
    "team-lead (lead), working 9:30-12:00",
    "boss (lead), idle 9:40-12:00",
    "amy (developer)",
    "bob (reviewer), working 9:00-10:00, idle 10:00-12:00",
  ]);
});

test("a crash is not logged: the last sign of a process that is gone was its end", () => {
  aTeam(home, []);
  record("open-session", "12:00", { team: TEAM, agent: "open", ...alive });
  record("bob-session", "10:30", { team: TEAM, agent: "bob", ...gone });
  record("eve-session", "11:30", { team: TEAM, agent: "eve", endedAt: at("11:00").toISOString(), ...gone });
  for (const session of ["bob-session", "eve-session"]) state("9:00", session, "working");
  state("11:00", "eve-session", "ended");
  // Without a record: known by what its own lines say.
  line("9:10", "carl-session", "session-start", { feature: "sessions", team: TEAM, name: "carl" });
  state("9:20", "carl-session", "working");
  line("9:50", "carl-session", "note", { feature: "tasks", name: "another" });
  line("11:50", "carl-session", "note", { event: "command", team: TEAM });
  expect(lanes(story(TEAM))).toEqual([
    "bob, working 9:00-10:30",
    "eve, working 9:00-11:00",
    "carl, idle 9:10-9:20, working 9:20-9:50",
  ]);
});

test("a crash that the next session put on record ended with its last sign too", () => {
  aTeam(home, []);
  record("bob-session", "9:30", { team: TEAM, agent: "bob", endedAt: at("11:30").toISOString(), ...gone });
  state("9:00", "bob-session", "working");
  line("11:50", "", "note", { event: "command", team: TEAM });
  expect(lanes(story(TEAM))).toEqual(["bob, working 9:00-9:30"]);
});

test("agents inside a session end with it, and a line about another agent is no sign of it", () => {
  aTeam(home, []);
  record("open-session", "12:00", { team: TEAM, agent: "open", ...alive });
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  record("lead-session", "10:00", { team: TEAM, agent: "team-lead", ...gone });
  const inside = { agent: "areviewer-0123456789abcdef" };
  for (const session of ["bob-session", "lead-session"]) state("9:00", session, "working");
  line("9:10", "lead-session", "state", { ...inside, state: "working" });
  line("9:10", "carl-session", "session-start", { feature: "sessions", team: TEAM, name: "carl" });
  line("9:15", "carl-session", "state", { agent: "ahelper-0123456789abcdef", state: "working" });
  line("9:20", "carl-session", "note", {});
  line("9:40", "carl-session", "member-state", { team: TEAM, name: "bob", state: "silent" });
  expect(lanes(story(TEAM))).toEqual([
    "team-lead (lead), working 9:00-10:00",
    "bob, working 9:00-9:40, silent 9:40-12:00",
    "reviewer, working 9:10-10:00",
    "carl, idle 9:10-9:20",
    "helper, working 9:15-9:20",
  ]);
});

test("a session that /clear replaced ends when the next one begins", () => {
  record("11111111-1", "9:30", { next: "22222222-2", ...alive });
  record("22222222-2", "11:00", { startedAt: at("10:00").toISOString(), ...alive });
  state("9:00", "11111111-1", "working");
  state("9:30", "11111111-1", "idle");
  line("10:00", "22222222-2", "session-start", { feature: "sessions" });
  expect(lanes(story(undefined))).toEqual([
    "11111111, working 9:00-9:30, idle 9:30-10:00",
    "22222222, idle 10:00-12:00",
  ]);
  aTeam(home, []);
  for (const session of ["11111111-1", "22222222-2"])
    line("8:30", session, "renamed", { feature: "sessions", team: TEAM, name: "bob" });
  expect(lanes(story(TEAM))).toEqual(["bob, working 9:00-9:30, idle 9:30-12:00"]);
});

test("where all that happened was before, the page is about the time that was asked for", () => {
  record("bob-session", "9:00", gone);
  line("9:00", "bob-session", "session-start", { feature: "sessions" });
  const { from, to, entries } = story(undefined, "11:00");
  expect([time(from), time(to), entries]).toEqual(["11:00", "12:00", []]);
});

test("a record with a damaged time", () => {
  record("bob-session", "9:30", gone);
  state("9:00", "bob-session", "working");
  const path = ".claude/swarm/sessions/bob-session/session.json";
  home.write(path, { ...home.json(path), lastSeen: "?" });
  line("9:20", "bob-session", "note");
  expect(lanes(story(undefined))).toEqual(["bob-sess, working 9:00-9:20"]);
});

test("who had ended before the period has no lane, who was at work before it has", () => {
  aTeam(home, []);
  record("open-session", "12:00", { team: TEAM, agent: "open", ...alive });
  record("eve-session", "7:30", { team: TEAM, agent: "eve", endedAt: at("7:30").toISOString() });
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  record("amy-session", "7:00", { team: TEAM, agent: "amy", ...alive });
  state("7:00", "eve-session", "working");
  state("7:30", "eve-session", "ended");
  state("7:00", "amy-session", "working");
  state("7:00", "bob-session", "working");
  state("9:00", "bob-session", "idle");
  expect(lanes(story(TEAM))).toEqual(["amy, working 8:00-12:00", "bob, working 8:00-9:00, idle 9:00-12:00"]);
});

test("states of the lifecycle log count, except where our own hooks wrote the same to the journal", () => {
  aTeam(home, []);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  state("9:00", "bob-session", "working");
  lifecycle("9:30", "bob-session", "stop", "bob", "claude_hook");
  lifecycle("10:00", "bob-session", "permission_request", "bob", "atm_mcp");
  lifecycle("10:30", "old-session", "session_start", "old", "claude_hook");
  expect(lanes(story(TEAM))).toEqual([
    "bob, working 9:00-10:00, waiting 10:00-12:00",
    "old, idle 10:30-12:00",
  ]);
});

test("a subagent's states and context are not those of its session", () => {
  aTeam(home, []);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  state("9:00", "bob-session", "working");
  line("9:30", "bob-session", "state", { state: "idle", agent: "a0123456789abcdef" });
  line("9:40", "bob-session", "context-level", { share: 95, agent: "a0123456789abcdef" });
  line("9:50", "bob-session", "context-level", { share: 61 });
  line("9:55", "bob-session", "compact-end", { agent: "a0123456789abcdef" });
  expect(lanes(story(TEAM))).toEqual(["bob, working 9:00-12:00"]);
  expect(story(TEAM).lanes[0]?.levels.map(({ share }) => share)).toEqual([61]);
});

test("of all: names with their team, sessions without one, and no lane for who only wrote", () => {
  aTeam(home, []);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  record("0123456789", "11:00", alive);
  state("9:00", "bob-session", "working");
  state("9:30", "0123456789", "idle");
  home.write(inboxOf("bob"), [aMessage("amy", "hi", { timestamp: at("10:00").toISOString() })]);
  const all = story(undefined);
  expect(all.title).toBe("this machine");
  expect(lanes(all)).toEqual([`bob@${TEAM}, working 9:00-12:00`, "01234567, idle 9:30-12:00"]);
  expect(all.entries.filter(({ kind }) => kind === "message")).toMatchObject([
    { agent: `amy@${TEAM}`, to: `bob@${TEAM}`, head: "hi" },
  ]);
  const one = story(TEAM);
  expect(lanes(one)).toEqual(["bob, working 9:00-12:00", "amy"]);
  expect(one.entries.filter(({ kind }) => kind === "message")).toMatchObject([{ agent: "amy", to: "bob" }]);
});

test("a long name is cut in the same way in a lane and in a message", () => {
  const long = "x".repeat(70);
  aTeam(home, [long]);
  home.write(inboxOf("bob"), [aMessage(long, "hi", { timestamp: at("10:00").toISOString() })]);
  expect(lanes(story(TEAM))).toEqual([`${"x".repeat(59)}…`]);
});

test("entries of the period and the team alone, in order of time; a message of tomorrow is none", () => {
  aTeam(home, []);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  record("zoe-session", "11:00", { team: "ops", agent: "zoe", ...alive });
  line("7:30", "bob-session", "before");
  line("10:00", "bob-session", "second");
  line("9:00", "zoe-session", "other");
  line("9:30", "person", "task-created", {
    event: "command",
    agent: "amy",
    list: TEAM,
    task: "1",
    subject: "s",
  });
  const mail = (time: string, more: object = {}) =>
    aMessage("amy", "\nfirst line\nrest", { timestamp: at(time).toISOString(), ...more });
  home.write(inboxOf("bob"), [mail("7:00"), mail("11:00", { summary: "in short" }), mail("23:00")]);
  expect(story(TEAM).entries.map(({ at, agent, head }) => `${time(at)} ${agent}: ${head}`)).toEqual([
    "9:30 amy: #1 s: created",
    "10:00 bob: second",
    "11:00 amy: in short",
  ]);
});

test("a clock that was set back: lines of a time still to come are left out", () => {
  aTeam(home, []);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", ...alive });
  state("9:00", "bob-session", "working");
  state("13:00", "bob-session", "idle");
  line("13:00", "bob-session", "context-level", { share: 61 });
  lifecycle("13:30", "old-session", "session_start", "old", "atm_mcp");
  const { entries, lanes: all } = story(TEAM);
  expect(entries.map(({ head }) => head)).toEqual(["working"]);
  expect(all.map(({ agent, levels }) => [agent, levels])).toEqual([["bob", []]]);
});

test("the time before the first line is cut off, and after all have ended", () => {
  aTeam(home, []);
  const bounds = () => {
    const { from, to } = story(TEAM);
    return `${time(from)}-${time(to)}`;
  };
  expect(bounds()).toBe("11:59-12:00");
  record("bob-session", "10:00", { team: TEAM, agent: "bob", endedAt: at("10:00").toISOString() });
  state("9:00", "bob-session", "working");
  state("10:00", "bob-session", "ended");
  expect(bounds()).toBe("8:58-10:01");
  record("amy-session", "10:00", { team: TEAM, agent: "amy", ...alive });
  expect(bounds()).toBe("8:56-12:00");
});

test("context: what was said at a moment, then what an open session uses now", () => {
  aTeam(home, []);
  home.write(".claude/swarm/settings.toml", "[context]\nwindow = 1000\n");
  const usage = { type: "assistant", message: { model: "m", usage: { input_tokens: 707 } } };
  const transcript = home.write("t.jsonl", `${JSON.stringify(usage)}\n`);
  record("bob-session", "9:30", { team: TEAM, agent: "bob", transcript, ...alive });
  record("amy-session", "11:00", {
    team: TEAM,
    agent: "amy",
    transcript,
    endedAt: at("11:00").toISOString(),
  });
  record("eve-session", "7:00", { team: TEAM, agent: "eve", transcript, ...alive });
  record("zoe-session", "11:00", { team: TEAM, agent: "zoe", ...alive });
  for (const name of ["bob", "amy", "eve", "zoe"]) state("9:00", `${name}-session`, "idle");
  line("10:00", "bob-session", "context-level", { share: 61 });
  const levels = story(TEAM).lanes.map(({ agent, levels: all }) =>
    [agent, ...all.map((one) => `${time(one.at)} ${one.share}`)].join(", "),
  );
  expect(levels.sort()).toEqual(["amy", "bob, 10:00 61, 10:00 70", "eve", "zoe"]);
  // Neither the order of the ids nor an unreadable time decides.
  const earlier = home.write("e.jsonl", `${JSON.stringify(usage).replace("707", "990")}\n`);
  record("zz-session", "8:30", { team: TEAM, agent: "bob", role: "old", transcript: earlier, ...alive });
  record("a-session", "9:40", { team: TEAM, agent: "bob", role: "new", transcript, ...alive });
  const path = ".claude/swarm/sessions/zoe-session/session.json";
  home.write(path, { ...home.json(path), transcript, lastSeen: "?" });
  const again = Object.fromEntries(story(TEAM).lanes.map((lane) => [lane.agent, lane]));
  expect(again["bob"]).toMatchObject({ role: "new", levels: [{ share: 61 }, { share: 70 }] });
  expect(again["zoe"]?.levels).toEqual([]);
});

test("tasks: the finer status, and only what is still open is waited for", () => {
  aTeam(home, []);
  const task = (id: string, status: string, more: object = {}) =>
    home.write(`.claude/tasks/${TEAM}/${id}.json`, {
      ...{ id, subject: "s", description: "", status, blocks: [], blockedBy: [], ...more },
    });
  task("1", "completed");
  task("2", "pending", { metadata: { swarm: { state: "blocked" } } });
  task("3", "in_progress", { metadata: { swarm: { state: "in_review" } } });
  task("4", "deleted");
  task("5", "pending", { blockedBy: ["1", "2", "3", "2", "4", "99"] });
  const rows = (team: string | undefined) =>
    story(team).tasks.map(({ id, status, blockedBy }) => [id, status, ...blockedBy]);
  expect(rows(TEAM)).toEqual([
    ["#1", "completed"],
    ["#2", "blocked"],
    ["#3", "in_review"],
    ["#4", "deleted"],
    ["#5", "pending", "#2", "#3"],
  ]);
  expect(rows(undefined).at(-1)).toEqual([`${TEAM} #5`, "pending", `${TEAM} #2`, `${TEAM} #3`]);
});

test("a completion that the client reports while the task is open is none, and of several the last counts", () => {
  aTeam(home, []);
  for (const [id, status] of ["in_progress", "completed"].entries())
    home.write(`.claude/tasks/${TEAM}/${id + 1}.json`, {
      subject: "s",
      description: "",
      status,
      blocks: [],
      blockedBy: [],
    });
  const completed = (time: string, task: string, more: object = {}) =>
    line(time, "bob-session", "task-completed", { event: "TaskCompleted", task, team: TEAM, ...more });
  completed("9:00", "1");
  completed("9:10", "2");
  completed("9:20", "2");
  completed("9:30", "3");
  completed("9:40", "1", { event: "command" });
  completed("9:50", "1", { team: undefined });
  for (const team of [TEAM, undefined])
    expect(story(team).entries.map(({ at, head }) => `${time(at)} ${head}`)).toEqual([
      "9:20 #2 : completed",
      "9:30 #3 : completed",
      "9:40 #1 : completed",
      ...(team ? [] : ["9:50 #1 : completed"]),
    ]);
});

test("cost by agent, and none where nothing was counted", () => {
  aTeam(home, []);
  line("9:00", "bob-session", "note", { team: TEAM });
  expect(story(undefined).costs()).toBeUndefined();
  const answer = (id: string, model: string) => ({
    ...{ type: "assistant", timestamp: at("10:00").toISOString(), sessionId: "bob-session", requestId: id },
    message: { id, model, usage: { input_tokens: 10, output_tokens: 2_000 } },
  });
  const transcript = (...models: string[]) =>
    home.write(
      ".claude/projects/p/bob-session.jsonl",
      models.map((model) => `${JSON.stringify(answer(`m-${model}`, model))}\n`).join(""),
    );
  transcript("no-such-model");
  expect(story(undefined).costs()).toMatchObject({
    total: "no price",
    rows: [{ messages: 1, output: "2.0k", usd: "no price" }],
  });
  transcript("no-such-model", "claude-haiku-4-5");
  expect(story(undefined).costs()).toMatchObject({
    total: "$0.0100 + no price",
    rows: [{ messages: 2, output: "4.0k", usd: "$0.0100 + no price" }],
  });
});

test("runs: on which tree, and void where others wrote meanwhile", () => {
  aTeam(home, []);
  const ended = at("10:00").toISOString();
  const run = (id: string, more: object) => ({
    ...{ id, began: ended, ended, command: "npm test", tree: "/t", agent: "bob", session: "s", others: [] },
    ...{ team: TEAM, ...more },
  });
  const runs = [
    run("r-1", { fingerprint: "1a2b3c4", exitCode: 0 }),
    run("r-2", { others: [{ by: "amy", files: ["a.ts"] }] }),
    run("r-3", { isBackground: true }),
    run("r-4", { exitCode: ODD }),
  ];
  home.write(
    ".claude/swarm/repositories/x/runs.jsonl",
    runs.map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
  line("9:00", "s", "note", { team: TEAM });
  expect(story(TEAM).runs.map(({ id, exit, tree, verdict }) => [id, exit, tree, verdict])).toEqual([
    ["r-1", "0", "1a2b3c4", "clean"],
    ["r-2", "", "", "void: 1 file changed during it by amy: a.ts"],
    ["r-3", "", "", "unknown"],
    ["r-4", JSON.stringify(ODD), "", "clean"],
  ]);
});

test.each([
  ["deny", ["reason", "rule", "tool", "input"]],
  ["task-created", ["task", "subject", "owner", "comment", "status"]],
  ["context-level", ["share"]],
  ["state", ["state", "failure", "team", "name"]],
  ["note", ["detail", "id", "event", "feature"]],
])("a %s line with an object where a text belongs costs nobody the page", (what, fields) => {
  const own = { "task-created": { task: "1" }, state: { state: "failed" } }[what];
  for (const field of fields) line("9:00", "bob-session", what, { ...own, [field]: ODD });
  const found = story(undefined);
  expect(found.entries).toHaveLength(fields.length);
  expect(JSON.stringify(found.entries)).toContain("toString");
  expect(page(found)).toContain(what === "state" ? "failed" : "toString");
});

test("an inbox, a task, a run or a transcript that cannot be read hides nothing else", () => {
  aTeam(home, ["bob", "amy"]);
  const [mailbox, mail] = ["amy", "bob"].map(inboxOf);
  home.write(`${mailbox}/x`, "");
  home.write(`.claude/tasks/${TEAM}/1.json/x`, "");
  home.write(`.claude/tasks/${TEAM}/2.json`, { id: "2", subject: "parse", status: "pending" });
  const timestamp = at("10:00").toISOString();
  home.write(mail ?? "", [
    aMessage("eve", "odd", { timestamp, claim: { at: ODD } }),
    aMessage("eve", "hi", { timestamp }),
  ]);
  record("bob-session", "11:00", { team: TEAM, agent: "bob", transcript: home.root, ...alive });
  state("9:00", "bob-session", "working");
  const run = {
    began: timestamp,
    ended: timestamp,
    command: "c",
    tree: "/t",
    agent: "bob",
    session: "s",
    team: TEAM,
  };
  home.write(
    ".claude/swarm/repositories/x/runs.jsonl",
    [
      { ...run, id: "r-1", others: [null] },
      { ...run, id: "r-2", others: [] },
    ]
      .map((one) => JSON.stringify(one))
      .join("\n"),
  );
  const { lanes: all, entries, tasks, runs, unreadable } = story(TEAM);
  expect(all.map(({ agent }) => agent)).toEqual(["bob", "amy", "eve"]);
  expect(entries.map(({ head }) => head)).toEqual(["working", "odd", "hi"]);
  expect(tasks.map(({ subject }) => subject)).toEqual(["parse"]);
  expect(runs.map(({ id }) => id)).toEqual(["r-2"]);
  expect(unreadable).toBe(2);
  expect(page(story(TEAM))).toContain("<p>2 files or entries could not be read</p></header>");
});
