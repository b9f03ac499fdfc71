// Every file Swarm leaves on a machine has a kind, and every kind has its bound.

import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { appendError, appendFired, appendJournal, type JournalLine } from "../../lib/core/journal.ts";
import { LIMITS } from "../../lib/core/jsonl.ts";
import * as pathsOf from "../../lib/core/paths.ts";
import { appendEffortMessage, messagesPath } from "../../lib/efforts/store/efforts.ts";
import { effortWindowPath, noteLoaded } from "../../lib/efforts/store/windows.ts";
import { appendArchived, archivePath, mailboxFiles } from "../../lib/mail/store/mailbox-files.ts";
import { type End, KINDS, kindOf } from "../../lib/ops/store/state-kinds.ts";
import { appendLifecycle, lifecycleLogPath } from "../../lib/sessions/store/lifecycle.ts";
import { appendSpawn, spawnLedgerPath } from "../../lib/teammates/store/spawn-ledger.ts";
import { appendSpawnDebug, spawnDebugPath } from "../../lib/teammates/store/spawn-traces.ts";
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

/** Not ours: files of the client, a daemon or the project; and what joins any parts. */
const NOT_OURS =
  /^(clientSettings|installedPlugins|daemonSocket|daemonPort|task|swarm|team|page)Path$|Dir$|Teams?Path$/;

/** Functions that make paths: those of core and of every domain's store. */
async function pathFunctions(): Promise<[string, unknown][]> {
  const lib = join(import.meta.dirname, "../../lib");
  const stores = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^[^/]+\/store(\/.+)?\.ts$/.test(name),
  );
  const modules = await Promise.all(stores.map((name) => import(join(lib, name)) as Promise<object>));
  return [pathsOf, ...modules].flatMap((one) => Object.entries(one));
}

test("every path has a kind", async () => {
  const paths = { home: "/h", base: "/h/.claude", atmHome: "/h", tmp: "/h/.claude/tmp" };
  const made = (await pathFunctions()).flatMap(([name, make]) =>
    typeof make === "function" && /(Path|Dir)$/.test(name) && !NOT_OURS.test(name)
      ? [[name, (make as (...args: unknown[]) => string)(paths, "x1", "x2", "x3")] as const]
      : [],
  );
  expect(made.length).toBeGreaterThan(20);
  const strangers = made.filter(([, path]) => {
    const place = relative(paths.base, path);
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
    ({ paths }) => pathsOf.journalPath(paths, "2026-02-20"),
    ({ paths }) => appendJournal(paths, NOON, { at: "", ...line } as JournalLine),
    LIMITS.journal,
  ],
  [
    "the error log",
    ({ paths }) => pathsOf.errorsPath(paths),
    ({ paths }) => appendError(paths, line),
    LIMITS.errors,
  ],
  [
    "an event's stamps",
    ({ paths }) => pathsOf.firedPath(paths, "Stop"),
    ({ paths }) => appendFired(paths, "Stop", 32),
    LIMITS.fired,
  ],
  [
    "the lifecycle log",
    ({ paths }) => lifecycleLogPath(paths),
    ({ paths }) => appendLifecycle(paths, event as never),
    LIMITS.lifecycle,
  ],
  [
    "a mail archive",
    ({ paths }) => archivePath(paths, "t", "bob"),
    ({ paths }) => appendArchived(mailboxFiles(paths, "t", "bob"), [{ id: "m" }]),
    LIMITS.mailArchive,
  ],
  [
    "a spawn ledger",
    ({ paths }) => spawnLedgerPath(paths, "s"),
    ({ paths }) => appendSpawn(paths, "s", { what: "answered", call: "c", fate: "done" }),
    LIMITS.spawns,
  ],
  [
    "the spawn gate's trace",
    ({ paths }) => spawnDebugPath(paths),
    ({ paths }) => appendSpawnDebug(paths, line),
    LIMITS.spawnDebug,
  ],
  [
    "an effort's messages",
    ({ paths }) => messagesPath(paths, 1),
    ({ paths }) => appendEffortMessage(paths, 1, { at: "", kind: "x", session: null, voice: "main" }),
    LIMITS.effortMessages,
  ],
  [
    "what a window loaded",
    ({ paths }) => effortWindowPath(paths, "s", "main", "loaded"),
    ({ paths }) => noteLoaded(paths, { session: "s", id: "main" }, "/x"),
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
