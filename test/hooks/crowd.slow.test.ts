// The short form of `npm run crowd`: what is lost, not how long it takes.
import { expect, test } from "vitest";
import { crowd } from "../../scripts/crowd/crowd.ts";

test("twenty-four sessions at once: every message arrives, every end and every edit is on record, no feature is left out", async () => {
  const result = await crowd({ sessions: 24, seconds: 5, startsWithinSeconds: 2, trace: true });
  expect(result.failures).toEqual([]);
  expect(result.accepted).toBeGreaterThan(24);
  expect(result.sessions).toBeGreaterThanOrEqual(24);
  expect([...result.errors.keys()].filter((error) => error.includes("skipped"))).toEqual([]);
}, 600_000);
