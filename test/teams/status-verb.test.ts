// `swarm status` in this process: its head, its board, and how it follows a terminal.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { type SessionRecord, writeSession } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { claimNotice } from "../../lib/teams/store/liveness.ts";
import { statusVerb } from "../../lib/teams/verbs.ts";
import { writePresence } from "../../lib/worktrees/store/agents.ts";
import { aBareTree } from "../support/a-bare-tree.ts";
import { aCall } from "../support/a-call.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { scriptGit } from "../support/a-scripted-git.ts";
import { as, aTeam, CONFIG, TEAM } from "../support/a-team.ts";
import { callSwarm } from "../support/call-swarm.ts";

let home: Home;
beforeEach(() => {
  home = aHome();
});
type Flags = Record<string, string | boolean>;
const call = (words: string[], flags: Flags = {}, env: Record<string, string> = {}) =>
  statusVerb(aCall(home, words, flags, { env }) as never);
const drawn = (flags: Flags = { team: TEAM }, env = {}) =>
  call([], flags, env) as { text: string; data: Record<string, unknown> };
const head = (flags?: Flags) => drawn(flags).text.split("\n\n")[0]?.split("\n") ?? [];
const aRecord = (session: string, more: Partial<SessionRecord> = {}) => {
  const at = NOON.toISOString();
  const alive = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  const usual = { session, state: "idle", status: "done", startedAt: at, lastSeen: at, ...alive };
  writeSession(home.paths, { ...usual, ...more } as SessionRecord);
};

/** What is written to a terminal of this size. */
function aTerminal(columns: number, rows = 24): string[] {
  const written: string[] = [];
  const real = { fstatSync: fs.fstatSync, writeSync: fs.writeSync };
  const put = (calls: object) => {
    Object.assign(fs, calls);
    syncBuiltinESMExports();
  };
  put({
    fstatSync: (fd: number, ...rest: never[]) =>
      fd === 1 ? { isCharacterDevice: () => true } : real.fstatSync(fd, ...rest),
    writeSync: (fd: number, data: Buffer | string, ...rest: never[]) => {
      if (fd !== 1) return real.writeSync(fd, data as string, ...rest);
      written.push(String(data));
      return Buffer.byteLength(data);
    },
  });
  const before = Object.getOwnPropertyDescriptors(process.stdout);
  const size = { isTTY: true, columns, rows };
  for (const [name, value] of Object.entries(size))
    Object.defineProperty(process.stdout, name, { value, configurable: true, writable: true });
  onTestFinished(() => {
    put(real);
    for (const name of Object.keys(size) as (keyof typeof size)[]) {
      Reflect.deleteProperty(process.stdout, name);
      const own = before[name];
      if (own) Object.defineProperty(process.stdout, name, own);
    }
  });
  return written;
}

test.each([
  ["a team of nobody", [], "active", `${TEAM} (active): no members`],
  ["two of a kind", ["alice", "bob"], "active", `${TEAM} (active): 2 unknown`],
  ["a suspended one", ["alice"], "suspended", `${TEAM} (suspended): 1 unknown`],
])("the head of %s", (_, members, status, line) => {
  aTeam(home, members);
  home.write(CONFIG, { ...home.json(CONFIG), status });
  expect(head()).toEqual([line]);
  expect(drawn().text.includes("AGENT")).toBe(members.length > 0);
});

test("a team of the client itself is native", () => {
  home.write(".claude/teams/session-0123abcd/config.json", { name: "session-0123abcd", members: [] });
  expect(head({ team: "session-0123abcd" })).toEqual(["session-0123abcd (native): no members"]);
});

const VERIFIED = { swarm: { verified: { by: "npm test", at: NOON.toISOString() } } };
test.each<[string, [status: string, metadata?: object][], string[]]>([
  ["no task", [], []],
  ["an open one", [["pending"]], ["tasks: 0 of 1 done"]],
  ["an unverified one", [["completed"], ["pending"]], ["tasks: 1 of 2 done, unverified"]],
  ["a verified one", [["completed", VERIFIED]], ["tasks: 1 of 1 done, all verified"]],
  ["one of each", [["completed", VERIFIED], ["completed"]], ["tasks: 2 of 2 done, 1 of them verified"]],
])("the tasks of a team: %s", (_, tasks, lines) => {
  aTeam(home, ["alice"]);
  tasks.forEach(([status, metadata], n) => {
    const id = String(n + 1);
    home.write(`.claude/tasks/${TEAM}/${id}.json`, { id, subject: "x", status, metadata });
  });
  expect(head().slice(1)).toEqual(lines);
});

test.each([
  ["no team", {}],
  ["an unknown team", { team: "other" }],
  ["a team whose name is a path", { team: "../x" }],
])("with %s it shows the sessions of this machine", (_, flags) => {
  expect(drawn(flags).text).toBe("no session is open on this machine");
  aRecord("s-1");
  expect(head(flags)).toEqual(["sessions on this machine: 1 idle"]);
  expect(drawn(flags).data).toMatchObject({ team: null, agents: [{ session: "s-1" }] });
});

test("trees are counted by git only where they are asked for", () => {
  const tree = aBareTree(home);
  for (const session of ["s-1", "s-2"]) {
    aRecord(session);
    writePresence(home.paths, tree, { session }, NOON);
  }
  const asked = scriptGit();
  expect(drawn({}).data["trees"]).toMatchObject([{ top: tree.top, branch: "main" }]);
  expect(asked).toEqual([]);
  expect(drawn({ trees: true }).data["trees"]).toMatchObject([{ top: tree.top, changed: 1 }]);
  expect(asked).toContainEqual(expect.stringMatching(/^status /));
});

test("without a name it is the caller's own team", () => {
  aTeam(home, ["team-lead", "alice"]);
  aRecord("alice-session", { team: TEAM, agent: "alice", kind: "named" } as Partial<SessionRecord>);
  expect(drawn({}, as("alice")).data).toMatchObject({ team: TEAM });
});

test("the rows: who they are, by their records, and what they do", () => {
  aTeam(home, [
    { name: "team-lead" },
    { name: "alice", sessionId: "s-alice", agentType: "coder" },
    { name: "bob", agentType: "tester" },
    { name: "carol", sessionId: "s-carol" },
    { name: "../x" },
  ]);
  aRecord("lead-session", { role: "chief", statusText: "leads" });
  aRecord("s-alice", { role: "writer", statusText: "writes" });
  aRecord("s-bob-1", { team: TEAM, agent: "bob", statusText: "old", lastSeen: "2026-02-20T11:00:00Z" });
  aRecord("s-bob-2", { team: TEAM, agent: "bob", statusText: "new", lastSeen: "2026-02-20T11:30:00Z" });
  aRecord("s-bob-3", { team: TEAM, agent: "bob", statusText: "left", next: "s-bob-2" });
  aRecord("s-bob-4", { team: "other", agent: "bob", statusText: "another's" });
  const task = (id: string, owner: string, status = "in_progress") =>
    home.write(`.claude/tasks/${TEAM}/${id}.json`, { id, subject: `task ${id}`, status, owner });
  task("1", "carol");
  task("2", `carol@${TEAM}`);
  task("3", "alice", "pending");
  const rows = drawn().data["agents"] as Record<string, unknown>[];
  expect(rows.map(({ agent, role, task, session, unread }) => [agent, role, task, session, unread])).toEqual([
    ["team-lead", "lead", "leads", "lead-session", 0],
    ["alice", "writer", "writes", "s-alice", 0],
    ["bob", "tester", "new", "s-bob-2", 0],
    ["carol", undefined, "#1 task 1 (+1)", undefined, 0],
    ["../x", undefined, undefined, undefined, undefined],
  ]);
});

test("of a large team the lead, those in trouble and those last seen are shown, in the team's order; --all and --json show all", () => {
  const named = (n: number, more: object = {}) => ({ name: `m${n}`, sessionId: `s-${n}`, ...more });
  const at = (n: number) => ({ lastSeen: new Date(NOON.getTime() + n * 1000).toISOString() });
  const members = Array.from({ length: 50 }, (_, n) => named(n, at(n)));
  members[0] = named(0, { agentId: "the-lead" });
  members[1] = named(1, { status: "active" }); // in trouble
  members[2] = named(2, { status: "offline" }); // in trouble, and ended since
  members[49] = named(49, { status: "offline", ...at(49) });
  aTeam(home, members);
  home.write(CONFIG, { ...home.json(CONFIG), leadAgentId: "the-lead" });
  for (const [name, state] of [
    ["m1", "waits"],
    ["m2", "gone"],
    ["m3", "answered"],
  ] as const)
    claimNotice(home.paths, TEAM, name, { state, sign: "x" });
  const agents = (flags: Flags = {}) =>
    (drawn({ team: TEAM, ...flags }).data["agents"] as { agent: string }[]).map(({ agent }) => agent);
  const last = Array.from({ length: 38 }, (_, n) => `m${n + 11}`);
  expect(agents()).toEqual(["m0", "m1", ...last]);
  expect(head()[0]).toBe(`${TEAM} (active): 40 unknown, and 10 more that --all shows`);
  for (const flag of ["all", "json"]) expect(agents({ [flag]: true })).toHaveLength(50);
  expect(head({ team: TEAM, all: true })[0]).toBe(`${TEAM} (active): 48 unknown, 2 gone`);
});

test("on a narrow terminal a line of the head breaks between its parts; a pipe gets it whole", () => {
  aTeam(home, ["alice", { name: "bob", status: "offline" }, { name: "carol", sessionId: "s-c" }]);
  aRecord("s-c");
  const line = `${TEAM} (active): 1 unknown, 1 gone, 1 idle`;
  expect(head()).toEqual([line]);
  aTerminal(30);
  expect(head()).toEqual([`${TEAM} (active): 1 unknown,`, "  1 gone, 1 idle"]);
  aTerminal(line.length);
  expect(head()).toEqual([line]);
  aTerminal(10); // no place to break
  expect(head()).toEqual([line]);
});

test.each([
  [false, true],
  [true, false],
])("colours on a terminal, unless they are not wanted (%s)", (noColour, isColoured) => {
  aTeam(home, ["alice"]);
  aTerminal(100);
  const { text } = statusVerb({ ...aCall(home, [], { team: TEAM }), noColour } as never) as { text: string };
  expect(text.includes("\u001b[")).toBe(isColoured);
});

test.each<[string, string[], Flags, string]>([
  ["a watch without a terminal", [], { watch: true }, "--watch redraws a terminal"],
  ["no status", ["set"], {}, "what is the status?"],
  ["a status of nobody", ["set", "x"], {}, "a status belongs to a session"],
])("%s is refused", (_, words, flags, why) => expect(() => call(words, flags)).toThrow(why));

test("another word is refused", async () =>
  expect(await callSwarm(home, ["status", "get"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('the action is one of set, not "get"'),
  }));

test("a watch that is to print JSON is refused on a terminal too", () => {
  aTerminal(80);
  expect(() => call([], { watch: true, json: true })).toThrow("--watch redraws a terminal");
});

test("a status is one plain line of some length, and can be taken away", () => {
  aRecord("s-1");
  const set = (text: string) => call(["set", text], {}, { CLAUDE_CODE_SESSION_ID: "s-1" });
  expect(set("a\u0007\n  b")).toEqual({ text: "status: a b", data: { session: "s-1", status: "a b" } });
  expect(set("x".repeat(300))).toMatchObject({ data: { status: "x".repeat(200) } });
  expect(set("")).toEqual({ text: "status removed", data: { session: "s-1", status: null } });
});

test("a watch draws, draws again what has changed or what the window lost, and leaves nothing behind", async () => {
  aTeam(home, ["alice"]);
  const screens = aTerminal(80);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH"] as const;
  const before = new Set(signals.flatMap((signal) => process.listeners(signal)));
  const own = (signal: (typeof signals)[number]) =>
    process.listeners(signal).filter((one) => !before.has(one));
  onTestFinished(() => {
    for (const signal of signals) for (const one of own(signal)) process.off(signal, one);
  });
  const over = call([], { team: TEAM, watch: true }) as Promise<void>;
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  await Promise.resolve();
  expect(screens).toHaveLength(1);
  expect(screens[0]).toContain("AGENT");
  vi.advanceTimersByTime(2_000);
  expect(screens).toHaveLength(1);
  home.write(CONFIG, { ...home.json(CONFIG), status: "suspended" });
  vi.advanceTimersByTime(2_000);
  expect(screens).toHaveLength(2);
  for (const redraw of own("SIGWINCH")) redraw("SIGWINCH");
  expect(screens).toHaveLength(3);
  expect(isOver).toBe(false);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  for (const end of own("SIGHUP")) end("SIGHUP");
  await over;
  expect(vi.getTimerCount()).toBe(0);
});
