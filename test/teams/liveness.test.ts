// One definition of "alive": the end on record, then the process, then the pane.
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SessionRecord } from "../../lib/sessions/store/sessions.ts";
import { startOf } from "../../lib/system/processes.ts";
import { lifeOfMember, lifeOfSession } from "../../lib/teams/store/liveness.ts";
import { aHome, type Home } from "../support/a-home.ts";

const running = { pid: process.pid, pidStartedAt: startOf(process.pid) };
const ended = { pid: spawnSync(process.execPath, ["-e", ""]).pid, pidStartedAt: "1" };
const record = (session: string, given: Partial<SessionRecord>) => ({
  ...{ session, state: "active", status: "working", startedAt: "2026-02-20T11:00:00Z" },
  ...{ lastSeen: "2026-02-20T11:30:00Z", ...given },
});

// Members were judged by the config's process first, sessions by their record first.
test.each<[string, Partial<SessionRecord>[], object, string]>([
  ["its end is on record, its process still runs", [{ ...running, endedAt: "11:45" }], running, "gone"],
  ["the record's process runs, the config's has ended", [running], ended, "alive"],
  ["the record's process has ended, the config's runs", [ended], running, "gone"],
  ["the record has no process", [{}], running, "alive"],
  ["no record", [], ended, "gone"],
  ["nothing is known", [], {}, "unknown"],
  ["it has another id after /clear", [{ next: "s-1" }, running], ended, "alive"],
  ["the session after /clear has no record yet", [{ ...running, next: "s-1" }], {}, "alive"],
])("%s", (_, records, process, life) => {
  const home = aHome();
  for (const [n, given] of records.entries())
    home.write(`.claude/swarm/sessions/s-${n}/session.json`, record(`s-${n}`, given));
  const member = { name: "bob", sessionId: "s-0", ...process };
  expect(lifeOfMember(home.paths, member).life).toBe(life);
  expect(lifeOfSession(home.paths, "s-0", { members: [member] }).life).toBe(life);
});

/** A program in tmux's place. */
function aTmux(home: Home, script: string | undefined): void {
  if (script !== undefined) chmodSync(home.write("bin/tmux", `#!/bin/sh\n${script}\n`), 0o755);
  vi.stubEnv("PATH", `${home.path("bin")}:/usr/bin:/bin`);
  if (script === undefined) vi.stubEnv("PATH", home.path("bin"));
  onTestFinished(() => void vi.unstubAllEnvs());
}

const PANES = "echo '%1 7 0 '; echo '%2 8 0 '";
test.each([
  ["its pane is open", PANES, { paneId: "%2" }, "unknown"],
  ["its pane is closed", PANES, { paneId: "%9" }, "gone"],
  ["its server has ended", "echo 'no server running on /x' >&2; exit 1", { paneId: "%2" }, "gone"],
  ["its server may not be asked", "echo 'access not allowed' >&2; exit 1", { paneId: "%2" }, "unknown"],
  ["there is no tmux to ask", undefined, { paneId: "%2" }, "unknown"],
  ["it is a window of kitty", PANES, { paneId: "9", backend: "kitty" }, "unknown"],
  ["it has no server on record", PANES, { paneId: "%9", socket: undefined }, "unknown"],
  ["it has no pane", PANES, {}, "unknown"],
  ["its pane is closed and its process runs", PANES, { paneId: "%9", ...running }, "alive"],
])("without a process a pane is the proof: %s", (_, script, given, life) => {
  const home = aHome();
  aTmux(home, script);
  const member = { name: "bob", socket: home.path("tmux.sock"), ...given };
  expect(lifeOfMember(home.paths, member).life).toBe(life);
});

test.each<[string, Partial<SessionRecord> | undefined, string, string]>([
  ["nothing", undefined, "no process on record", "nothing is known about session s-0 but its id"],
  [
    "a process whose start is not known",
    { pid: process.pid },
    `process ${process.pid} may be running`,
    `process ${process.pid} of session s-0 may be running; its start time cannot be compared (last seen 2026-02-20T11:30:00Z)`,
  ],
  [
    "a process that runs",
    running,
    `process ${process.pid} is running`,
    `process ${process.pid} of session s-0 is running (last seen 2026-02-20T11:30:00Z)`,
  ],
  [
    "a process that has ended",
    ended,
    `process ${ended.pid} has ended`,
    `process ${ended.pid} of session s-0 is gone (last seen 2026-02-20T11:30:00Z)`,
  ],
])("the evidence, with %s on record", (_, given, ofMember, ofSession) => {
  const home = aHome();
  if (given) home.write(".claude/swarm/sessions/s-0/session.json", record("s-0", given));
  expect(lifeOfMember(home.paths, { name: "bob", sessionId: "s-0" }).evidence).toBe(ofMember);
  expect(lifeOfSession(home.paths, "s-0").evidence).toBe(ofSession);
  expect(lifeOfSession(home.paths, "../x").evidence).toBe("its id is not a session id");
});
