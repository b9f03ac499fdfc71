// Which known names a mistyped one may mean.

const FARTHEST = 3;

/** The nearest first, at most three; a name that contains the other counts as near. */
export function nearest(asked: string, known: readonly string[]): string[] {
  return known
    .map((name) => ({ name, far: distance(asked.toLowerCase(), name.toLowerCase()) }))
    .filter(({ far }) => far <= FARTHEST)
    .sort((a, b) => a.far - b.far || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name);
}

function distance(a: string, b: string): number {
  if (a.length > 2 && b.length > 2 && (a.includes(b) || b.includes(a))) return 1;
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
