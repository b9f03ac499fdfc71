// A terminal's screen as SVG: text with its colours, on the cells where tmux had it. No fonts, no scripts, nothing to load.

export interface Pane {
  left: number;
  top: number;
  columns: number;
  rows: number;
  /** As `tmux capture-pane -e -p` prints it. */
  text: string;
}

interface Run {
  text: string;
  style: string;
}

const [CELL_X, CELL_Y, SIZE, MARGIN, BAR] = [7.2, 16, 12, 14, 26];
const PAPER = "#16181d";
const INK = "#d6d8d5";
const BASIC = ["#3b4048", "#e0696c", "#7fbf7f", "#d6a044", "#6c9fd8", "#b48ad4", "#5fb8b0", INK];
const BRIGHT = ["#6b7078", "#f08a8c", "#9fd89f", "#e8bb66", "#8cb9ea", "#c9a6e4", "#7fd0c8", "#ffffff"];

export function screenAsSvg(
  panes: readonly Pane[],
  columns: number,
  rows: number,
  hidden: readonly [string, string][],
): string {
  const width = Math.round(columns * CELL_X + 2 * MARGIN);
  const height = Math.round(rows * CELL_Y + 2 * MARGIN + BAR);
  const bodies = panes.map((pane) => paneAsSvg(pane, hidden)).join("");
  const borders = panes.flatMap((pane) => (pane.left > 0 ? borderOf(pane) : [])).join("");
  const dots = ["#e0696c", "#d6a044", "#7fbf7f"]
    .map((colour, n) => `<circle cx="${20 + n * 18}" cy="16" r="5" fill="${colour}"/>`)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Two Claude Code clients side by side: the lead and ada, who sends it a message"><rect width="100%" height="100%" rx="10" fill="${PAPER}"/>${dots}<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${SIZE}" fill="${INK}" xml:space="preserve">${bodies}${borders}</g></svg>\n`;
}

const xOf = (column: number) => Math.round((MARGIN + column * CELL_X) * 10) / 10;
const yOf = (row: number) => MARGIN + BAR + row * CELL_Y + SIZE;

function borderOf({ left, top, rows }: Pane): string {
  const x = xOf(left) - CELL_X / 2;
  const y = yOf(top) - SIZE;
  return `<line x1="${x}" x2="${x}" y1="${y}" y2="${y + rows * CELL_Y}" stroke="#4a505a"/>`;
}

function paneAsSvg({ left, top, columns, text }: Pane, hidden: readonly [string, string][]): string {
  const shown = hidden.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  return shown
    .split("\n")
    .map((line, row) => {
      let column = left;
      return runsOf(line)
        .map(({ text: words, style }) => {
          const at = column;
          const kept = words.slice(0, Math.max(0, left + columns - column));
          column += words.length;
          if (kept.trim() === "") return "";
          const lead = kept.length - kept.trimStart().length;
          const seen = kept.trim();
          // The width is given, so that a reader's font cannot shift what follows.
          return `<text x="${xOf(at + lead)}" y="${yOf(top + row)}" textLength="${Math.round(seen.length * CELL_X * 10) / 10}"${style}>${escaped(seen)}</text>`;
        })
        .join("");
    })
    .join("");
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Pieces of equal colour; spaces between them belong to neither. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let codes: number[] = [];
  for (const [, sequence, words = ""] of line.matchAll(/(?:\u001b\[([\d;:]*)m)?([^\u001b]*)/g)) {
    if (sequence !== undefined) codes = after(codes, sequence);
    const style = styleOf(codes);
    const before = runs.at(-1);
    if (before && before.style === style) before.text += words;
    else if (words) runs.push({ text: words, style });
  }
  return runs;
}

function after(codes: number[], sequence: string): number[] {
  const given = sequence.split(/[;:]/).map(Number);
  const reset = given.lastIndexOf(0);
  const isColour = given[0] === 38 || given[0] === 48;
  return reset >= 0 && !isColour ? given.slice(reset + 1) : [...codes, ...given];
}

function styleOf(codes: readonly number[]): string {
  let [fill, bold, dim] = ["", false, false];
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const isTrue = codes[at + 1] === 2;
      if (code === 38) fill = isTrue ? rgb(codes.slice(at + 2, at + 5)) : indexed(codes[at + 2] ?? 7);
      at += isTrue ? 4 : 2;
    } else if (code === 1) bold = true;
    else if (code === 2) dim = true;
    else if (code === 22) [bold, dim] = [false, false];
    else if (code === 39) fill = "";
    else if (code >= 30 && code <= 37) fill = BASIC[code - 30] ?? INK;
    else if (code >= 90 && code <= 97) fill = BRIGHT[code - 90] ?? INK;
  }
  return `${fill ? ` fill="${fill}"` : ""}${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity=".6"' : ""}`;
}

const rgb = (parts: readonly number[]) =>
  `#${parts.map((one) => one.toString(16).padStart(2, "0")).join("")}`;

function indexed(colour: number): string {
  if (colour < 8) return BASIC[colour] ?? INK;
  if (colour < 16) return BRIGHT[colour - 8] ?? INK;
  if (colour >= 232) return rgb(Array(3).fill(8 + (colour - 232) * 10));
  const step = (n: number) => (n === 0 ? 0 : 55 + n * 40);
  const rest = colour - 16;
  return rgb([step(Math.floor(rest / 36)), step(Math.floor(rest / 6) % 6), step(rest % 6)]);
}
