// The board as text: one line an agent. What does not fit a narrow terminal is cut, then left out, the least telling first.
import { plainLine } from "../../core/text.ts";
import type { State } from "./state.ts";

export interface Row {
  agent: string;
  role?: string;
  state: State;
  evidence: string;
  task?: string;
  /** In percent. */
  context?: number;
  unread?: number;
  /** How long ago it was last seen. */
  lastSign: string;
}

export interface Screen {
  columns: number;
  colours: boolean;
}

interface Column {
  title: string;
  cell: (row: Row) => string;
  /** May be cut down to so many characters. */
  least?: number;
  /** Left out first where the number is low; without one it always stays. */
  worth?: number;
}

const COLUMNS: readonly Column[] = [
  { title: "AGENT", cell: (row) => row.agent, least: 8 },
  { title: "ROLE", cell: (row) => row.role ?? "", least: 8, worth: 1 },
  { title: "STATE", cell: (row) => row.state },
  { title: "TASK", cell: (row) => row.task ?? "", least: 12, worth: 5 },
  {
    title: "CTX",
    cell: (row) => (row.context === undefined ? "" : `${Math.round(row.context)}%`),
    worth: 3,
  },
  { title: "MAIL", cell: (row) => (row.unread ? String(row.unread) : ""), worth: 4 },
  { title: "SEEN", cell: (row) => row.lastSign, worth: 6 },
  { title: "EVIDENCE", cell: (row) => row.evidence, least: 16, worth: 2 },
];

const GAP = 2;
const LONGEST_CELL = 60;

const PAINT: Record<State, string> = {
  working: "32",
  idle: "2",
  waiting: "33",
  "permission?": "33",
  "rate-limited": "35",
  silent: "31",
  starting: "36",
  suspended: "2",
  gone: "31",
  unknown: "2",
};

export function board(rows: readonly Row[], screen: Screen): string {
  const filled = COLUMNS.map((column) => ({ column, cells: rows.map((row) => textOf(column, row)) })).filter(
    ({ column, cells }) => column.worth === undefined || cells.some(Boolean),
  );
  const columns = fitting(filled, screen.columns);
  const head = columns.map(({ column, width }) => padded(column.title, width));
  const lines = rows.map((row, n) =>
    columns.map(({ column, cells, width }) => {
      const cell = padded(cut(cells[n] ?? "", width), width);
      return screen.colours && column.title === "STATE" ? painted(cell, PAINT[row.state]) : cell;
    }),
  );
  const title = screen.colours ? painted(joined(head), "1") : joined(head);
  return [title, ...lines.map(joined)].join("\n");
}

const joined = (cells: string[]) => cells.join(" ".repeat(GAP)).trimEnd();
const painted = (text: string, code: string) => `\u001b[${code}m${text}\u001b[0m`;
/** Names, subjects and status texts are other people's words. */
const textOf = (column: Column, row: Row) => cut(plainLine(column.cell(row)), LONGEST_CELL);

interface Filled {
  column: Column;
  /** One a row. */
  cells: string[];
}

interface Fitted extends Filled {
  width: number;
}

function fitting(columns: readonly Filled[], room: number): Fitted[] {
  const wanted = columns.map((one) => ({
    ...one,
    width: Math.max(one.column.title.length, ...one.cells.map(widthOf)),
  }));
  const narrowest = wanted.reduce((sum, one) => sum + leastOf(one) + GAP, -GAP);
  if (narrowest <= room) return narrowed(wanted, room);
  const worth = ({ column }: Filled) => column.worth ?? 0;
  const leaving = columns.filter(worth).sort((a, b) => worth(a) - worth(b))[0];
  if (!leaving) return wanted.map((one) => ({ ...one, width: leastOf(one) }));
  return fitting(
    columns.filter((one) => one !== leaving),
    room,
  );
}

const leastOf = ({ column, width }: Fitted) => Math.min(width, column.least ?? width);

/** Takes what is too much from the widest that can give, one character at a time. */
function narrowed(wanted: Fitted[], room: number): Fitted[] {
  const fitSections = wanted.map((one) => ({ ...one }));
  let excess = fitSections.reduce((sum, { width }) => sum + width + GAP, -GAP) - room;
  for (; excess > 0; excess--) {
    const giving = fitSections.filter((one) => one.width > leastOf(one));
    const widest = giving.reduce((a, b) => (b.width > a.width ? b : a));
    widest.width--;
  }
  return fitSections;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const PLAIN = /^[\u0020-\u007e]*$/;
const widthOf = (text: string) =>
  PLAIN.test(text) ? text.length : [...text].reduce((sum, sign) => sum + (WIDE.test(sign) ? 2 : 1), 0);
const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - widthOf(text)));

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const sign of text) {
    if (widthOf(kept + sign) > width - 1) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}
