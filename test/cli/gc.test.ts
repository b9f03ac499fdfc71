// Pruning on the built scripts: shown, asked, done; and the daily look that nobody has to ask for.
import { existsSync, mkdirSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome, type Home } from "../support/a-home.ts";
import { aTeam } from "../support/a-team.ts";
import { hasTerminal, onATerminal } from "../support/on-a-terminal.ts";
import { runHook, runSwarm, runSwarmProcess } from "../support/run-built.ts";

const DAY_S = 86_400;
const aged = (home: Home, path: string, days: number, content: unknown = "{}") => {
  const at = Date.now() / 1000 - days * DAY_S;
  utimesSync(home.write(path, content), at, at);
  return home.path(path);
};

function anOldHome() {
  const home = aHome();
  aTeam(home, [{ name: "team-lead", sessionId: "s-resting" }]);
  const record = (session: string) => ({
    session,
    state: "ended",
    status: "done",
    startedAt: "x",
    lastSeen: "x",
    endedAt: "x",
  });
  const old = [
    aged(home, ".claude/swarm/journal/2020-01-01.jsonl", 40, "{}\n"),
    aged(home, ".claude/swarm/sessions/s-old/session.json", 40, record("s-old")),
    aged(home, ".claude/swarm/agents/s-old/a1.json", 40),
    aged(home, ".claude/swarm/sessions/x.json.corrupt-1", 40),
    aged(home, ".claude/swarm/processes/4194300.json", 0, {
      pid: 4_194_300,
      startedAt: "1",
      session: "s-old",
    }),
    aged(home, "tmp/swarm-heartbeat-atm-dev-bob", 40, ""),
  ];
  const wanted = [aged(home, ".claude/teams/atm-dev/logs/bob.jsonl", 40)];
  mkdirSync(home.path(".claude/archives/gone-20200101T000000Z"), { recursive: true });
  utimesSync(home.path(".claude/archives/gone-20200101T000000Z"), 1, 1);
  wanted.push(home.path(".claude/archives/gone-20200101T000000Z"));
  const kept = [
    aged(home, ".claude/swarm/journal/2020-01-02.jsonl", 20, "{}\n"),
    aged(home, ".claude/swarm/sessions/s-resting/session.json", 400, record("s-resting")),
    aged(home, ".claude/swarm/errors.jsonl", 400, ""),
    aged(home, ".claude/swarm/efforts/1/effort.json", 400),
    aged(home, ".claude/teams/atm-dev/inboxes/bob.json", 400, "[]"),
    home.path(".claude/teams/atm-dev/config.json"),
  ];
  const there = (files: string[]) => files.filter((path) => existsSync(path));
  return { home, old, wanted, kept, there };
}

test("it shows first, by kind; --yes does it, writes it down, and leaves no empty directory", () => {
  const { home, old, wanted, kept, there } = anOldHome();
  const shown = runSwarm(home, ["gc"]).stdout;
  expect(shown).toContain("journal: 1, 1 KB");
  expect(shown).toContain("archived teams: 1, 0 KB");
  expect(shown).toMatch(/Nothing was removed; `swarm gc --yes` removes them.\n$/);
  expect(there([...old, ...wanted])).toEqual([...old, ...wanted]);
  expect(runSwarm(home, ["gc", "--yes"])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Removed 8 files/),
  });
  expect(there([...old, ...wanted])).toEqual([]);
  expect(there(kept)).toEqual(kept);
  expect(existsSync(home.path(".claude/swarm/agents"))).toBe(false);
  const [note] = home.lines(`.claude/swarm/journal/${new Date().toISOString().slice(0, 10)}.jsonl`);
  expect(note).toMatchObject({ feature: "upkeep", what: "pruned", files: 8 });
  expect(runSwarm(home, ["gc"]).stdout).toMatch(/^Nothing to remove: no orphaned files older than 30 days/);
});

test("how long is kept is the person's to say", () => {
  const { home } = anOldHome();
  home.write(".claude/swarm/settings.toml", "[gc]\nkeep_days = 50\n");
  expect(
    JSON.parse(runSwarm(home, ["gc", "--json"]).stdout).found.map((one: { kind: string }) => one.kind),
  ).toEqual(["processes", "archived teams"]);
  home.write("project/.atm.toml", "[gc]\nkeep_days = 1\n");
  expect(JSON.parse(runSwarm(home, ["gc", "--json"]).stdout).found).toHaveLength(2);
  expect(JSON.parse(runSwarm(home, ["gc", "--json", "--days", "10"]).stdout).found).toHaveLength(9);
});

test.each([["0"], ["-1"], ["many"]])("--days %s is a bad call", (days) =>
  expect(runSwarm(aHome(), ["gc", `--days=${days}`])).toMatchObject({ exitCode: 2 }),
);

test("a session's start takes the old away once a day, but nothing that somebody may want back", () => {
  const { home, old, wanted, kept, there } = anOldHome();
  const start = () => runHook(home, "session-start", { source: "startup" });
  expect(start().exitCode).toBe(0);
  expect(there(old)).toEqual([]);
  expect(there([...wanted, ...kept])).toEqual([...wanted, ...kept]);
  const again = aged(home, ".claude/swarm/journal/2020-01-01.jsonl", 40, "{}\n");
  start();
  expect(existsSync(again)).toBe(true);
  utimesSync(home.path(".claude/swarm/upkeep"), 1, 1);
  start();
  expect(existsSync(again)).toBe(false);
});

test.skipIf(!hasTerminal)("at a terminal it asks, and takes no for an answer", () => {
  const { home, old, there } = anOldHome();
  expect(onATerminal(home, ["gc"], "n\n")).toMatch(/Remove them\? \[y\/N\] [\s\S]*Nothing was removed/);
  expect(there(old)).toEqual(old);
  expect(onATerminal(home, ["gc"], "y\n")).toMatch(/Removed 8 files/);
  expect(there(old)).toEqual([]);
});

test.skipIf(!hasTerminal)("the doctor asks at a terminal too before it repairs", () => {
  const home = aHome();
  const damaged = home.write(".claude/swarm/sessions/x.json.corrupt-1", "{");
  expect(onATerminal(home, ["doctor", "--fix"], "\n")).toMatch(
    /would delete .*\nDo it\? \[y\/N\][\s\S]*Nothing was repaired/,
  );
  expect(existsSync(damaged)).toBe(true);
  expect(onATerminal(home, ["doctor", "--fix"], "yes\n")).toContain(`deleted ${damaged}`);
  expect(existsSync(damaged)).toBe(false);
  const day = new Date().toISOString().slice(0, 10);
  expect(home.lines(`.claude/swarm/journal/${day}.jsonl`)).toMatchObject([
    { feature: "doctor", what: "deleted" },
  ]);
});

test("after gc --all not even the bytecode of that very run is left", () => {
  const home = aHome();
  const swarm = (...words: string[]) => runSwarmProcess(home, words, { env: { CLAUDE_PLUGIN_DATA: "" } });
  swarm("create", "alpha");
  expect(home.has(".claude/swarm/cache")).toBe(true);
  expect(swarm("gc", "--all", "--yes").exitCode).toBe(0);
  expect(home.has(".claude/swarm")).toBe(false);
});
