// What a session leaves for its later hooks survives a death in the middle of a write.
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  appendUnconfirmed,
  renewals,
  renewWatch,
  takeUnconfirmed,
} from "../../lib/mail/store/session-watch.ts";
import { aHome } from "../support/a-home.ts";

test("the watched file grows by a stroke each time", () => {
  const home = aHome();
  for (let times = 1; times <= 400; times++) {
    const path = renewWatch(home.paths, "s-1");
    expect(renewals(path)).toBe(times);
  }
  expect(renewals(home.path("nowhere"))).toBe(0);
});

test("a torn line costs only itself", () => {
  const home = aHome();
  const told = (call: string) => ({ call, ids: ["m-1"] });
  appendUnconfirmed(home.paths, "s-1", told("toolu_1"));
  appendFileSync(home.path(".claude/swarm/seats/s-1/told.jsonl"), '{"call":"tool');
  appendUnconfirmed(home.paths, "s-1", told("toolu_2"));
  expect(takeUnconfirmed(home.paths, "s-1")).toEqual([told("toolu_1"), told("toolu_2")]);
  expect(takeUnconfirmed(home.paths, "s-1")).toEqual([]);
});
