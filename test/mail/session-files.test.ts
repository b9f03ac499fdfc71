// What a session's hooks leave for later hooks survives a death in the middle of a write.
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  appendUnconfirmed,
  countRenewals,
  renewWatch,
  takeUnconfirmed,
} from "../../lib/mail/store/session-files.ts";
import { aHome } from "../support/a-home.ts";

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
