// Which known names a mistyped one may mean.

import { plainLine } from "./text.ts";

const FARTHEST = 3;
const MOST_SHOWN = 3;

/** The nearest ones, at most three; a name that contains the other counts as near, and so does a swap of two neighbours. */
export function nearest(asked: string, known: readonly string[]): string[] {
  const near = known
    .map((name) => ({ name, far: distance(asked.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= Math.min(FARTHEST, Math.max(1, Math.floor(asked.length / 2))));
  const best = Math.min(...near.map(({ far }) => far));
  return near
    .filter(({ far }) => far === best)
    .map(({ name }) => name)
    .sort()
    .slice(0, MOST_SHOWN);
}

/** `; nearest: …`, or nothing. */
export function nearestOf(asked: string, known: readonly string[]): string {
  const near = nearest(asked, known);
  return near.length > 0 ? `; nearest: ${near.map(plainLine).join(", ")}` : "";
}

/** The number of edits: one letter more, less or changed, or two neighbours swapped. */
function distance(a: string, b: string): number {
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  }
  return at(a.length, b.length);
}
