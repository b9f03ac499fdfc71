// The page as text: what is escaped, what is bounded, what is said about times.
import { beforeEach, describe, expect, test } from "vitest";
import type { Story } from "../../../lib/ops/report/gather.ts";
import { clock, duration, embedded, escaped, zoneName } from "../../../lib/ops/report/html.ts";
import { decisionTable, mailTable, page, tally, taskTable } from "../../../lib/ops/report/page.ts";
import type { Entry } from "../../../lib/ops/report/story.ts";
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
  runs: [],
  unreadable: 0,
  costs: () => undefined,
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

test.each([400, 2_000])("over %i days ticks stand all along the axis", (days) => {
  const from = NOON.getTime() - days * 24 * HOUR;
  const ticks = ticksOf(from, NOON.getTime(), 60);
  const step = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  expect(ticks.length).toBeGreaterThan(5);
  expect(ticks.length).toBeLessThanOrEqual(8);
  expect([(ticks[0] ?? 0) - from, NOON.getTime() - (ticks.at(-1) ?? 0)].every((rest) => rest < step)).toBe(
    true,
  );
  expect(ticks.every((at) => clock(at, 60).time === "00:00")).toBe(true);
  const labels = timeline(aStory({ from, lanes: [lane("amy")] })).matchAll(
    /class="time"[^>]*>(\d{4})-\d\d-\d\d</g,
  );
  expect([...labels].length).toBeGreaterThan(5);
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
    entries: [
      mail("amy", "bob"),
      mail("amy", "gone"),
      mail("amy", "amy"),
      { ...mail("amy", "bob", NOON.getTime() - 2 * HOUR), kind: "note" },
    ],
  });
  const drawn = timeline(story);
  expect(drawn.match(/<g class="mail">(.*?)<\/g>/)?.[1]).toBe(
    '<line x1="75%" x2="75%" y1="49" y2="95"/><circle cx="75%" cy="95" r="2.6"/>',
  );
});

test("thinning keeps one of each pair in each slice", () => {
  const all = Array.from({ length: 5_000 }, (_, n) => ({ at: n, key: `p${n % 7}` }));
  const kept = thinned(all, { from: 0, to: 5_000 }, 100, ({ key }) => key);
  expect(kept).toHaveLength(700);
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
    tasks: [{ id: bad, subject: bad, status: bad, owner: bad, blockedBy: [bad], proof: "" }],
  });
  const html = page(story);
  expect(html).not.toContain("<img");
  expect([mailTable(story), decisionTable(story), taskTable(story)].join("")).not.toMatch(
    /="[^"]*onerror=alert\(1\)>/,
  );
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
  expect(html).toContain("<small>tree 1a2b3c4, void: by &lt;b&gt;</small>");
});

describe("a whole page", () => {
  const at = NOON.getTime();
  const decision = (tone: string): Entry => ({
    at: at - HOUR,
    kind: "decision",
    agent: "amy",
    head: "h",
    tone,
    rule: "r",
  });
  const story = aStory({
    lanes: [
      {
        agent: "amy",
        role: "lead",
        spans: [
          { state: "working", from: at - 4 * HOUR, to: at - HOUR },
          { state: "idle", from: at - HOUR, to: at },
        ],
        levels: [
          { at: at - 3 * HOUR, share: 20 },
          { at: at - 2 * HOUR, share: 80 },
          { at: at - HOUR, share: 95 },
        ],
      },
      { ...lane("bob"), spans: [{ state: "limited", from: at - HOUR, to: at }] },
      lane("eve"),
    ],
    entries: [
      { ...mail("amy", "bob"), tone: "queued", isUnread: true },
      { ...mail("bob", "amy"), tone: "claimed", isUnread: true },
      { ...mail("bob", "amy"), tone: "shown" },
      decision("deny"),
      decision("ask"),
      decision("warn"),
    ],
    tasks: [
      { id: "#1", subject: "s", status: "completed", owner: "amy", blockedBy: [], proof: "" },
      { id: "#2", subject: "s", status: "pending", owner: "", blockedBy: [], proof: "" },
      { id: "#3", subject: "s", status: "completed", owner: "", blockedBy: [], proof: "unverified" },
    ],
  });
  let html = "";
  beforeEach(() => {
    html = page(story);
  });
  const facts = () =>
    [...html.matchAll(/<b>([^<]*)<\/b><span>([^<]*)<\/span><\/a>/g)].map(([, a, b]) => `${a} ${b}`);

  test("figures", () =>
    expect(facts()).toEqual([
      "3 agents, 3 h of work",
      "3 messages, 2 unread",
      "2/3 tasks completed",
      "3 decisions, 1 denied",
      "95 % fullest context amy",
    ]));

  test("one of each, and none", () => {
    const one = page(aStory({ lanes: [lane("amy")], entries: [mail("amy", "bob")] }));
    expect(one).toContain("<span>agent, 0 s of work</span>");
    expect(one).toContain("<span>message, 0 unread</span>");
    expect(one).toContain("<b>–</b><span>fullest context</span>");
    expect(one).not.toContain("not shown");
  });

  test("labels: the role, else the state at the end, else away", () => {
    const early = {
      ...lane("carl"),
      spans: [{ state: "working" as const, from: story.from, to: at - HOUR }],
    };
    const labels = page({ ...story, lanes: [...story.lanes, early] }).matchAll(/<span class="now">([^<]*)</g);
    expect([...labels].map(([, now]) => now)).toEqual(["lead", "limited", "away", "away"]);
  });

  test("a legend of what is drawn, and of nothing else", () => {
    const signs = (given: string) =>
      [...(given.match(/<ul class="legend">(.*)<\/ul>/)?.[1] ?? "").matchAll(/<\/svg>([^<]*)</g)].map(
        ([, text]) => text,
      );
    expect(signs(html)).toEqual([
      "working",
      "idle",
      "rate limited",
      "message",
      "denied",
      "asked",
      "warned",
      "context filling",
    ]);
    const warned = page(aStory({ lanes: [lane("amy")], entries: [decision("warn")] }));
    expect(signs(warned)).toEqual(["warned"]);
    expect(warned).toContain('<circle class="d-warn" cx="7"');
    expect(signs(page(aStory({ lanes: [lane("amy")] })))).toEqual([]);
    expect(signs(page(aStory({ lanes: [lane("amy")], entries: [mail("amy", "bob")] })))).toEqual(["message"]);
  });

  const chips = (given: string) =>
    [...given.matchAll(/data-kind="(\w+)"[^>]*>\w+<small>(\d+)</g)].map(([, kind, n]) => `${kind} ${n}`);

  test("chips count each kind, and agents are named once", () => {
    expect(chips(html)).toEqual(["message 3", "decision 3"]);
    expect(html.match(/<option>/g)).toHaveLength(2);
  });

  test("what the log leaves out is said, and counted everywhere else", () => {
    const note = (n: number): Entry => ({ at: at - n, kind: "note", agent: "amy", head: `note ${n}` });
    const notes = Array.from({ length: 19_998 }, (_, n) => note(n));
    html = page({ ...story, entries: [mail("zoe", "amy"), ...story.entries, ...notes] });
    expect(html).toContain("<small>5 older entries not shown</small>");
    expect(chips(html)).toEqual(["decision 2", "note 19998"]);
    expect(html).not.toContain("<option>zoe</option>");
    expect(facts().slice(1, 4)).toEqual([
      "4 messages, 2 unread",
      "2/3 tasks completed",
      "3 decisions, 1 denied",
    ]);
    expect(mailTable({ ...story, entries: [mail("zoe", "amy"), ...notes] })).toContain("zoe");
    expect(JSON.parse(html.match(/id="data">(.*?)<\/script>/)?.[1] ?? "").entries).toHaveLength(20_000);
  });

  test("a day in the header once, two where it ends on another", () => {
    expect(html).toContain("<p>2026-02-20 08:00 – 12:00 UTC, 4 h</p>");
    expect(page(aStory({ from: at - 24 * HOUR }))).toContain(
      "<p>2026-02-19 12:00 – 2026-02-20 12:00 UTC, 24 h</p>",
    );
  });

  test("a few who write are a square in the order of the lanes, many a list with the number last", () => {
    const heads = (table: string) => [...table.matchAll(/<th scope="col">([^<]+)</g)].map(([, name]) => name);
    expect(heads(mailTable(story))).toEqual(["amy", "bob"]);
    const cells = [...mailTable(story).matchAll(/<td( class="h\d")?>([^<]*)<\/td>/g)].map(
      ([, shade = "", n]) => shade + n,
    );
    expect(cells).toEqual(["", ' class="h2"1', ' class="h4"2', ""]);
    const six = ["a", "b", "c", "d", "e", "f"];
    expect(mailTable(aStory({ entries: six.map((name) => mail(name, "a")) }))).toContain('class="square"');
    const many = mailTable(aStory({ entries: [...six, "g", "g"].map((name) => mail(name, "a")) }));
    expect(many).toContain('<th class="number" scope="col">messages</th></tr>');
    expect(many.match(/<th class="number"/g)).toHaveLength(1);
    expect(many).toContain('<tr><td>g</td><td>a</td><td class="number">2</td></tr>');
  });

  test("decisions by rule, agent and what became of them", () =>
    expect(
      [...decisionTable(story).matchAll(/<tr><td>.*?<\/tr>/g)].map(([row]) =>
        row.replaceAll(/<[^>]+>/g, " "),
      ),
    ).toEqual(
      [" r  amy   denied   1  ", " r  amy   asked   1  ", " r  amy   warned   1  "].map((row) => ` ${row}`),
    ));

  test("many lanes are low, and many rows are cut, with how many more", () => {
    const names = Array.from({ length: 17 }, (_, n) => `a${n}`);
    expect(page(aStory({ lanes: names.map(lane) }))).toContain('class="timeline many"');
    expect(html).toContain('class="timeline"');
    const rows = (count: number) =>
      mailTable(aStory({ entries: names.slice(0, count).map((name) => mail(name, "z")) }));
    expect(rows(12)).not.toContain("more</p>");
    expect(rows(14)).toContain('<p class="empty">and 2 more</p>');
  });

  test("tasks: what proves them, how far they are, and the older ones as a number", () => {
    const table = taskTable(story);
    expect(table.match(/<small>unverified<\/small>/g)).toHaveLength(1);
    expect(table).not.toContain("<small></small>");
    expect(table).toContain('aria-label="67 % completed"');
    expect(table).not.toContain("older");
    const task = { id: "#1", subject: "s", status: "in_progress", owner: "", blockedBy: [], proof: "" };
    const many = taskTable(aStory({ tasks: Array(501).fill(task) }));
    expect(many).toContain("and 1 older task<");
    expect(many).toContain('<rect class="doing" width="100.00%"');
    const waiting = taskTable(aStory({ tasks: [{ ...task, status: "in_review", blockedBy: ["#2", "#3"] }] }));
    expect(waiting).toContain("<small>waits for #2, #3</small>");
    expect(waiting).toContain('<rect class="doing" width="100.00%"');
  });

  test("context as a line that grows, from each level to the next", () => {
    const drawn = timeline(story);
    const levels = [
      ...drawn.matchAll(/class="c-(\w+)" x="([\d.]+)%" y="([\d.]+)" width="([\d.]+)%" height="(\d)"/g),
    ];
    expect(levels.map(([, level, x, , width, high]) => [level, x, width, high])).toEqual([
      ["low", "25", "25", "2"],
      ["mid", "50", "25", "3"],
      ["high", "75", "25", "4"],
    ]);
    expect(levels.map(([, , , y]) => y)).toEqual(["66", "65", "64"]);
    const ended = { state: "working" as const, from: story.from, to: at - 2 * HOUR };
    const early = { ...lane("amy"), spans: [ended], levels: [{ at: at - 3 * HOUR, share: 20 }] };
    expect(timeline(aStory({ lanes: [early] }))).toMatch(/class="c-low" x="25%" y="\d+" width="25%"/);
    expect(timeline(aStory({ lanes: [{ ...lane("amy"), levels: [{ at, share: 0 }] }] }))).not.toContain(
      "c-low",
    );
  });

  test("of decisions close together the loudest is drawn, and none without a lane", () => {
    const drawn = (given: Story) =>
      [...timeline(given).matchAll(/class="d-(\w+)" cx="[\d.]+%" cy="(\d+)"/g)].map(
        ([, tone, y]) => `${tone} ${y}`,
      );
    expect(drawn(story)).toEqual(["deny 34"]);
    expect(drawn({ ...story, lanes: [lane("bob"), lane("amy")] })).toEqual(["deny 80"]);
    const stranger = aStory({ lanes: [lane("bob")], entries: [decision("deny")] });
    expect(timeline(stranger)).not.toContain("d-deny");
  });

  test("an axis of times, of days where it is long", () => {
    const labels = (given: Story) =>
      [...timeline(given).matchAll(/class="time"[^>]*text-anchor="(\w+)">([^<]*)</g)].map(
        ([, anchor, text]) => `${anchor} ${text}`,
      );
    expect(labels(story)[0]).toBe("start 08:00");
    expect(labels(story).at(-1)).toBe("end 12:00");
    expect(labels(story)[1]).toMatch(/^middle /);
    const wide = (given: Story) =>
      [...timeline(given).matchAll(/data-odd[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(wide(story)).toEqual(["09:00", "11:00"]);
    expect(wide({ ...story, from: at - 60 * HOUR })).toEqual(["12:00", "12:00", "12:00"]);
    for (const label of labels({ ...story, from: at - 96 * HOUR })) expect(label).toMatch(/ 02-\d\d$/);
    expect(labels({ ...story, from: at - 60 * HOUR })).toEqual([
      "start 02-18",
      ...["12:00", "02-19", "12:00", "02-20"].map((text) => `middle ${text}`),
      "end 12:00",
    ]);
    expect(labels({ ...story, from: at - 24 * HOUR })).toContain("middle 02-20");
    expect(labels({ ...story, from: at - 24 * HOUR })).toContain("middle 06:00");
    expect(labels({ ...story, from: at - 7 * HOUR })).toHaveLength(8);
    expect(timeline(story).match(/y1="20" y2="164"/g)).toHaveLength(6);
  });
});
