// Pruning on the built scripts: shown, asked, done; and the daily look that nobody has to ask for.
import { existsSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { runHook, runSwarm, runSwarmProcess } from "../support/run-built.ts";
import { aged, anOldHome } from "./an-old-home.ts";

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

test("after gc --all not even the bytecode of that very run is left", () => {
  const home = aHome();
  const swarm = (...words: string[]) => runSwarmProcess(home, words, { env: { CLAUDE_PLUGIN_DATA: "" } });
  swarm("create", "alpha");
  expect(home.has(".claude/swarm/cache")).toBe(true);
  expect(swarm("gc", "--all", "--yes").exitCode).toBe(0);
  expect(home.has(".claude/swarm")).toBe(false);
});
