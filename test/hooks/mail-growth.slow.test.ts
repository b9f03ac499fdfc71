// What one message costs does not grow with the history around it.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aMessage, archiveOf, as, aTeam, TEAM } from "../support/a-team.ts";
import { runHookProcess, runSwarmProcess } from "../support/run-built.ts";

const names = (count: number) => Array.from({ length: count }, (_, n) => `member-${n}`);
const contents = (text: string) =>
  [...text.matchAll(/<content>(.*?)<\/content>/gs)].map((found) => found[1] ?? "");

describe("cost does not grow with history", () => {
  function aHistory(archived: number, members: number, tasks: number): Home {
    const home = aHome();
    aTeam(home, ["team-lead", "alice", "bob", ...names(members)]);
    mkdirSync(home.path(`.claude/tasks/${TEAM}`), { recursive: true });
    const task = JSON.stringify({ subject: "x", status: "completed", blocks: [], blockedBy: [] });
    for (let id = 1; id <= tasks; id++) writeFileSync(home.path(`.claude/tasks/${TEAM}/${id}.json`), task);
    const old = (n: number) => JSON.stringify(aMessage("alice", `old ${n}`, { read: true }));
    home.write(archiveOf("bob"), Array.from({ length: archived }, (_, n) => old(n)).join("\n"));
    return home;
  }

  function cost(home: Home, n: number): number {
    const before = performance.now();
    runSwarmProcess(home, ["send", "bob", `message ${n}`], { env: as("alice") });
    const { stdout } = runHookProcess(home, "user-prompt-submit", { prompt: "go" }, { env: as("bob") });
    const took = performance.now() - before;
    expect(contents(stdout)).toEqual([`message ${n}`]);
    return took;
  }

  test("one new message among 10,000 archived, 200 members and 5,000 tasks: at most 1.6 times the same with 10", () => {
    const [small, large] = [aHistory(10, 10, 10), aHistory(10_000, 200, 5_000)];
    let sent = 0;
    const median = (times: number[]) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
    /** Interleaved, so that both meet the same noise. */
    const ratio = () => {
      const rounds = Array.from({ length: 11 }, () => [cost(small, ++sent), cost(large, sent)] as const);
      return median(rounds.map(([, one]) => one)) / median(rounds.map(([one]) => one));
    };
    // A machine under load can spoil one measurement; what really grows spoils all three.
    expect([ratio, ratio, ratio].some((measure) => measure() <= 1.6)).toBe(true);
    expect(readdirSync(large.path(`.claude/teams/${TEAM}/archive`))).toEqual(["bob.jsonl"]);
  }, 120_000);
});
