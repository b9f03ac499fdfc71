import { expect, test } from "vitest";
import type { AgentRow } from "../../../lib/teams/status-board/rows.ts";
import { board, screenful } from "../../../lib/teams/status-board/table.ts";

const ROWS: AgentRow[] = [
  {
    agent: "team-lead",
    role: "lead",
    state: "working",
    evidence: "Bash began 4s ago",
    task: "#1 Write the parser and its tests",
    context: 41.6,
    unread: 2,
    lastSign: "4s",
  },
  {
    agent: "alice",
    role: "coder",
    state: "idle",
    evidence: "its turn ended 3m ago",
    unread: 0,
    lastSign: "3m",
  },
];
const lines = (columns: number, rows = ROWS) => board(rows, { columns, colours: false }).split("\n");

test("every column where there is room", () =>
  expect(lines(Number.POSITIVE_INFINITY)).toEqual([
    "AGENT      ROLE   STATE    TASK                               CTX  MAIL  SEEN  EVIDENCE",
    "team-lead  lead   working  #1 Write the parser and its tests  42%  2     4s    Bash began 4s ago",
    "alice      coder  idle                                                   3m    its turn ended 3m ago",
  ]));

test.each([
  [100, "AGENT ROLE STATE TASK CTX MAIL SEEN EVIDENCE"],
  [80, "AGENT ROLE STATE TASK CTX MAIL SEEN EVIDENCE"],
  [70, "AGENT STATE TASK CTX MAIL SEEN EVIDENCE"],
  [50, "AGENT STATE TASK CTX MAIL SEEN"],
  [40, "AGENT STATE TASK SEEN"],
  [30, "AGENT STATE SEEN"],
  [18, "AGENT STATE"],
])("%i columns hold %s", (columns, titles) => {
  const drawn = lines(columns);
  expect(drawn[0]?.split(/\s+/).join(" ")).toBe(titles);
  for (const line of drawn) expect(line.length).toBeLessThanOrEqual(columns);
});

test("a column in which nobody has anything is left out", () =>
  expect(lines(200, [{ agent: "a", state: "idle", evidence: "", lastSign: "" }])).toEqual([
    "AGENT  STATE",
    "a      idle",
  ]));

test("nothing an agent says of itself moves the cursor or breaks the line", () => {
  const [row] = ROWS as [AgentRow];
  const drawn = lines(Number.POSITIVE_INFINITY, [{ ...row, task: "a\u001b[2J\nb\u009b1m" }]);
  expect(drawn).toHaveLength(2);
  expect(drawn.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test("wide characters count twice", () => {
  const drawn = lines(200, [
    { agent: "日本", state: "idle", evidence: "", lastSign: "" },
    { agent: "abcd", state: "idle", evidence: "", lastSign: "" },
  ]);
  expect(drawn.slice(1)).toEqual(["日本   idle", "abcd   idle"]);
});

test("colours stand around the state only, and only where they are wanted", () => {
  const drawn = board(ROWS, { columns: 200, colours: true }).split("\n");
  expect(drawn[1]).toContain("\u001b[32mworking\u001b[39m");
  expect(drawn[1]?.split("\u001b[")).toHaveLength(3);
  expect(lines(200).join("")).not.toContain("\u001b");
});

test.each<[number, string]>([
  [4, "a\nb\nc"],
  [3, "a\n… 2 more lines"],
  [1, "… 3 more lines"],
])("of %i rows three lines are %j", (rows, expected) =>
  expect(
    screenful("a\nb\nc", rows)
      .replace(/\u001b\[[A-Z]/g, "")
      .trimEnd(),
  ).toBe(expected),
);

test("evidence may be longer than other cells; what is cut ends with an ellipsis, in its width", () => {
  const [row] = ROWS as [AgentRow];
  const long = { ...row, task: "t".repeat(70), evidence: "e".repeat(95) };
  const [, whole = ""] = lines(Number.POSITIVE_INFINITY, [long]);
  expect(whole).toContain(` ${"t".repeat(59)}… `);
  expect(whole).toMatch(new RegExp(` ${"e".repeat(89)}…$`));
});

test("the widest column shrinks first", () => {
  const row: AgentRow = { agent: "a".repeat(20), state: "idle", evidence: "e".repeat(40), lastSign: "" };
  expect(lines(60, [row])[1]).toBe(`${"a".repeat(20)}  idle   ${"e".repeat(30)}…`);
});
