// Several processes ask for the same thing at the same moment: one gets it, or each gets its own.
import { join } from "node:path";
import { expect, test } from "vitest";
import { startOf } from "../../lib/system/processes.ts";
import { aHome, type Home } from "../support/a-home.ts";
import { aLeadWithTeam } from "../support/a-tmux-team.ts";
import { ROOT, startScript } from "../support/run-built.ts";

const start = (home: Home, args: string[], env: Record<string, string> = {}) =>
  startScript(join(ROOT, "plugin/bin/swarm"), args, home, "", env).done;
const racers = Array.from({ length: 8 }, (_, at) => `racer-${at}`);

test("one of eight gets the lead of a dead session", async () => {
  const home = aHome();
  const config = ".claude/teams/atm-dev/config.json";
  home.write(config, { name: "atm-dev", leadSessionId: "old", members: [] });
  const at = "2026-02-20T11:00:00Z";
  const usual = { state: "idle", status: "done", startedAt: at, lastSeen: at };
  home.write(".claude/swarm/sessions/old/session.json", {
    session: "old",
    ...usual,
    endedAt: at,
    endReason: "other",
  });
  const living = { pid: process.pid, pidStartedAt: startOf(process.pid) };
  for (const session of racers)
    home.write(`.claude/swarm/sessions/${session}/session.json`, { session, ...usual, ...living });
  const ran = await Promise.all(
    racers.map((session) => start(home, ["lead", "take", "atm-dev", "--session-id", session])),
  );
  const winners = racers.filter((_, n) => ran[n]?.exitCode === 0);
  expect(winners).toHaveLength(1);
  expect(home.json(config).leadSessionId).toBe(winners[0]);
  for (const { exitCode, stderr } of ran)
    if (exitCode !== 0) expect(stderr).toContain(`of session ${winners[0]} is running`);
});

test("one of eight creates the team", async () => {
  const home = aHome();
  const ran = await Promise.all(
    racers.map((session) => start(home, ["create", "alpha"], { CLAUDE_CODE_SESSION_ID: session })),
  );
  const winners = racers.filter((_, n) => ran[n]?.exitCode === 0);
  expect(winners).toHaveLength(1);
  expect(home.json(".claude/teams/alpha/config.json").leadSessionId).toBe(winners[0]);
});

test("six efforts have six numbers", async () => {
  const home = aHome();
  const args = ["effort", "start", "fix", "--dir", "work", "--json"];
  const ran = await Promise.all(Array.from({ length: 6 }, () => start(home, args)));
  const made = ran.map(({ reply }) => reply.effort);
  expect(made.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(made.map(({ ordinal }) => ordinal).sort()).toEqual([1, 2, 3, 4, 5, 6]);
});

test("of two who spawn the same name, one is refused", async () => {
  const { home, env, config } = aLeadWithTeam("alpha");
  const both = await Promise.all([1, 2].map(() => start(home, ["spawn", "ada"], env)));
  expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 1]);
  expect(config("alpha").members).toHaveLength(2);
});
