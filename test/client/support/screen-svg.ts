// A terminal's screen as SVG: text with its colours, on the cells where tmux had it. No fonts, no scripts, nothing to load.

interface Run {
  text: string;
  style: string;
  /** Behind the text. */
  paper: string;
}

const [CELL_X, CELL_Y, SIZE, MARGIN, BAR] = [7.2, 16, 12, 14, 26];
const PAPER = "#16181d";
const INK = "#d6d8d5";
const BASIC = ["#3b4048", "#e0696c", "#7fbf7f", "#d6a044", "#6c9fd8", "#b48ad4", "#5fb8b0", INK];
const BRIGHT = ["#6b7078", "#f08a8c", "#9fd89f", "#e8bb66", "#8cb9ea", "#c9a6e4", "#7fd0c8", "#ffffff"];

export interface Screen {
  /** As `tmux capture-pane -e -p` prints it. */
  text: string;
  columns: number;
  rows: number;
  /** What it shows, for readers who do not see it. */
  about: string;
  /** Shown as something else. */
  replaced: readonly [string, string][];
}

export function screenAsSvg({ text, columns, rows, about, replaced }: Screen): string {
  const width = Math.round(columns * CELL_X + 2 * MARGIN);
  const height = Math.round(rows * CELL_Y + 2 * MARGIN + BAR);
  const shown = replaced.reduce((rest, [from, to]) => rest.replaceAll(from, to), text);
  const lines = shown.split("\n").map((line, row) => lineAsSvg(line, row, columns));
  const dots = ["#e0696c", "#d6a044", "#7fbf7f"]
    .map((colour, n) => `<circle cx="${20 + n * 18}" cy="16" r="5" fill="${colour}"/>`)
    .join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(about)}"><rect width="100%" height="100%" rx="10" fill="${PAPER}"/>${dots}<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="${SIZE}" fill="${INK}" xml:space="preserve">${lines.join("")}</g></svg>\n`;
}

const xOf = (column: number) => round(MARGIN + column * CELL_X);
const yOf = (row: number) => MARGIN + BAR + row * CELL_Y + SIZE;

function lineAsSvg(line: string, row: number, columns: number): string {
  let column = 0;
  return runsOf(line)
    .map(({ text, style, paper }) => {
      const at = column;
      const kept = text.slice(0, Math.max(0, columns - column));
      column += text.length;
      const behind = paper && kept ? rectangle(at, row, kept.length, paper) : "";
      return behind + wordsAsSvg(kept, at, row, style);
    })
    .join("");
}

const rectangle = (column: number, row: number, width: number, fill: string) =>
  `<rect x="${xOf(column)}" y="${yOf(row) - SIZE}" width="${round(width * CELL_X)}" height="${CELL_Y}" fill="${fill}"/>`;

/** Apart at wide gaps, which renderers collapse; the width is given, so that a reader's font cannot shift what follows. */
const wordsAsSvg = (text: string, column: number, row: number, style: string): string =>
  Array.from(
    text.matchAll(/\S+(?: \S+)*/g),
    ({ 0: words, index }) =>
      `<text x="${xOf(column + index)}" y="${yOf(row)}" textLength="${round(words.length * CELL_X)}"${style}>${escaped(words)}</text>`,
  ).join("");

const round = (length: number) => Math.round(length * 10) / 10;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Pieces of equal colour; spaces between them belong to neither. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let codes: number[] = [];
  for (const [, sequence, words = ""] of line.matchAll(/(?:\u001b\[([\d;:]*)m)?([^\u001b]*)/g)) {
    if (sequence !== undefined) codes = after(codes, sequence);
    const look = lookOf(codes);
    const before = runs.at(-1);
    if (before && before.style === look.style && before.paper === look.paper) before.text += words;
    else if (words) runs.push({ text: words, ...look });
  }
  return runs;
}

function after(codes: number[], sequence: string): number[] {
  const given = sequence.split(/[;:]/).map(Number);
  const reset = given.lastIndexOf(0);
  const isColour = given[0] === 38 || given[0] === 48;
  return reset >= 0 && !isColour ? given.slice(reset + 1) : [...codes, ...given];
}

function lookOf(codes: readonly number[]): Omit<Run, "text"> {
  let [fill, paper, bold, dim, reverse] = ["", "", false, false, false];
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const isTrue = codes[at + 1] === 2;
      const colour = isTrue ? rgb(codes.slice(at + 2, at + 5)) : indexed(codes[at + 2] ?? 7);
      if (code === 38) fill = colour;
      else paper = colour;
      at += isTrue ? 4 : 2;
    } else if (code === 1) bold = true;
    else if (code === 2) dim = true;
    else if (code === 7 || code === 27) reverse = code === 7;
    else if (code === 22) [bold, dim] = [false, false];
    else if (code === 39) fill = "";
    else if (code === 49) paper = "";
    else if (code >= 30 && code <= 37) fill = BASIC[code - 30] ?? INK;
    else if (code >= 40 && code <= 47) paper = BASIC[code - 40] ?? INK;
    else if (code >= 90 && code <= 97) fill = BRIGHT[code - 90] ?? INK;
    else if (code >= 100 && code <= 107) paper = BRIGHT[code - 100] ?? INK;
  }
  if (reverse) [fill, paper] = [paper || PAPER, fill || INK];
  const style = `${fill ? ` fill="${fill}"` : ""}${bold ? ' font-weight="bold"' : ""}${dim ? ' opacity=".6"' : ""}`;
  return { style, paper };
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

/** The lines of such a picture, as a person reads them: pieces of one row from left to right. */
export function textOfSvg(svg: string): string {
  const rows = new Map<number, { x: number; words: string }[]>();
  for (const [, x, y, words = ""] of svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)) {
    const row = rows.get(Number(y)) ?? [];
    rows.set(Number(y), [
      ...row,
      { x: Number(x), words: words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&") },
    ]);
  }
  return [...rows]
    .sort(([a], [b]) => a - b)
    .map(([, row]) => lineOf(row.sort((a, b) => a.x - b.x)))
    .join("\n");
}

const lineOf = (pieces: { x: number; words: string }[]): string =>
  pieces.reduce((line, { x, words }) => line.padEnd(Math.round((x - MARGIN) / CELL_X)) + words, "");
