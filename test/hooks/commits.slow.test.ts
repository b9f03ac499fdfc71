// The short form of the torture's scenario: a few agents, a few rounds.
import { expect, test } from "vitest";
import { commitsOf } from "../../scripts/torture/commits.ts";
import { randomness } from "../support/random.ts";

test("agents that commit in one checkout at the same time commit only their own files", async () => {
  const { failures, figures } = await commitsOf(3, {
    ...{ random: randomness(7), until: 0, messages: 0 },
    ...{ count: { points: 0, kills: 0 }, atLeast: { points: 0, kills: 0 } },
  });
  expect(failures).toEqual([]);
  expect(figures).toMatch(/^[1-9]\d* commits, [1-9]\d* calls refused/);
}, 90_000);
