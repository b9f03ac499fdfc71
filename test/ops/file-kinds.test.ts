// Every file Swarm leaves on a machine has a kind, and every kind has its bound.

import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import type { FileEnd } from "../../lib/core/file-kind.ts";
import { appendError, appendFired, appendJournal } from "../../lib/core/journal.ts";
import { appendEffortMessage } from "../../lib/efforts/store/efforts.ts";
import { noteLoaded } from "../../lib/efforts/store/windows.ts";
import { appendArchived } from "../../lib/mail/store/archive.ts";
import { mailboxFiles } from "../../lib/mail/store/mailbox-files.ts";
import { kindOf } from "../../lib/ops/file-kinds.ts";
import { appendLifecycle } from "../../lib/sessions/store/lifecycle.ts";
import { appendSpawn, appendSpawnDebug } from "../../lib/teammates/store/spawns.ts";
import { NOON } from "../support/a-context.ts";
import { aHome, type Home } from "../support/a-home.ts";

const MB = 1024 * 1024;

test.each<[string, string, FileEnd | "kept", number | undefined]>([
  ["swarm/journal/2026-02-20.jsonl", "journal", "age", 8 * MB],
  ["swarm/journal/2026-02-20.jsonl.1", "journal", "age", 8 * MB],
  ["swarm/errors.jsonl", "error log", "kept", MB],
  ["swarm/fired/PreToolUse", "run times of events", "kept", 16 * 1024],
  ["swarm/guarded", "marks of guarded calls", "kept", 64 * 1024],
  ["swarm/sessions/s-1/session.json", "session records", "session", undefined],
  ["swarm/sessions/s-1.json", "session records of 0.1.0", "session", undefined],
  ["swarm/sessions/s-1.json.corrupt-2026-02-20", "damaged files", "age", undefined],
  ["swarm/sessions/s-1.json.tmp.1f-2", "half-written files", "age", undefined],
  ["swarm/sessions/s-1.json.lock", "locks", "kept", undefined],
  ["swarm/agents/s-1/a1.json", "agents inside sessions", "session", undefined],
  ["swarm/notices/t.json", "notices to the lead", "age", undefined],
  ["swarm/processes/4711.json", "processes", "process", undefined],
  ["swarm/gates/s-1/main.json", "blocks already used", "session", undefined],
  ["swarm/spawns/s-1.jsonl", "spawn ledgers", "session", 2 * MB],
  ["swarm/context/s-1/voices/main.json", "context levels", "session", undefined],
  ["swarm/mail/s-1.json", "mail marks", "session", undefined],
  ["swarm/seats/s-1/seat", "watch files", "session", undefined],
  ["swarm/efforts/windows/s-1/main/loaded", "effort windows", "session", 256 * 1024],
  ["swarm/efforts/1/messages.jsonl", "efforts", "kept", 4 * MB],
  ["swarm/settings.toml", "settings", "kept", undefined],
  ["swarm/repositories/shop-1f/ledger/0a.jsonl.1", "ledgers of repositories", "age", 96 * 1024],
  ["swarm/repositories/shop-1f/agents/1f.s-1.json", "agents in repositories", "age", undefined],
  ["swarm/repositories/shop-1f/claims.json", "claims of files", "age", undefined],
  ["swarm/repositories/shop-1f/index-turns.json", "turns with an index", "age", undefined],
  ["swarm/task-index/t.json", "indexes of long task lists", "age", undefined],
  ["teams/t/config.json", "teams", "kept", undefined],
  ["teams/t/inboxes/bob.json", "inboxes", "kept", undefined],
  ["teams/t/archive/bob.jsonl", "mail archives", "kept", 8 * MB],
  ["teams/t/archive/bob.removed-x.json", "inboxes of removed members", "person", undefined],
  ["teams/t/logs/bob.jsonl", "output of headless teammates", "person", undefined],
  ["teams/t/prompts/bob/first-prompt.md", "first prompts", "kept", undefined],
  ["archives/t-20260220T120000Z", "archived teams", "person", undefined],
  ["daemon/hooks/events.jsonl", "lifecycle log", "kept", 16 * MB],
  ["tmp/swarm-heartbeat-t-bob", "heartbeat marks", "age", undefined],
  ["tmp/gate-agent-spawns-debug.jsonl", "traces of the spawn gate", "kept", 4 * MB],
])("%s: %s", (path, name, ends, maxBytes) =>
  expect(kindOf(path)).toMatchObject({
    name,
    ...(ends === "kept" ? { kept: expect.any(String) } : { ends }),
    ...(maxBytes ? { maxBytes } : {}),
  }),
);

/** Not ours: the client's own files, a daemon's, and directories. */
const NOT_OURS =
  /^(clientSettings|clientState|installedPlugins|daemonSocket|daemonPort|task|page)Path$|^(swarm|team|real|repository)Path$|Dir$|Teams?Path$/;

/** Exported functions of the stores, of core, system and hook that make a path. */
async function pathMakers(): Promise<[string, (...args: unknown[]) => string][]> {
  const root = join(import.meta.dirname, "../../lib");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^[^/]+\/store(\.ts$|\/)|^(core|system)\/|^hook\/gate\.ts$/.test(name),
  );
  const modules = await Promise.all(
    files.filter((name) => name.endsWith(".ts")).map((name) => import(join(root, name))),
  );
  return modules.flatMap((module) =>
    Object.entries(module as Record<string, (...args: unknown[]) => string>).filter(
      ([name, make]) => typeof make === "function" && /(Path|Dir)$/.test(name) && !NOT_OURS.test(name),
    ),
  );
}

test("every path has a kind", async () => {
  const paths = { home: "/h", base: "/h/.claude", atmHome: "/h", tmp: "/h/.claude/tmp" };
  const made = (await pathMakers()).map(([name, make]) => [name, make(paths, "x1", "x2", "x3")] as const);
  expect(made.length).toBeGreaterThan(20);
  const strangers = made.filter(([, path]) => {
    const name = relative(paths.base, path);
    return !kindOf(name) && !kindOf(`${name}/file`) && !kindOf(name.replace("x1.json", "1.json"));
  });
  expect(strangers).toEqual([]);
});

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

test.each<[string, string, ({ paths }: Home) => void]>([
  [
    "journal",
    ".claude/swarm/journal/2026-02-20.jsonl",
    ({ paths }) => appendJournal(paths, NOON, { at: "", ...line }),
  ],
  ["error log", ".claude/swarm/errors.jsonl", ({ paths }) => appendError(paths, line)],
  ["run times of events", ".claude/swarm/fired/Stop", ({ paths }) => appendFired(paths, "Stop", 32)],
  [
    "lifecycle log",
    ".claude/daemon/hooks/events.jsonl",
    ({ paths }) => appendLifecycle(paths, event as never),
  ],
  [
    "mail archives",
    ".claude/teams/t/archive/bob.jsonl",
    ({ paths }) => appendArchived(mailboxFiles(paths, "t", "bob"), [{ id: "m" }]),
  ],
  [
    "spawn ledgers",
    ".claude/swarm/spawns/s.jsonl",
    ({ paths }) => appendSpawn(paths, "s", { what: "answered", call: "c", fate: "done" }),
  ],
  [
    "traces of the spawn gate",
    "tmp/gate-agent-spawns-debug.jsonl",
    ({ paths }) => appendSpawnDebug(paths, line),
  ],
  [
    "efforts",
    ".claude/swarm/efforts/1/messages.jsonl",
    ({ paths }) => appendEffortMessage(paths, 1, { at: "", kind: "x", session: null, voice: "main" }),
  ],
  [
    "effort windows",
    ".claude/swarm/efforts/windows/s/main/loaded",
    ({ paths }) => noteLoaded(paths, { client: "s", voice: "main" }, "/x"),
  ],
])("%s: rotated when full", (kind, name, append) => {
  const home = aHome();
  const path = home.path(name);
  const limit = kindOf(name.replace(".claude/", ""))?.maxBytes ?? 0;
  expect(kindOf(name.replace(".claude/", ""))?.name).toBe(kind);
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
