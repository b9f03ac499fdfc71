// The files of sessions: records of this version and the one before, pauses, the lifecycle log, what the client says of itself.
import { mkdirSync, readdirSync, renameSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { wholeSeconds } from "../../lib/core/time.ts";
import { clientStateOf, isCurrent, promptFor, promptSubject } from "../../lib/sessions/store/client-state.ts";
import {
  appendForeignLifecycle,
  appendLifecycle,
  daemonPortPath,
  daemonSocketPath,
  hookEventRequest,
  type LifecycleEvent,
  lifecycleLogPath,
  offerToDaemon,
  readLifecycleAfter,
  readLifecycleSince,
} from "../../lib/sessions/store/lifecycle.ts";
import {
  addPauses,
  type Pause,
  readAllStopped,
  readPauses,
  readStopped,
  removePauses,
  removeStopped,
  type Stopped,
  stoppedAt,
  writeStopped,
} from "../../lib/sessions/store/pauses.ts";
import {
  beginSession,
  isInTurn,
  isOpenSession,
  isRateLimited,
  lastSignOf,
  latestRecord,
  lifeOfRecord,
  readSession,
  readSessions,
  readSubagents,
  removeSession,
  type SessionRecord,
  sessionsBefore,
  updateSession,
  wasStopped,
  writeSession,
} from "../../lib/sessions/store/sessions.ts";
import { hasWordsAt, isInterrupted, limitIn } from "../../lib/sessions/store/turn-end.ts";
import { NOON } from "../support/a-context.ts";
import { aHome } from "../support/a-home.ts";
import { anError, onFileCalls } from "../support/file-calls.ts";

const OWN = ".claude/swarm/sessions/s-1/session.json";
const EARLIER = ".claude/swarm/sessions/s-1.json";
const KEY = { session: "s-1" };
const record = (more: Partial<SessionRecord> = {}): SessionRecord =>
  ({ ...KEY, state: "active", status: "working", startedAt: "1", lastSeen: "5", ...more }) as SessionRecord;

test.each<[string, string | undefined, string | undefined, "own" | "earlier" | undefined]>([
  ["only its own", "5", undefined, "own"],
  ["only that of 0.1.0", undefined, "5", "earlier"],
  ["its own the newer", "6", "5", "own"],
  ["that of 0.1.0 the newer, after going back", "5", "6", "earlier"],
  ["both of one time", "5", "5", "earlier"],
  ["none", undefined, undefined, undefined],
])("of two records of a session, %s, the newer is read and written", (_, own, earlier, expected) => {
  const home = aHome();
  if (own) home.write(OWN, record({ lastSeen: own, model: "own" }));
  if (earlier) home.write(EARLIER, record({ lastSeen: earlier, model: "earlier" }));
  expect(readSession(home.paths, KEY)?.model).toBe(expected);
  expect(readSessions(home.paths).map(({ model }) => model)).toEqual(expected ? [expected] : []);
  const kept = expected === "earlier" ? own && home.read(OWN) : earlier && home.read(EARLIER);
  updateSession(home.paths, KEY, (stored) => record({ ...stored, mission: `${stored?.model}` }));
  expect(home.json(expected === "earlier" ? EARLIER : OWN).mission).toBe(`${expected}`);
  writeSession(home.paths, record({ mission: "written" }));
  expect(home.json(expected === "earlier" ? EARLIER : OWN).mission).toBe("written");
  if (kept) expect(home.read(expected === "earlier" ? OWN : EARLIER)).toBe(kept);
});

test("a start carries on from the record of 0.1.0, in a directory of its own; the old one stays", () => {
  const home = aHome();
  home.write(EARLIER, record({ model: "earlier" }));
  const before = home.read(EARLIER);
  beginSession(home.paths, KEY, (stored) => record({ ...stored, lastSeen: "9" }));
  expect([home.json(OWN).model, home.read(EARLIER)]).toEqual(["earlier", before]);
  beginSession(home.paths, { session: "s-2" }, (stored) => record({ session: stored ? "known" : "s-2" }));
  expect(home.json(".claude/swarm/sessions/s-2/session.json").session).toBe("s-2");
});

test("an agent inside a session has one record, whatever is beside it", () => {
  const home = aHome();
  home.write(".claude/swarm/sessions/s-1.json", record({ lastSeen: "9" }));
  writeSession(home.paths, record({ agentId: "a1", model: "inside" }));
  writeSession(home.paths, record({ agentId: "a2" }));
  writeFileSync(home.path(".claude/swarm/agents/s-1/a1.json.lock"), "");
  expect(readSession(home.paths, { ...KEY, agentId: "a1" })?.model).toBe("inside");
  expect(readSubagents(home.paths, "s-1").map(({ agentId }) => agentId)).toEqual(["a1", "a2"]);
  expect(readSubagents(home.paths, "s-1", (id) => id === "a2").map(({ agentId }) => agentId)).toEqual(["a2"]);
});

test("a session called x.json is another than x; a directory without a record and an odd name are none", () => {
  const home = aHome();
  writeSession(home.paths, record({ session: "x.json" }));
  mkdirSync(home.path(".claude/swarm/sessions/empty"));
  home.write(".claude/swarm/sessions/-odd.json", record({ session: "-odd" }));
  home.write(".claude/swarm/sessions/notes.txt", "");
  expect(readSession(home.paths, { session: "x" })).toBeUndefined();
  expect(readSessions(home.paths).map(({ session }) => session)).toEqual(["x.json"]);
});

test("what cannot be read is an error, not an absence", () => {
  const home = aHome();
  home.write(EARLIER, record());
  onFileCalls((name, [path]) => {
    if (name === "openSync" && path === home.path(EARLIER)) throw anError("EIO");
    if (name === "readdirSync") throw anError("EACCES");
  });
  expect(() => readSession(home.paths, KEY)).toThrow("EIO");
  expect(() => readSessions(home.paths)).toThrow("EACCES");
});

test("no directory is no session", () => expect(readSessions(aHome().paths)).toEqual([]));

test("a session that has ended is removed with all that is its own", () => {
  const home = aHome();
  home.write(EARLIER, record());
  home.write(OWN, record());
  writeSession(home.paths, record({ agentId: "a1" }));
  writeSession(home.paths, record({ session: "s-2" }));
  removeSession(home.paths, "s-1");
  removeSession(home.paths, "never-seen");
  expect(readdirSync(home.path(".claude/swarm/sessions"))).toEqual(["s-2"]);
  expect(readSubagents(home.paths, "s-1")).toEqual([]);
});

test("the chain of /clear, in both directions, ends at what is no session", () => {
  const home = aHome();
  writeSession(home.paths, record({ session: "a", next: "b", previous: "../x" }));
  writeSession(home.paths, record({ session: "b", next: "c", previous: "a" }));
  writeSession(home.paths, record({ session: "c", previous: "b", next: "missing" }));
  writeSession(home.paths, record({ session: "loop", next: "loop", previous: "loop" }));
  expect(["a", "c", "none", "../x"].map((one) => latestRecord(home.paths, one)?.session)).toEqual([
    "c",
    "c",
    undefined,
    undefined,
  ]);
  expect(latestRecord(home.paths, "loop")?.session).toBe("loop");
  expect(["c", "loop", "none", "../x"].map((one) => sessionsBefore(home.paths, one))).toEqual([
    ["c", "b", "a"],
    ["loop"],
    ["none"],
    [],
  ]);
});

test("small questions about a record", () => {
  const open = (more: object) => isOpenSession(record(more));
  expect([open({}), open({ endedAt: "t" }), open({ next: "x" }), open({ endedAt: "t", next: "x" })]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([lifeOfRecord(record({ endedAt: "t", pid: process.pid })), lifeOfRecord(record())]).toEqual([
    "gone",
    "unknown",
  ]);
  expect(lastSignOf(record({ lastSeen: "5" }), [record({ lastSeen: "7" }), record({ lastSeen: "6" })])).toBe(
    "7",
  );
});

test.each<[Partial<SessionRecord>, boolean, boolean]>([
  [{ state: "tool_active", status: "working" }, true, false],
  [{ state: "active", status: "working" }, true, false],
  [{ state: "active", status: "done" }, false, false],
  [{ state: "idle", status: "working" }, false, false],
  [{ state: "idle", status: "error", failure: "rate_limit" }, false, true],
  [{ state: "idle", status: "error", failure: "overloaded" }, false, true],
  [{ state: "idle", status: "error", failure: "usage_limit_reached" }, false, true],
  [{ state: "idle", status: "error", failure: "server_error" }, false, false],
  [{ state: "active", status: "done", failure: "overloaded" }, false, false],
])("%j: in a turn %s, rate-limited %s", (given, inTurn, limited) =>
  expect([isInTurn(record(given)), isRateLimited(record(given))]).toEqual([inTurn, limited]),
);

// Pauses

const pause = (more: object = {}): Pause => ({ by: "person", since: "1", ...more });

test("a pause of one scope does not replace that of another", () => {
  const { paths } = aHome();
  const scopes = [
    {},
    { team: "a" },
    { team: "b" },
    { team: "a", agent: "x" },
    { team: "b", agent: "x" },
    { team: "a", agent: "y" },
    { session: "s" },
    { session: "t" },
  ];
  for (const scope of scopes) addPauses(paths, [pause(scope)]);
  expect(readPauses(paths)).toHaveLength(scopes.length);
  for (const scope of scopes) addPauses(paths, [pause({ ...scope, since: "2" })]);
  expect(readPauses(paths).map(({ since }) => since)).toEqual(scopes.map(() => "1"));
});

test("a pause is on disk when it is said, and a lifted one is removed only under the lock", () => {
  const home = aHome();
  const path = home.path(".claude/swarm/pauses.json");
  const synced: unknown[] = [];
  let opened: unknown;
  let steal = false;
  onFileCalls((name, [file]) => {
    if (name === "openSync") opened = file;
    if (name === "fsyncSync") synced.push(opened);
    if (!steal || name !== "openSync" || file !== path) return;
    steal = false;
    renameSync(`${path}.lock`, `${path}.old`);
    rmdirSync(`${path}.old`);
    mkdirSync(`${path}.lock`);
  });
  addPauses(home.paths, [pause()]);
  expect(synced).toEqual([expect.stringContaining(`${path}.tmp.`), home.path(".claude/swarm")]);
  steal = true;
  expect(() => removePauses(home.paths, () => true)).toThrow("was lost");
  expect(home.has(".claude/swarm/pauses.json")).toBe(true);
  rmdirSync(`${path}.lock`);
  steal = true;
  expect(() => addPauses(home.paths, [pause({ team: "a" })])).toThrow("was lost");
  expect(home.json(".claude/swarm/pauses.json")).toHaveLength(1);
});

test("where agents stopped: each under its session, gone with the last of it", () => {
  const home = aHome();
  const stopped = (agentId?: string): Stopped =>
    ({ session: "s-1", kind: "named", at: "t", tool: "Bash", ...(agentId && { agentId }) }) as Stopped;
  expect(wasStopped(home.paths, "s-1")).toBe(false);
  for (const one of [stopped(), stopped("a1")]) writeStopped(home.paths, one);
  home.write(".claude/swarm/paused/s-1/notes.txt", "");
  expect([wasStopped(home.paths, "s-1"), wasStopped(home.paths, "s-2"), wasStopped(home.paths, "")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(readAllStopped(home.paths)).toEqual(expect.arrayContaining([stopped(), stopped("a1")]));
  expect(readAllStopped(home.paths)).toHaveLength(2);
  removeStopped(home.paths, "s-1");
  expect([readStopped(home.paths, "s-1"), readStopped(home.paths, "s-1", "a1")]).toEqual([
    undefined,
    stopped("a1"),
  ]);
  removeStopped(home.paths, "s-2");
  removeStopped(home.paths, "s-1", "a1");
  expect(wasStopped(home.paths, "s-1")).toBe(true); // something that is not ours is still there
  writeStopped(home.paths, { ...stopped(), session: "s-3" });
  removeStopped(home.paths, "s-3");
  expect(wasStopped(home.paths, "s-3")).toBe(false);
});

test.each([
  [{}, "Bash"],
  [{ about: "npm test" }, "Bash (npm test)"],
  [{ task: "#3 parse" }, "Bash, task #3 parse"],
  [{ about: "npm test", task: "#3 parse" }, "Bash (npm test), task #3 parse"],
])("stopped at %j", (more, expected) =>
  expect(stoppedAt({ tool: "Bash", ...more } as Stopped)).toBe(expected),
);

// The lifecycle log

const event = (more: Partial<LifecycleEvent> = {}): LifecycleEvent => ({
  ...{
    event: "session_start",
    agent: "bob",
    team: "dev",
    session_id: "s-1",
    received_at: wholeSeconds(NOON),
  },
  ...{ source: { kind: "claude_hook" }, process_id: 7, payload: { tool_name: "Bash" }, ...more },
});

test("the log is read since a time, in order of time, as far as its lines are ours", () => {
  const home = aHome();
  for (const seconds of [2, 1, 0])
    appendLifecycle(
      home.paths,
      event({ received_at: wholeSeconds(new Date(NOON.getTime() + seconds * 1_000)) }),
    );
  const path = lifecycleLogPath(home.paths);
  writeFileSync(path, '[1]\n"text"\n{"type":"odd","received_at":"2026-02-20T12:00:09Z","source":"x"}\n', {
    flag: "a",
  });
  const since = (seconds: number) =>
    readLifecycleSince(home.paths, new Date(NOON.getTime() + seconds * 1_000)).map(
      ({ type, at, source }) => `${type} ${at.slice(17, 19)} ${source}`,
    );
  expect(since(1)).toEqual(["session-start 01 claude_hook", "session-start 02 claude_hook", "odd 09 "]);
  expect(since(10)).toEqual([]);
});

test("events of another machine are added where there is a log, and begin none", () => {
  const home = aHome();
  appendForeignLifecycle(home.paths, [{ n: 1 }]);
  expect(readLifecycleAfter(home.paths, 0)).toEqual({ lines: [], end: 0 });
  appendLifecycle(home.paths, event());
  const { end } = readLifecycleAfter(home.paths, 0);
  appendForeignLifecycle(home.paths, [{ n: 1 }, { n: 2 }]);
  expect(readLifecycleAfter(home.paths, end).lines).toEqual(['{"n":1}', '{"n":2}']);
  expect(readLifecycleAfter(home.paths, statSync(lifecycleLogPath(home.paths)).size).lines).toEqual([]);
});

test.each<[string, object, object]>([
  ["session_start", { tool_name: "Bash" }, {}],
  ["session_end", { tool_name: "Bash" }, { reason: "session_exit" }],
  ["permission_request", { tool_name: "Bash" }, { tool_name: "Bash" }],
])("a daemon is offered %s with what belongs to it", (name, payload, more) => {
  const request = hookEventRequest(event({ event: name, payload }));
  const { reason, tool_name } = request.payload as Record<string, unknown>;
  expect(JSON.parse(JSON.stringify({ reason, tool_name }))).toEqual(more);
  expect(() => hookEventRequest(event({ event: name, payload: undefined }))).not.toThrow();
});

test.each([
  ["a port", (port: number) => String(port), true],
  ["none", () => "0", false],
  ["no number", () => "1.5", false],
])("on Windows a daemon listens at a port: %s", async (_, text, isOffered) => {
  const home = aHome();
  const { platform } = process;
  Object.defineProperty(process, "platform", { value: "win32" });
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: platform });
  });
  const server = createServer();
  onTestFinished(() => void server.close());
  const heard = new Promise<string>((resolve) => {
    server.on("connection", (socket) => socket.on("data", (data) => resolve(String(data))));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  home.write(daemonPortPath(home.paths).replace(`${home.root}/`, ""), text(port));
  offerToDaemon(home.paths, event());
  const request = { ...hookEventRequest(event()), request_id: expect.any(String) };
  if (isOffered) expect(JSON.parse(await heard)).toEqual(request);
});

test("a daemon's socket without a server is given up silently", async () => {
  const home = aHome();
  const path = daemonSocketPath(home.paths);
  mkdirSync(dirname(path), { recursive: true });
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(home.path("tmp/live"), resolve));
  renameSync(home.path("tmp/live"), path);
  await new Promise((resolve) => void server.close(resolve));
  const usual = process.listeners("uncaughtException");
  const thrown: unknown[] = [];
  process.removeAllListeners("uncaughtException").on("uncaughtException", (error) => thrown.push(error));
  onTestFinished(() => {
    process.removeAllListeners("uncaughtException");
    for (const one of usual) process.on("uncaughtException", one);
  });
  offerToDaemon(home.paths, event());
  await new Promise((resolve) => void connect(path).on("error", resolve)); // refused after that one
  expect(thrown).toEqual([]);
});

// What the client says of itself

test.each<[string, object, number | undefined, boolean]>([
  ["its own", { sessionId: "s-1", status: "busy" }, 7, true],
  ["another session's", { sessionId: "s-2", status: "busy" }, 7, false],
  ["one without a status", { sessionId: "s-1" }, 7, false],
  ["that of no process", { sessionId: "s-1", status: "busy" }, undefined, false],
])("the state of a client: %s", (_, state, pid, isUsed) => {
  const home = aHome();
  home.write(".claude/sessions/7.json", state);
  expect(clientStateOf(home.paths, { session: "s-1", ...(pid && { pid }) }) !== undefined).toBe(isUsed);
});

test.each<[string, number | undefined, string | undefined, boolean]>([
  ["newer than the last event", 2_000, "1970-01-01T00:00:01Z", true],
  ["older than an event of 11 seconds ago", 1_000, "1970-01-01T00:00:09Z", true],
  ["older than an event of 9 seconds ago", 1_000, "1970-01-01T00:00:11Z", false],
  ["without any event", 1_000, undefined, true],
])("the state of a client that is %s is current: %s", (_, statusUpdatedAt, sign, expected) =>
  expect(isCurrent({ statusUpdatedAt } as never, sign, new Date(20_000))).toBe(expected),
);

test.each([
  ["Bash", { command: "git push" }, 200, "permission", "Bash(git push)"],
  ["Write", { file_path: "/a", pattern: "x" }, 200, "permission", "Write(/a)"],
  ["WebFetch", { url: "u", pattern: "x" }, 200, "permission", "WebFetch(u)"],
  ["Grep", { pattern: "x" }, 200, "permission", "Grep(x)"],
  ["AskUserQuestion", {}, 200, "question", "AskUserQuestion"],
  ["Bash", { command: "0123456789" }, 5, "permission", "Bash(0123…)"],
  ["Bash", { command: "01234" }, 5, "permission", "Bash(01234)"],
  ["", { command: "0123456789" }, 5, "permission", "01234"],
])("a prompt for %s with %j, in %i characters", (tool, input, longest, kind, expected) => {
  const prompt = promptFor(tool, input, NOON);
  expect([prompt.kind, promptSubject(prompt, longest)]).toEqual([kind, expected]);
});

// The end of a turn

const line = (entry: object) => `${JSON.stringify(entry)}\n`;
const said = (type: string, content: unknown, more: object = {}) =>
  line({ type, message: { content }, ...more });
const INTERRUPTED = "[Request interrupted by user]";

test.each([
  ["a note of it at the end", said("assistant", "x") + said("user", INTERRUPTED), true],
  [
    "and what is no entry of the conversation after it",
    said("user", INTERRUPTED) + said("system", "x"),
    true,
  ],
  ["the agent going on", said("user", INTERRUPTED) + said("assistant", "x"), false],
  ["a person going on", said("user", INTERRUPTED) + said("user", "go on"), false],
  ["an agent that writes the same", said("assistant", INTERRUPTED), false],
  ["nothing", "", false],
])("interrupted: %s", (_, tail, expected) => expect(isInterrupted(tail)).toBe(expected));

test("a limit that a person has answered is over", () => {
  const limit = said("assistant", "rate limit", { isApiErrorMessage: true });
  expect([
    limitIn(limit)?.limit,
    limitIn(limit + said("user", "go on")),
    limitIn(limit + said("system", "x"))?.limit,
  ]).toEqual(["rate", undefined, "rate"]);
});

test.each([
  ["the context of this call", line({ type: "hook_additional_context", toolUseID: "t1" }), true],
  ["that of another", line({ type: "hook_additional_context", toolUseID: "t12" }), false],
  ["the call alone", line({ toolUseID: "t1" }), false],
  ["both, in two lines", line({ type: "hook_additional_context" }) + line({ toolUseID: "t1" }), false],
])("the transcript has %s", (_, tail, expected) => expect(hasWordsAt(tail, "t1")).toBe(expected));
