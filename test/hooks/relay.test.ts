// Black box: the built relays against no daemon, a good one, a mute one, a dead one and things that are none.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test, vi } from "vitest";
import type { Home } from "../support/a-home.ts";
import { payload, runHook, startHook } from "../support/run-built.ts";
import { ATM, aDaemon, aProject, LOG, SOCKET } from "./atm-daemon.ts";

const idle = (home: Home) => ({ ...payload("TeammateIdle-teammate-inprocess"), cwd: home.project });

test.each([
  ["teammate-idle", "TeammateIdle-teammate-inprocess", "teammate_idle"],
  ["teammate-idle", "TeammateIdle-teammate-inprocess-v2.1.197", "teammate_idle"],
  ["teammate-idle", "TeammateIdle-teammate-tmux", "teammate_idle"],
  ["teammate-idle", "TeammateIdle-teammate-tmux-v2.1.197", "teammate_idle"],
  ["permission-request", "PermissionRequest-Bash", "permission_request"],
  ["stop", "Stop", "stop"],
  ["notification", "Notification-idle_prompt", "notification_idle_prompt"],
  ["session-start", "SessionStart-startup", "session_start"],
  ["session-end", "SessionEnd-other", "session_end"],
])("%s with %s: one line in the log, one offer to the daemon", async (script, name, event) => {
  const home = aProject();
  const heard = await aDaemon(home);
  const input = { ...payload(name), cwd: home.project };
  const who = { agent: input.teammate_name ?? "arch-ctm", team: input.team_name ?? "atm-dev" };
  const same = { session_id: input.session_id, source: { kind: "claude_hook" } };
  expect(runHook(home, script, input)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(home.lines(LOG)).toMatchObject([{ type: event.replaceAll("_", "-"), ...who, ...same }]);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(heard).toMatchObject([{ version: 1, command: "hook-event", payload: { event, ...who, ...same } }]);
  const notices = heard[0].payload;
  expect(notices.received_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(notices.process_id).toBeTypeOf("number");
  expect(notices.tool_name).toBe(event === "permission_request" ? "Bash" : undefined);
  expect(notices.reason).toBe(event === "session_end" ? "session_exit" : undefined);
});

test("each event is one more line", () => {
  const home = aProject();
  for (let count = 0; count < 3; count++) runHook(home, "teammate-idle", idle(home));
  expect(home.lines(LOG)).toHaveLength(3);
});

const anything = { session_id: "s-3", tool_name: "Bash", notification_type: "idle_prompt" };

test.each(["permission-request", "stop", "notification"])(
  "%s with ATM's variables alone: the daemon hears it, no log is begun",
  async (script) => {
    const home = aProject("");
    const heard = await aDaemon(home);
    runHook(home, script, anything, { env: ATM });
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard).toMatchObject([{ payload: { agent: "env-agent", team: "env-team", session_id: "s-3" } }]);
    expect(home.has(LOG)).toBe(false);
  },
);

const paths: [string, (home: Home) => unknown][] = [
  ["a daemon that accepts and never answers", (home) => aDaemon(home, true)],
  ["a stale socket file", staleSocket],
  ["a directory", (home) => home.write(`${SOCKET}/x`, "")],
  ["a plain file", (home) => home.write(SOCKET, "")],
  ["nothing", () => undefined],
];

test.each(paths)("%s in the socket's place costs no time and no event", async (_, put) => {
  const home = aProject();
  await put(home);
  const before = Date.now();
  const ran = await startHook(home, "teammate-idle", idle(home)).done;
  expect(ran).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  expect(Date.now() - before).toBeLessThan(3_000);
  expect(home.lines(LOG)).toHaveLength(1);
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([]);
});

/** A process that dies without a word leaves its socket file behind. */
function staleSocket(home: Home) {
  mkdirSync(dirname(home.path(SOCKET)), { recursive: true });
  const path = JSON.stringify(home.path(SOCKET));
  const script = `require("net").createServer().listen(${path}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  expect(home.has(SOCKET)).toBe(true);
}

test("a log that cannot be written does not keep the daemon from hearing", async () => {
  const home = aProject();
  home.write(`${LOG}/x`, "");
  const heard = await aDaemon(home);
  expect(runHook(home, "teammate-idle", idle(home)).exitCode).toBe(0);
  await vi.waitFor(() => expect(heard).toHaveLength(1));
  expect(home.lines(".claude/swarm/errors.jsonl")).toMatchObject([{ feature: "sessions" }]);
});

test("a path too long for a socket is a daemon that is not there", () => {
  const home = aProject();
  const atmHome = home.path("x".repeat(120));
  mkdirSync(atmHome);
  const ran = runHook(home, "teammate-idle", idle(home), { env: { ATM_HOME: atmHome } });
  expect(ran.exitCode).toBe(0);
  expect(home.lines(`${"x".repeat(120)}/${LOG}`)).toHaveLength(1);
});

test.each(["", "{", "not json{{{", "[]", "null", '{"teammate_name":7}'])(
  "stdin %j: exit 0, no line",
  (stdin) => {
    const home = aProject();
    expect(runHook(home, "teammate-idle", stdin)).toMatchObject({ exitCode: 0, stdout: "" });
    expect(home.has(LOG)).toBe(false);
  },
);

test("a home that cannot be written is no reason to stop", () => {
  const home = aProject();
  mkdirSync(home.path(".claude"));
  chmodSync(home.path(".claude"), 0o500);
  expect(runHook(home, "teammate-idle", idle(home)).exitCode).toBe(0);
  chmodSync(home.path(".claude"), 0o700);
});
