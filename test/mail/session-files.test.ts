// What a session's hooks leave for later hooks survives a death in the middle of a write.
import { appendFileSync, mkdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { elapsedMs } from "../../lib/core/process.ts";
import {
  appendUnconfirmed,
  awaitListed,
  beginTurn,
  claimWake,
  countRenewals,
  endTurn,
  isTurnOpen,
  markListed,
  readMailMark,
  releaseWake,
  removeSessionFiles,
  renewWatch,
  takeUnconfirmed,
  writeMailMark,
} from "../../lib/mail/store/session-files.ts";
import { aHome } from "../support/a-home.ts";
import { onFileCalls } from "../support/file-calls.ts";
import { virtualTime } from "../support/in-no-time.ts";
import { withWaits } from "../support/own-time.ts";

test("the watch file grows by one character each time", () => {
  const home = aHome();
  for (let times = 1; times <= 400; times++) {
    const path = renewWatch(home.paths, "s-1");
    expect(countRenewals(path)).toBe(times);
  }
  expect(countRenewals(home.path("nowhere"))).toBe(0);
});

test("a torn line costs only itself", () => {
  const home = aHome();
  const unconfirmed = (call: string) => ({ call, ids: ["m-1"] });
  appendUnconfirmed(home.paths, "s-1", unconfirmed("toolu_1"));
  appendFileSync(home.path(".claude/swarm/seats/s-1/told.jsonl"), '{"call":"tool');
  appendUnconfirmed(home.paths, "s-1", unconfirmed("toolu_2"));
  expect(takeUnconfirmed(home.paths, "s-1")).toEqual([unconfirmed("toolu_1"), unconfirmed("toolu_2")]);
  expect(takeUnconfirmed(home.paths, "s-1")).toEqual([]);
});

test("a mark is read back, and gone after its removal", () => {
  const { paths } = aHome();
  expect(readMailMark(paths, "s-1")).toEqual({});
  writeMailMark(paths, "s-1", { looked: "7:1", stops: 2 });
  expect([readMailMark(paths, "s-1"), readMailMark(paths, "s-2")]).toEqual([{ looked: "7:1", stops: 2 }, {}]);
  removeSessionFiles(paths, "s-1");
  expect(readMailMark(paths, "s-1")).toEqual({});
});

test("without a session nothing is read or written, and each caller may wake", () => {
  const home = aHome();
  writeMailMark(home.paths, "", { stops: 1 });
  appendUnconfirmed(home.paths, "", { call: "x", ids: [] });
  endTurn(home.paths, "");
  releaseWake(home.paths, "");
  removeSessionFiles(home.paths, "");
  expect([readMailMark(home.paths, ""), takeUnconfirmed(home.paths, "")]).toEqual([{}, []]);
  expect([beginTurn(home.paths, ""), isTurnOpen(home.paths, ""), claimWake(home.paths, "")]).toEqual([
    false,
    false,
    true,
  ]);
  expect(home.has(".claude")).toBe(false);
  removeSessionFiles(home.paths, "never-seen");
});

test.each<[string, number, number]>([
  ["the client has its list already", 0, 400],
  ["it gets it while we wait", 3, 550],
  ["it never does", Number.POSITIVE_INFINITY, 2_900],
])("a new watch list: %s", (_, afterReads, expectedMs) => {
  onTestFinished(virtualTime());
  const { paths } = aHome();
  const watchFile = renewWatch(paths, "s-1");
  markListed(watchFile);
  if (afterReads > 0) renewWatch(paths, "s-1");
  let reads = 0;
  onFileCalls((name, [path]) => {
    if (name === "openSync" && path === `${watchFile.slice(0, -"seat".length)}listed` && ++reads > afterReads)
      markListed(watchFile);
  });
  expect(withWaits(() => awaitListed(watchFile)).waitedMs).toBe(expectedMs);
});

test("a list of which the client took nothing yet, and one whose session has ended", () => {
  onTestFinished(virtualTime());
  const home = aHome();
  const began = elapsedMs();
  awaitListed(renewWatch(home.paths, "s-1"));
  expect(elapsedMs() - began).toBeGreaterThanOrEqual(2_900);
  markListed(home.path("ended/seat"));
  expect(home.has("ended")).toBe(false);
  mkdirSync(home.path("odd/listed"), { recursive: true });
  expect(() => markListed(home.path("odd/seat"))).toThrow("EISDIR");
});
