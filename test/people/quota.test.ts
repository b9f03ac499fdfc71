// Rate limits: pooled readings, the pace, the wall, and nothing said where nothing was read.
import { describe, expect, test } from "vitest";
import {
  noteLimit,
  noteStatusLine,
  quotaLines,
  quotas,
  type Reading,
  readReadings,
  resetIn,
  resetOf,
  saidByRecord,
  saidByStatusLine,
} from "../../lib/people/store/quota.ts";
import { aHome } from "../support/a-home.ts";

const NOON = Date.parse("2026-02-20T12:00:00Z");
const MIN = 60_000;
const at = (minutes: number) => new Date(NOON + minutes * MIN);
const seconds = (minutes: number) => (NOON + minutes * MIN) / 1000;
const reading = (minutes: number, used: number, more: Partial<Reading> = {}): Reading => ({
  at: NOON + minutes * MIN,
  window: "five_hour",
  used,
  resetsAt: NOON + 120 * MIN,
  session: "s",
  account: "me",
  ...more,
});

const OPEN = { resetsAt: undefined };

test("lines that are no readings are passed over", () => {
  const home = aHome();
  const good = reading(0, 40);
  const bad = [{ ...good, at: "now" }, { ...good, used: null }, { ...good, window: "month" }, {}, null, "x"];
  const lines = [...bad, { ...good, resetsAt: "soon", hit: 0, session: undefined, account: undefined }, good];
  home.write(
    ".claude/swarm/quota/readings.jsonl",
    `${lines.map((one) => `${JSON.stringify(one)}\n`).join("")}{"at":`,
  );
  const { resetsAt: _, ...open } = good;
  expect(readReadings(home.paths)).toEqual([{ ...open, session: "", account: "" }, good]);
});

test("without a reading nothing is said", () => {
  const home = aHome();
  noteStatusLine(home.paths, { session_id: "s" }, "s", at(0));
  noteStatusLine(home.paths, { rate_limits: null }, "s", at(0));
  noteStatusLine(home.paths, { rate_limits: { five_hour: { used_percentage: null } } }, "s", at(0));
  expect(quotaLines(home.paths, at(0))).toEqual([]);
  expect(home.has(".claude/swarm/quota")).toBe(false);
});

test("a reading is written down also where the clock was set back since the last", () => {
  const home = aHome();
  const limits = { five_hour: { used_percentage: 20, resets_at: seconds(300) } };
  for (const minutes of [60, 0]) noteStatusLine(home.paths, { rate_limits: limits }, "s", at(minutes));
  expect(quotaLines(home.paths, at(1))).toEqual(["5-hour limit: 20 % used, resets 17:00 (in 4 h 59 min)"]);
  noteStatusLine(home.paths, { rate_limits: limits }, "s", at(0.5));
  expect(readReadings(home.paths)).toHaveLength(2);
});

test("one reading gives share and reset, and no forecast", () => {
  const home = aHome();
  noteStatusLine(
    home.paths,
    { rate_limits: { five_hour: { used_percentage: 42.7, resets_at: seconds(90) } } },
    "s",
    at(0),
  );
  expect(quotaLines(home.paths, at(0))).toEqual(["5-hour limit: 42 % used, resets 13:30 (in 1 h 30 min)"]);
  expect(quotaLines(home.paths, at(60))).toEqual([
    "5-hour limit: 42 % used 1 h ago, resets 13:30 (in 30 min)",
  ]);
});

test("readings of several sessions make one pace, and the pace a wall", () => {
  const home = aHome();
  for (const [minutes, used, session] of [
    [-30, 40, "a"],
    [-20, 50, "b"],
    [0, 70, "a"],
  ] as const)
    noteStatusLine(
      home.paths,
      {
        rate_limits: {
          five_hour: { used_percentage: used, resets_at: seconds(120) },
          seven_day: { used_percentage: 10, resets_at: seconds(3000) },
        },
      },
      session,
      at(minutes),
    );
  expect(quotaLines(home.paths, at(0))).toEqual([
    "5-hour limit: 70 % used, resets 14:00 (in 2 h), at this pace the wall comes 12:30 (in 30 min)",
    "7-day limit: 10 % used, resets 2026-02-22 14:00 (in 2 d 2 h), at this pace it lasts until the reset",
  ]);
});

describe("forecast", () => {
  test.each<[string, Reading[], Record<string, unknown>]>([
    ["the wall is only shown before the reset", [reading(-60, 40), reading(0, 60)], { used: 60, pace: 20 }],
    ["before it, it is", [reading(-60, 20), reading(0, 80)], { wallAt: NOON + 20 * MIN }],
    [
      "two readings of one moment tell no pace",
      [reading(-4, 40), reading(0, 80)],
      { used: 80, pace: undefined, wallAt: undefined },
    ],
    ["older than an hour is not the present pace", [reading(-61, 1), reading(0, 80)], { pace: undefined }],
    [
      "a slower session's older figure does not lower the share",
      [reading(-10, 60), reading(0, 55)],
      { used: 60 },
    ],
    [
      "nor does one that only repeats an old figure lower the pace",
      [reading(-60, 40), reading(-1, 90), reading(0, 40)],
      { used: 90, pace: 50, wallAt: NOON + 12 * MIN },
    ],
    [
      "an old figure at the beginning of the hour does not raise it",
      [reading(-65, 80), reading(-60, 40), reading(0, 90)],
      { used: 90, pace: 10 },
    ],
    [
      "what was read before the last reset belongs to another window",
      [reading(-30, 95, { resetsAt: NOON - 20 * MIN }), reading(-10, 3), reading(0, 4)],
      { used: 4, pace: 6 },
    ],
    [
      "without a login's name a reading counts for the one there is",
      [reading(-30, 10, { account: "" }), reading(0, 20)],
      { pace: 20 },
    ],
  ])("%s", (_, readings, expected) =>
    expect({ pace: undefined, wallAt: undefined, ...quotas(readings, "me", NOON)[0] }).toMatchObject(
      expected,
    ),
  );

  test.each<[string, Reading[], number | undefined]>([
    ["at its reset or later", [reading(-60, 40), reading(0, 60)], undefined],
    ["at no pace", [reading(-60, 40, OPEN), reading(0, 40, OPEN)], undefined],
    ["when it has come", [reading(-60, 40), reading(0, 100)], undefined],
    ["with no reset in sight", [reading(-60, 20, OPEN), reading(0, 80, OPEN)], NOON + 20 * MIN],
  ])("the wall %s", (_, readings, wallAt) => {
    const [quota] = quotas(readings, "me", NOON);
    expect(quota).toHaveProperty("pace");
    expect("wallAt" in (quota ?? {})).toBe(wallAt !== undefined);
    expect(quota?.wallAt).toBe(wallAt);
  });

  test("another account's readings are not ours, a window that is over says nothing", () => {
    expect(quotas([reading(0, 80, { account: "other" })], "me", NOON)).toEqual([]);
    expect(quotas([reading(0, 80)], "me", NOON + 120 * MIN)).toEqual([]);
    expect(quotas([reading(0, 100, { resetsAt: undefined })], "me", NOON + 299 * MIN)).toHaveLength(1);
    expect(quotas([reading(0, 100, { resetsAt: undefined })], "me", NOON + 300 * MIN)).toEqual([]);
  });
});

test("the same figure again within a minute is not written down again", () => {
  const home = aHome();
  const say = (minutes: number, used: number, more = {}) =>
    noteStatusLine(
      home.paths,
      { rate_limits: { five_hour: { used_percentage: used, resets_at: seconds(90) }, ...more } },
      "s",
      at(minutes),
    );
  for (const minutes of [0, 0.1, 0.5]) say(minutes, 40);
  expect(readReadings(home.paths)).toHaveLength(1);
  say(0.6, 41);
  say(2, 41);
  expect(readReadings(home.paths)).toHaveLength(3);
  for (const minutes of [2.1, 2.2])
    say(minutes, 41, { seven_day: { used_percentage: 10, resets_at: seconds(3000) } });
  expect(readReadings(home.paths)).toHaveLength(4);
});

test("the account is the login's, and of another login nothing is shown", () => {
  const home = aHome();
  home.write(".claude.json", { oauthAccount: { accountUuid: "aaaa-1" } });
  noteStatusLine(
    home.paths,
    { rate_limits: { five_hour: { used_percentage: 40, resets_at: seconds(90) } } },
    "s",
    at(0),
  );
  expect(quotaLines(home.paths, at(0))).toHaveLength(1);
  home.write(".claude.json", { oauthAccount: { accountUuid: "bbbb-2" } });
  expect(quotaLines(home.paths, at(0))).toEqual([]);
});

describe("a limit that was reached", () => {
  const error = (more: Record<string, unknown>, text: string) => ({
    type: "assistant",
    isApiErrorMessage: true,
    timestamp: "2026-02-20T04:10:30Z",
    message: { model: "<synthetic>", content: [{ type: "text", text }] },
    ...more,
  });
  const NEW = error(
    {
      apiError: "usage_limit_reached",
      apiErrorStatus: 429,
      quotaLimits: { status: "rejected", resetsAt: seconds(30), rateLimitType: "five_hour" },
    },
    "You've hit your 5-hour limit · resets 6:34am (UTC)",
  );
  const OLD = error(
    { error: "rate_limit", apiErrorStatus: 429 },
    "You've hit your session limit · resets 6:34am (UTC)",
  );

  test("is read from the record's own field, else from its text", () => {
    expect(saidByRecord(NEW)).toEqual([
      { window: "five_hour", used: 100, hit: true, resetsAt: NOON + 30 * MIN },
    ]);
    expect(saidByRecord(OLD)).toEqual([
      { window: "five_hour", used: 100, hit: true, resetsAt: Date.parse("2026-02-20T06:34:00Z") },
    ]);
    expect(saidByRecord(error({}, "You've hit your weekly limit · resets 7pm (UTC)"))[0]?.window).toBe(
      "seven_day",
    );
  });

  test("of which window, by the record where its text does not say", () => {
    const limits = (rateLimitType?: string) => ({ quotaLimits: { rateLimitType, resetsAt: seconds(30) } });
    const window = (type?: string) => saidByRecord(error(limits(type), "You've hit your limit"))[0]?.window;
    expect([window("seven_day"), window("five_hour"), window()]).toEqual([
      "seven_day",
      "five_hour",
      "five_hour",
    ]);
  });

  test("an agent that talks about limits has reached none", () => {
    expect(saidByRecord({ ...OLD, isApiErrorMessage: undefined })).toEqual([]);
    expect(saidByRecord(error({ error: "rate_limit" }, "API Error: 429 too many requests"))).toEqual([]);
    expect(saidByStatusLine("text")).toEqual([]);
  });

  test.each([
    ["resets 6:34am (UTC)", "2026-02-20T04:10:30Z", "2026-02-20T06:34:00Z"],
    ["resets 3am (UTC)", "2026-02-20T04:10:30Z", "2026-02-21T03:00:00Z"],
    ["resets 12am (UTC)", "2026-02-20T04:10:30Z", "2026-02-21T00:00:00Z"],
    ["resets at 12:15pm (UTC)", "2026-02-20T04:10:30Z", "2026-02-20T12:15:00Z"],
    ["resets 6pm (Europe/Berlin)", "2026-02-20T04:10:30Z", "2026-02-20T17:00:00Z"],
  ])("%s", (text, from, expected) => expect(resetIn(text, Date.parse(from))).toBe(Date.parse(expected)));
  test("no time, or a zone nobody knows, is no guess", () => {
    expect(resetIn("resets soon", NOON)).toBeUndefined();
    expect(resetIn("resets 3am (Nowhere/Land)", NOON)).toBeUndefined();
  });

  test("and has been reset since says nothing about another failure now", () => {
    const home = aHome();
    const path = home.write("t.jsonl", `${JSON.stringify(NEW)}\n`);
    const limits = { five_hour: { used_percentage: 20, resets_at: seconds(300) } };
    noteStatusLine(home.paths, { rate_limits: limits }, "s", at(40));
    noteLimit(home.paths, path, "s-bob", at(41)); // its last turn was broken off by an overloaded server
    expect(quotaLines(home.paths, at(42))).toEqual(["5-hour limit: 20 % used, resets 17:00 (in 4 h 18 min)"]);
  });

  test("is read whatever else its record holds", () => {
    const odd = { toString: 1 };
    const record = error({ timestamp: odd, quotaLimits: { rateLimitType: odd } }, "You've hit your limit");
    const said = { window: "five_hour", used: 100, hit: true };
    expect(saidByRecord(record)).toEqual([said]);
    const content = [{ text: odd }, { text: "You've hit your limit" }];
    expect(saidByRecord({ ...record, message: { content } })).toEqual([said]);
  });

  test("is known for the session it stopped, until the reset", () => {
    const home = aHome();
    const path = home.write("t.jsonl", `${JSON.stringify({ type: "user" })}\n${JSON.stringify(NEW)}\n`);
    noteLimit(home.paths, path, "s-bob", at(0));
    expect(resetOf(home.paths, "s-bob", at(10))).toBe(NOON + 30 * MIN);
    expect(resetOf(home.paths, "s-bob", at(31))).toBeUndefined();
    expect(resetOf(home.paths, "s-eve", at(10))).toBeUndefined();
    expect(quotaLines(home.paths, at(0))).toEqual(["5-hour limit: reached, resets 12:30 (in 30 min)"]);
  });
});
