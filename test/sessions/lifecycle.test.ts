import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { daemonSocketPath, OFFER_LIMIT_MS } from "../../lib/sessions/store/lifecycle.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { payload, runHook, runSwarm, startHook } from "../support/run-built.ts";

const LOG = ".claude/daemon/hooks/events.jsonl";
const TOML = '[core]\ndefault_team = "atm-dev"\nidentity = "team-lead"';

function aProject(toml = TOML): Home {
  const home = aHome();
  home.write("project/.atm.toml", toml);
  return home;
}

test("a teammate going idle becomes the seed's line", () => {
  const home = aProject();
  const idle = { ...payload("TeammateIdle-teammate-inprocess"), cwd: home.project };
  runHook(home, "teammate-idle", idle);
  expect(home.lines(LOG)).toEqual([
    {
      type: "teammate-idle",
      agent: idle.teammate_name,
      team: idle.team_name,
      session_id: idle.session_id,
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      payload: idle,
      source: { kind: "claude_hook" },
      process_id: expect.any(Number),
    },
  ]);
});

test("start and end are relayed too, and nothing without .atm.toml", () => {
  const home = aProject();
  runHook(home, "session-start", { source: "startup" });
  runHook(home, "session-end", { reason: "other" });
  expect(home.lines(LOG).map((line) => [line.type, line.team, line.agent])).toEqual([
    ["session-start", "atm-dev", "team-lead"],
    ["session-end", "atm-dev", "team-lead"],
  ]);
  const bare = aHome();
  runHook(bare, "session-start", { source: "startup" });
  runHook(bare, "teammate-idle", payload("TeammateIdle-teammate-inprocess"));
  expect(bare.has(LOG)).toBe(false);
});

test("ATM_HOME moves the log", () => {
  const home = aProject();
  runHook(home, "session-start", { source: "startup" }, { env: { ATM_HOME: home.path("elsewhere") } });
  expect(home.lines(`elsewhere/${LOG}`).length).toBe(1);
});

/** `first` is there as soon as it has read a whole line: what a hook wrote may be read after the hook's end. */
async function aDaemon(home: Home, answer?: string): Promise<{ heard: string[]; first: Promise<void> }> {
  const path = daemonSocketPath(home.paths);
  mkdirSync(dirname(path), { recursive: true });
  const heard: string[] = [];
  let hasHeard = () => {};
  const first = new Promise<void>((resolve) => {
    hasHeard = resolve;
  });
  const server = createServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      heard.push(text);
      hasHeard();
      if (answer) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return { heard, first };
}

test("a daemon that listens is offered the event, with the reason it knows", async () => {
  const home = aProject();
  const { heard, first } = await aDaemon(home, '{"ok":true}\n');
  const ran = await startHook(home, "session-end", { session_id: "s-1", cwd: home.project, reason: "other" })
    .done;
  expect(ran.exitCode).toBe(0);
  await first;
  expect(heard.map((line) => JSON.parse(line))).toEqual([
    {
      version: 1,
      request_id: expect.any(String),
      command: "hook-event",
      payload: {
        event: "session_end",
        session_id: "s-1",
        agent: "team-lead",
        team: "atm-dev",
        source: { kind: "claude_hook" },
        process_id: expect.any(Number),
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        reason: "session_exit",
      },
    },
  ]);
});

test("a daemon that accepts and never answers does not hold the hook", async () => {
  const home = aProject();
  const { heard, first } = await aDaemon(home);
  const before = performance.now();
  const ran = await startHook(home, "session-start", {
    session_id: "s-1",
    cwd: home.project,
    source: "startup",
  }).done;
  expect(ran.exitCode).toBe(0);
  await first;
  expect(heard.length).toBe(1);
  expect(performance.now() - before).toBeLessThan(5_000 + OFFER_LIMIT_MS);
});

test.each([
  ["a stale socket file", (path: string) => writeFileSync(path, "")],
  ["a directory in its place", (path: string) => mkdirSync(path)],
])("%s is passed over: the log has the line, the error log nothing", (_, put) => {
  const home = aProject();
  const path = daemonSocketPath(home.paths);
  mkdirSync(dirname(path), { recursive: true });
  put(path);
  expect(runHook(home, "session-start", { source: "startup" }).exitCode).toBe(0);
  expect(home.lines(LOG).length).toBe(1);
  expect(home.lines(".claude/swarm/errors.jsonl")).toEqual([]);
});

test("other adapters emit the same envelope with swarm event", () => {
  const home = aProject();
  const args = [
    "event",
    "teammate_idle",
    "--agent",
    "codex-1",
    "--team",
    "atm-dev",
    "--session-id",
    "x-9",
    "--source",
    "agent_hook",
    "--payload",
    '{"turn":3}',
  ];
  expect(runSwarm(home, args)).toMatchObject({
    exitCode: 0,
    stdout: "teammate_idle of codex-1@atm-dev is in the log\n",
  });
  expect(home.lines(LOG)).toMatchObject([
    {
      type: "teammate-idle",
      agent: "codex-1",
      session_id: "x-9",
      source: { kind: "agent_hook" },
      payload: { turn: 3 },
    },
  ]);
});
