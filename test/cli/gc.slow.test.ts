// What `swarm gc` and the doctor ask at a terminal.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { aHome } from "../support/a-home.ts";
import { hasTerminal, onATerminal } from "../support/on-a-terminal.ts";
import { anOldHome } from "./an-old-home.ts";

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
