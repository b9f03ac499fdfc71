import { mkdirSync, statSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { beginGuarded, endGuarded, GUARDED_CALLS, unanswered } from "../../lib/core/journal.ts";
import { guardedCallsPath } from "../../lib/core/paths.ts";
import { takeProblems } from "../../lib/core/process.ts";
import { aHome } from "../support/a-home.ts";

const LATER = () => new Date(Date.now() + 100_000);

test("a call that was answered is not missed, one that was not is", () => {
  const { paths } = aHome();
  beginGuarded(paths);
  endGuarded(paths);
  endGuarded(paths);
  expect(unanswered(paths, LATER(), 65_000)).toEqual([]);
  beginGuarded(paths);
  expect(unanswered(paths, LATER(), 65_000)).toHaveLength(1);
  expect(unanswered(paths, new Date(), 65_000)).toEqual([]);
  endGuarded(paths);
});

test("a mark that cannot be written is reported and stops nothing", () => {
  const home = aHome();
  mkdirSync(guardedCallsPath(home.paths), { recursive: true });
  takeProblems();
  beginGuarded(home.paths);
  endGuarded(home.paths);
  expect(takeProblems()).toEqual([expect.stringMatching(/^a guarded call could not be marked: /)]);
});

test("torn and foreign lines count for nothing", () => {
  const home = aHome();
  home.write(".claude/swarm/guarded", "+\n+x\nnonsense\n-1.1\n+1.");
  expect(unanswered(home.paths, LATER(), 65_000)).toEqual([]);
});

test("a full file is turned over within a few calls, and its marks still count", () => {
  const home = aHome();
  const path = guardedCallsPath(home.paths);
  const unended = `+other.${Date.now().toString(36)}\n`;
  home.write(".claude/swarm/guarded", "+a.1\n-a.1\n".repeat(GUARDED_CALLS.maxBytes / 10) + unended);
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  for (let call = 0; call < 64; call++) {
    vi.setSystemTime(Date.now() + 1);
    beginGuarded(home.paths);
    endGuarded(home.paths);
  }
  expect(statSync(`${path}.1`).size).toBeLessThan(4 * GUARDED_CALLS.maxBytes);
  expect(unanswered(home.paths, LATER(), 65_000)).toHaveLength(1);
});
