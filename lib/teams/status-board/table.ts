// The status board as text, one line for each agent. What does not fit a narrow terminal is cut, then left out, least important first.
import { styleText } from "node:util";
import { plainLine } from "../../core/text.ts";
import type { State } from "../store/agent-state.ts";
import { cellWidth } from "./cell-width.ts" with { loading: "lazy" };
import type { AgentRow } from "./rows.ts";

interface Column {
  title: string;
  cell: (row: AgentRow) => string;
  /** May be cut down to so many characters. */
  least?: number;
  /** Where that is not `LONGEST_CELL`. */
  most?: number;
  /** The column of least importance is left out first; one without a number always stays. */
  importance?: number;
}

const COLUMNS: readonly Column[] = [
  { title: "AGENT", cell: (row) => row.agent, least: 8 },
  { title: "ROLE", cell: (row) => row.role ?? "", least: 8, importance: 1 },
  { title: "STATE", cell: (row) => row.state },
  { title: "TASK", cell: (row) => row.task ?? "", least: 12, importance: 5 },
  {
    title: "CTX",
    cell: (row) => (row.context === undefined ? "" : `${Math.round(row.context)}%`),
    importance: 3,
  },
  { title: "MAIL", cell: (row) => (row.unread ? String(row.unread) : ""), importance: 4 },
  { title: "SEEN", cell: (row) => row.lastSign, importance: 6 },
  { title: "EVIDENCE", cell: (row) => row.evidence, least: 16, most: 90, importance: 2 },
];

type Style = Parameters<typeof styleText>[0];

/** Most cells are plain ASCII, and measuring others costs more than three starts of node. */
const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : cellWidth(text));

const GAP = 2;
const LONGEST_CELL = 60;

const COLOURS = {
  working: "green",
  thinking: "green",
  idle: "dim",
  permission: "yellow",
  question: "yellow",
  "rate-limited": "magenta",
  paused: "blue",
  silent: "red",
  suspended: "dim",
  gone: "red",
  unknown: "dim",
} as const satisfies Record<State, Style>;

export function board(rows: readonly AgentRow[], screen: { columns: number; colours: boolean }): string {
  const columns = fitting(
    COLUMNS.map((column) => filled(column, rows)).filter(
      ({ column, cells }) => column.importance === undefined || cells.some(Boolean),
    ),
    screen.columns,
  );
  const head = columns.map(({ column, width }) => padded(column.title, width));
  const lines = rows.map((row, n) =>
    columns.map(({ column, cells, width }) => {
      const cell = padded(cut(cells[n] ?? "", width), width);
      return screen.colours && column.title === "STATE" ? styled(cell, COLOURS[row.state]) : cell;
    }),
  );
  const title = screen.colours ? styled(joined(head), "bold") : joined(head);
  return [title, ...lines.map(joined)].join("\n");
}

const joined = (cells: string[]) => cells.join(" ".repeat(GAP)).trimEnd();
/** Whether there are colours is decided by the caller, not by what node thinks of its output. */
const styled = (text: string, style: Style) => styleText(style, text, { validateStream: false });
type Filled = ReturnType<typeof filled>;

/** A column with its cells, one a row. Names, subjects and status texts are written by others. */
function filled(column: Column, rows: readonly AgentRow[]) {
  const cells = rows.map((row) => cut(plainLine(column.cell(row)), column.most ?? LONGEST_CELL));
  return { column, cells, width: Math.max(column.title.length, ...cells.map(widthOf)) };
}

function fitting(columns: Filled[], room: number): Filled[] {
  const importance = ({ column }: Filled) => column.importance ?? 0;
  const leaving = columns.filter(importance).sort((a, b) => importance(a) - importance(b))[0];
  if (!leaving || together(columns.map(leastOf)) <= room) return narrowed(columns, room);
  const others = columns.filter((one) => one !== leaving);
  return fitting(others, room);
}

const together = (widths: number[]) => widths.reduce((sum, width) => sum + width + GAP, -GAP);
const leastOf = ({ column, width }: Filled) => Math.min(width, column.least ?? width);

/** Shrinks the widest column that can shrink, one character at a time. */
function narrowed(columns: Filled[], room: number): Filled[] {
  while (together(columns.map(({ width }) => width)) > room) {
    const [widest] = columns.filter((one) => one.width > leastOf(one)).sort((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width--;
  }
  return columns;
}

const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - widthOf(text)));

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (widthOf(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

const HOME = "\u001b[H";
const REST_OF_LINE = "\u001b[K";
const REST_OF_SCREEN = "\u001b[J";

/** Drawn over the last one, line by line: clearing the screen first would flicker over a slow line. What does not fit is counted. */
export function screenful(text: string, rows: number): string {
  const lines = text.split("\n");
  const most = Math.max(1, rows - 1);
  const left = lines.length - most;
  const fitting = left > 0 ? [...lines.slice(0, most - 1), `… ${left + 1} more lines`] : lines;
  return `${HOME}${fitting.map((line) => `${line}${REST_OF_LINE}\n`).join("")}${REST_OF_SCREEN}`;
}
