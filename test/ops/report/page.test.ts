// The page as text: what is escaped, what is bounded, what is said about times.
import { describe, expect, test } from "vitest";
import { clock, duration, embedded, escaped, zoneName } from "../../../lib/ops/report/html.ts";
import { decisionTable, mailTable, page, tally, taskTable } from "../../../lib/ops/report/page.ts";
import type { Entry, Story } from "../../../lib/ops/report/story.ts";
import { thinned, ticksOf, timeline } from "../../../lib/ops/report/timeline.ts";
import { NOON } from "../../support/a-context.ts";

const HOUR = 3_600_000;
const aStory = (given: Partial<Story> = {}): Story => ({
  title: "atm-dev",
  from: NOON.getTime() - 4 * HOUR,
  to: NOON.getTime(),
  zone: 0,
  lanes: [],
  entries: [],
  tasks: [],
  leftOut: 0,
  ...given,
});
const mail = (agent: string, to: string, at = NOON.getTime() - HOUR): Entry => ({
  at,
  kind: "message",
  agent,
  to,
  head: "hi",
});
const lane = (agent: string) => ({ agent, role: "", spans: [], levels: [] });
const nodes = (html: string) => html.match(/<[a-z]/g)?.length ?? 0;

test.each([
  ["<script>", "&lt;script&gt;"],
  [`"'&`, "&quot;&#39;&amp;"],
  ["a\u202eb\u0000", "ab"],
  ["\ud800", "\ufffd"],
])("%j becomes %j", (given, text) => expect(escaped(given)).toBe(text));

test("data cannot end its own script, and is the same when read back, without what is hidden", () => {
  const data = { text: "</script><!--\u2028<b>" };
  expect(embedded(data)).not.toMatch(/<|\u2028/);
  expect(JSON.parse(embedded(data))).toEqual({ text: "</script><!--\n<b>" });
});

test.each([
  [59_000, "59 s"],
  [90_000, "2 min"],
  [3 * HOUR, "3 h"],
  [3 * HOUR + 5 * 60_000, "3 h 5 min"],
  [52 * HOUR, "2 d 4 h"],
])("%i ms is %s", (ms, text) => expect(duration(ms)).toBe(text));

test("the clock is that of the machine that made the page", () => {
  expect(clock(NOON.getTime(), 330)).toEqual({ day: "2026-02-20", time: "17:30" });
  expect([0, 330, -150].map(zoneName)).toEqual(["UTC", "UTC+05:30", "UTC−02:30"]);
});

test.each([
  [10 * 60_000, 2],
  [4 * HOUR, 60],
  [36 * HOUR, 360],
])("over %i ms there is a tick every %i minutes", (length, minutes) => {
  const ticks = ticksOf(NOON.getTime() - length, NOON.getTime(), 0);
  expect(ticks.length).toBeLessThanOrEqual(8);
  expect(ticks.every((at) => at % (minutes * 60_000) === 0)).toBe(true);
  expect((ticks[1] ?? 0) - (ticks[0] ?? 0)).toBe(minutes * 60_000);
});

test("ticks stand on whole hours of the maker's clock", () =>
  expect(ticksOf(NOON.getTime() - 4 * HOUR, NOON.getTime(), 330).map((at) => clock(at, 330).time)).toEqual([
    "14:00",
    "15:00",
    "16:00",
    "17:00",
  ]));

test("messages are drawn from sender to reader, and only between those who have a lane", () => {
  const story = aStory({
    lanes: [lane("amy"), lane("bob")],
    entries: [mail("amy", "bob"), mail("amy", "gone"), mail("amy", "amy")],
  });
  const drawn = timeline(story);
  expect(drawn.match(/<g class="mail">(.*?)<\/g>/)?.[1]).toBe(
    '<line x1="75%" x2="75%" y1="49" y2="95"/><circle cx="75%" cy="95" r="2.6"/>',
  );
});

test("thinning keeps one of each pair in each slice", () => {
  const all = Array.from({ length: 5_000 }, (_, n) => ({ at: n, key: `p${n % 7}` }));
  const kept = thinned(all, { from: 0, to: 5_000 }, 700, ({ key }) => key);
  expect(kept.length).toBeLessThanOrEqual(700);
  expect(new Set(kept.map(({ key }) => key)).size).toBe(7);
});

describe("however much happened, the page's size is bounded", () => {
  const many = (n: number) => {
    const agents = Array.from({ length: 12 }, (_, i) => `agent-${i}`);
    const at = (i: number) => NOON.getTime() - 4 * HOUR + (i * 4 * HOUR) / n;
    const entries = Array.from(
      { length: n },
      (_, i): Entry =>
        i % 2
          ? mail(agents[i % 12] ?? "", agents[(i * 5) % 12] ?? "", at(i))
          : {
              at: at(i),
              kind: "decision",
              agent: agents[i % 12] ?? "",
              head: "x",
              tone: "deny",
              rule: `r${i}`,
            },
    );
    const lanes = agents.map((agent) => ({
      ...lane(agent),
      spans: Array.from({ length: n / 10 }, (_, i) => ({
        state: i % 2 ? ("idle" as const) : ("working" as const),
        from: at(i * 10),
        to: at(i * 10 + 10),
      })),
    }));
    return aStory({ lanes, entries });
  };
  test("ten times the events, less than twice the elements", () => {
    const [few, lots] = [nodes(page(many(2_000))), nodes(page(many(20_000)))];
    expect(lots).toBeLessThan(2 * few);
    expect(lots).toBeLessThan(20_000);
  });
});

test("the most frequent comes first", () =>
  expect(tally([mail("a", "b"), mail("b", "a"), mail("b", "a")], ({ agent }) => [agent])).toEqual([
    { key: ["b"], n: 2 },
    { key: ["a"], n: 1 },
  ]));

test("an empty day is said in words", () => {
  const html = page(aStory());
  for (const words of ["No agent was active", "No messages", "No decisions", "No tasks"])
    expect(html).toContain(words);
});

test("every table escapes what agents wrote", () => {
  const bad = "<img src=x onerror=alert(1)>";
  const story = aStory({
    title: bad,
    lanes: [{ ...lane(bad), role: bad, levels: [{ at: NOON.getTime() - HOUR, share: 80 }] }],
    entries: [mail(bad, bad), { ...mail(bad, ""), kind: "decision", rule: bad, tone: bad }],
    tasks: [{ id: bad, subject: bad, status: bad, owner: bad, blockedBy: [bad] }],
  });
  const html = page(story);
  expect(html).not.toContain("<img");
  expect([mailTable(story), decisionTable(story), taskTable(story)].join("")).not.toMatch(
    /="[^"]*onerror=alert\(1\)>/,
  );
});

test("a task waits only for what is still open", () => {
  const task = (id: string, status: string, blockedBy: string[] = []) => ({
    id,
    subject: id,
    status,
    owner: "",
    blockedBy,
  });
  const html = taskTable(
    aStory({ tasks: [task("#1", "completed"), task("#2", "pending"), task("#3", "pending", ["#1", "#2"])] }),
  );
  expect(html).toContain("waits for #2<");
});

test("runs have a table of their own, escaped, where there were any", () => {
  const run = {
    id: "r-1",
    agent: "ada",
    command: "npm test <x>",
    exit: "0",
    tree: "1a2b3c4",
    verdict: "void: by <b>",
  };
  expect(page(aStory())).not.toContain('id="runs"');
  const html = page(aStory({ runs: [run] }));
  expect(html).toContain("Test and build runs");
  expect(html).toContain("npm test &lt;x&gt;");
  expect(html).not.toContain("by <b>");
});
