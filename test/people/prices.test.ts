// Prices: the same sum as the client's own formula, one name for every spelling of a model, and a person's table before ours.
import { describe, expect, test } from "vitest";
import { whyNoPrice } from "../../lib/people/settings.ts";
import { costOf, plainModel, pricesWith } from "../../lib/people/store/prices.ts";
import type { Answered } from "../../lib/people/store/transcripts.ts";

const one = (given: Partial<Answered>): Answered => ({
  id: "m",
  session: "s",
  agentId: "",
  at: Date.parse("2026-11-17"),
  model: "claude-sonnet-4-5",
  mode: "",
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  webSearches: 0,
  ...given,
});
const M = 1_000_000;
const cost = (given: Partial<Answered>, own = {}) => costOf(one(given), pricesWith(own));

test.each([
  ["us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"],
  ["claude-opus-4-5@20251101", "claude-opus-4-5"],
  ["claude-opus-4-5-20251101[1m]", "claude-opus-4-5"],
  ["claude-sonnet-4-20250514", "claude-sonnet-4"],
  ["claude-sonnet-4-0", "claude-sonnet-4"],
  ["anthropic/claude-haiku-5-5", "claude-haiku-5-5"],
  ["Claude-3-5-Haiku-latest", "claude-3-5-haiku"],
  ["my-own-model", "my-own-model"],
])("%s is %s", (spelled, plain) => expect(plainModel(spelled)).toBe(plain));

describe("a million tokens of each kind", () => {
  test.each([
    ["claude-sonnet-4-5-20250929", [3, 15, 0.3, 3.75, 6]],
    ["claude-opus-4-1-20250805", [15, 75, 1.5, 18.75, 30]],
    ["claude-opus-5-5", [4, 20, 0.2, 5, 8]],
    ["claude-sonnet-5-5", [2, 10, 0.1, 2.5, 4]],
    ["claude-fable-5-1", [10, 50, 0.25, 12.5, 20]],
    ["claude-haiku-4-5-20251001", [1, 5, 0.1, 1.25, 2]],
  ])("%s", (model, expected) =>
    expect(
      (["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const).map((kind) =>
        cost({ model, [kind]: M }),
      ),
    ).toEqual(expected),
  );
});

test("a long prompt has a price of its own, where the model has one", () => {
  const model = "claude-haiku-5-5";
  expect(cost({ model, input: 50_000, cacheRead: 50_000, output: M })).toBeCloseTo(0.005 + 0.0005 + 0.5, 9);
  expect(cost({ model, input: 50_001, cacheRead: 50_000, output: M })).toBeCloseTo(
    0.0250005 + 0.0025 + 2.5,
    9,
  );
});

test("fast mode, one region and web searches", () => {
  expect(cost({ model: "claude-opus-4-6", mode: "fast", input: M })).toBe(30);
  expect(cost({ model: "claude-opus-5-5", mode: "fast", output: M })).toBe(40);
  expect(cost({ mode: "us", input: M, webSearches: 3 })).toBeCloseTo(3.33, 9);
  expect(cost({ model: "claude-opus-5", mode: "fast us", input: M })).toBeCloseTo(11, 9);
});

test("an unknown model has no price, also one named like something every object has", () => {
  for (const model of ["gpt-9", "claude-opus-9", "constructor", "__proto__", ""])
    expect(cost({ model, input: M })).toBeUndefined();
});

describe("a person's own prices", () => {
  const own = {
    "gpt-9": { input: 1, output: 2 },
    "claude-opus-4-5": { input: 4, output: 8, cache_read: 7, from: "2026-12-01" },
  };
  test("for a model we do not know; what is not given follows from the input", () => {
    expect(cost({ model: "gpt-9", input: M, output: M }, own)).toBe(3);
    expect(cost({ model: "GPT-9", cacheRead: M, cacheWrite5m: M, cacheWrite1h: M }, own)).toBeCloseTo(
      0.1 + 1.25 + 2,
      9,
    );
  });
  test("each kind of its own", () => {
    const x = { input: 1, output: 2, cache_read: 3, cache_write_5m: 4, cache_write_1h: 5 };
    const kinds = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;
    expect(kinds.map((kind) => cost({ model: "x", [kind]: M }, { x }))).toEqual([1, 2, 3, 4, 5]);
  });
  test("from a day on; before it ours", () => {
    const model = "claude-opus-4-5-20251101";
    expect(cost({ model, input: M, at: Date.parse("2026-11-30") }, own)).toBe(5);
    expect(cost({ model, input: M, cacheRead: M, at: Date.parse("2026-12-01") }, own)).toBe(11);
  });
  test.each([
    [null],
    [3],
    [{ input: 1 }],
    [{ input: -1, output: 1 }],
    [{ input: "1", output: 1 }],
    [{ input: Number.POSITIVE_INFINITY, output: 1 }],
    [{ input: 1, output: 1, inptu: 2 }],
    [{ input: 1, output: 1, from: "soon" }],
  ])("%j is none", (given) => {
    expect(whyNoPrice(given)).toBeTruthy();
    expect(cost({ model: "x", input: M }, { x: given })).toBeUndefined();
  });
});
