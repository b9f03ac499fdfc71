// Every file Swarm leaves on a machine has a kind, and every kind has its bound.
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { appendArchive } from "../../lib/store/archive.ts";
import { appendEffortMessage } from "../../lib/store/effort-messages.ts";
import { noteLoaded } from "../../lib/store/effort-windows.ts";
import { appendError, appendFired, appendJournal, type JournalLine } from "../../lib/store/journal.ts";
import { appendLifecycle } from "../../lib/store/lifecycle.ts";
import * as paths from "../../lib/store/paths.ts";
import { appendSpawn } from "../../lib/store/spawn-ledger.ts";
import { appendSpawnDebug } from "../../lib/store/spawn-traces.ts";
import { type End, KINDS, kindOf } from "../../lib/store/state-kinds.ts";
import { LIMITS } from "../../lib/store/state-limits.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { runSwarm } from "../support/run-built.ts";

const MB = 1024 * 1024;

test.each<[string, string, End, number | undefined]>([
  ["swarm/journal/2026-02-20.jsonl", "journal", "age", 8 * MB],
  ["swarm/journal/2026-02-20.jsonl.1", "journal", "age", 8 * MB],
  ["swarm/errors.jsonl", "error log", "kept", MB],
  ["swarm/fired/PreToolUse", "stamps of events", "kept", 16 * 1024],
  ["swarm/guarded", "marks of guarded calls", "kept", 64 * 1024],
  ["swarm/sessions/s-1.json", "session records", "session", undefined],
  ["swarm/sessions/s-1.json.corrupt-2026-02-20", "damaged files", "age", undefined],
  ["swarm/sessions/s-1.json.tmp.1f-2", "half-written files", "age", undefined],
  ["swarm/sessions/s-1.json.lock", "locks", "kept", undefined],
  ["swarm/agents/s-1/a1.json", "voices inside sessions", "session", undefined],
  ["swarm/notices/t.json", "notices to the lead", "age", undefined],
  ["swarm/processes/4711.json", "processes", "process", undefined],
  ["swarm/gates/s-1/main.json", "what gates let pass", "session", undefined],
  ["swarm/spawns/s-1.jsonl", "spawn ledgers", "session", 2 * MB],
  ["swarm/context/s-1/voices/main.json", "context levels", "session", undefined],
  ["swarm/mail/s-1.json", "mail marks", "session", undefined],
  ["swarm/seats/s-1/seat", "seats", "session", undefined],
  ["swarm/efforts/windows/s-1/main/loaded", "effort windows", "session", 256 * 1024],
  ["swarm/efforts/1/messages.jsonl", "efforts", "kept", 4 * MB],
  ["swarm/settings.toml", "settings", "kept", undefined],
  ["teams/t/config.json", "teams", "kept", undefined],
  ["teams/t/inboxes/bob.json", "inboxes", "kept", undefined],
  ["teams/t/archive/bob.jsonl", "mail archives", "kept", 8 * MB],
  ["teams/t/archive/bob.removed-x.json", "inboxes of removed members", "person", undefined],
  ["teams/t/logs/bob.jsonl", "output of headless teammates", "person", undefined],
  ["teams/t/prompts/bob/first-prompt.md", "first prompts", "kept", undefined],
  ["archives/t-20260220T120000Z", "archived teams", "person", undefined],
  ["daemon/hooks/events.jsonl", "the lifecycle log", "kept", 16 * MB],
  ["tmp/swarm-heartbeat-t-bob", "heartbeat marks", "age", undefined],
  ["tmp/gate-agent-spawns-debug.jsonl", "traces of the spawn gate", "kept", 4 * MB],
])("%s: %s", (path, name, end, bytes) =>
  expect(kindOf(path)).toMatchObject({ name, end, ...(bytes ? { bytes } : {}) }),
);

test("what is kept for ever says why", () =>
  expect(KINDS.filter(({ end, because }) => end === "kept" && !because)).toEqual([]));

/** Not ours: the client's own files, a daemon's, and directories. */
const NOT_OURS = /^(clientSettings|installedPlugins|daemonSocket|daemonPort|task)Path$|Dir$|Teams?Path$/;

test("every path has a kind", () => {
  const places = { home: "/h", base: "/h/.claude", atmHome: "/h", tmp: "/h/.claude/tmp" };
  const made = Object.entries(paths).flatMap(([name, make]) =>
    typeof make === "function" && /(Path|Dir)$/.test(name) && !NOT_OURS.test(name)
      ? [[name, (make as (...args: unknown[]) => string)(places, "x1", "x2", "x3")] as const]
      : [],
  );
  expect(made.length).toBeGreaterThan(20);
  const strangers = made.filter(([, path]) => {
    const place = relative(places.base, path);
    return !kindOf(place) && !kindOf(`${place}/file`) && !kindOf(place.replace("x1.json", "1.json"));
  });
  expect(strangers).toEqual([]);
});

test("after a whole day of the demo there is no file without a kind", () => {
  const home = aHome();
  expect(runSwarm(home, ["demo", "--keep"]).exitCode).toBe(0);
  const stage = readdirSync(home.path("tmp")).find((name) => name.startsWith("swarm-demo-")) ?? "";
  const base = home.path("tmp", stage, ".claude");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(base, name)).isFile() && !name.startsWith("tasks/"))
    .sort();
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => !kindOf(name))).toEqual([]);
}, 60_000);

const line = { id: "x", event: "x", session: "s", agent: "main", feature: "x", what: "x" };
const event = {
  event: "stop",
  agent: "a",
  team: "t",
  session: "s",
  at: NOON,
  source: "unknown",
  pid: 1,
  payload: {},
};

test.each<[string, (home: Home) => string, (home: Home) => void, number]>([
  [
    "the journal",
    ({ places }) => paths.journalPath(places, "2026-02-20"),
    ({ places }) => appendJournal(places, NOON, { at: "", ...line } as JournalLine),
    LIMITS.journal,
  ],
  [
    "the error log",
    ({ places }) => paths.errorsPath(places),
    ({ places }) => appendError(places, line),
    LIMITS.errors,
  ],
  [
    "an event's stamps",
    ({ places }) => paths.firedPath(places, "Stop"),
    ({ places }) => appendFired(places, "Stop", 32),
    LIMITS.fired,
  ],
  [
    "the lifecycle log",
    ({ places }) => paths.lifecycleLogPath(places),
    ({ places }) => appendLifecycle(places, event as never),
    LIMITS.lifecycle,
  ],
  [
    "a mail archive",
    ({ places }) => paths.archivePath(places, "t", "bob"),
    ({ places }) => appendArchive(places, "t", "bob", [{ id: "m" }]),
    LIMITS.mailArchive,
  ],
  [
    "a spawn ledger",
    ({ places }) => paths.spawnLedgerPath(places, "s"),
    ({ places }) => appendSpawn(places, "s", { what: "answered", call: "c", fate: "done" }),
    LIMITS.spawns,
  ],
  [
    "the spawn gate's trace",
    ({ places }) => paths.spawnDebugPath(places),
    ({ places }) => appendSpawnDebug(places, line),
    LIMITS.spawnDebug,
  ],
  [
    "an effort's messages",
    ({ places }) => join(paths.effortDir(places, 1), "messages.jsonl"),
    ({ places }) => appendEffortMessage(places, 1, { at: "", kind: "x", session: null, voice: "main" }),
    LIMITS.effortMessages,
  ],
  [
    "what a window loaded",
    ({ places }) => paths.effortWindowPath(places, "s", "main", "loaded"),
    ({ places }) => noteLoaded(places, { session: "s", voice: "main" } as never, "/x"),
    LIMITS.loaded,
  ],
])("%s is turned over when it is full", (_, pathOf, append, limit) => {
  const home = aHome();
  const path = pathOf(home);
  append(home);
  expect(existsSync(`${path}.1`)).toBe(false);
  writeFileSync(path, "x".repeat(limit));
  append(home);
  expect({ old: statSync(`${path}.1`).size > limit, now: existsSync(path) }).toEqual({
    old: true,
    now: false,
  });
  append(home);
  expect(statSync(path).size).toBeLessThan(1_000);
});
