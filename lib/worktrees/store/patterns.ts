// Patterns of files, compared one path segment at a time: `*` and `?` stay inside a segment, `**` stands for any number of them.
// A plain path also stands for everything below it. Written by agents and people, so nothing here backtracks without a bound.
import { alternatives, isGlob, patternOf } from "../../core/glob.ts";

/** Why it cannot be a pattern of files inside a repository, or nothing. */
export function whyNotPattern(pattern: string): string | undefined {
  if (pattern.trim() === "") return "is empty";
  if (pattern.length > 500) return "is longer than 500 characters";
  if (pattern.startsWith("/") || /^[A-Za-z]:/.test(pattern)) return "is not relative to the repository";
  return pattern.split("/").includes("..") ? "leads out of the repository" : undefined;
}

/** One spelling: no `./`, no doubled or trailing slash. */
export const plainPattern = (pattern: string): string =>
  pattern
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")
    .normalize("NFC");

type Segments = readonly string[];

/** With `{a,b}` written out, each as segments; a plain path also as all that is below it. */
function formsOf(pattern: string): Segments[] {
  return alternatives(plainPattern(pattern)).flatMap((one) => {
    const segments = one.split("/").filter(Boolean);
    // `app/[id]` may be the very name of a directory.
    return /[*?]/.test(segments.at(-1) ?? "") ? [segments] : [segments, [...segments, "**"]];
  });
}

export const covers = (pattern: string, file: string): boolean => overlaps(pattern, literal(file));

/** A file's name may hold the signs of patterns. */
const LITERAL = "\0";
const literal = (file: string) =>
  file
    .split("/")
    .map((part) => (isGlob(part) ? `${LITERAL}${part}` : part))
    .join("/");

/** Whether some file belongs to both. */
export const overlaps = (a: string, b: string): boolean => {
  const [left, right] = [a, b].map((one) => (one.includes(LITERAL) ? [one.split("/")] : formsOf(one)));
  return (left ?? []).some((x) => (right ?? []).some((y) => meets(x, y)));
};

function meets(a: Segments, b: Segments): boolean {
  const known = new Map<number, boolean>();
  const from = (i: number, j: number): boolean => {
    const at = i * (b.length + 1) + j;
    const before = known.get(at);
    if (before !== undefined) return before;
    known.set(at, false);
    const found = step(i, j);
    known.set(at, found);
    return found;
  };
  const step = (i: number, j: number): boolean => {
    const [x, y] = [a[i], b[j]];
    if (x === undefined && y === undefined) return true;
    if (x === "**") return from(i + 1, j) || (y !== undefined && from(i, j + 1));
    if (y === "**") return from(i, j + 1) || (x !== undefined && from(i + 1, j));
    return x !== undefined && y !== undefined && segmentsMeet(x, y) && from(i + 1, j + 1);
  };
  return from(0, 0);
}

function segmentsMeet(a: string, b: string): boolean {
  if (a.startsWith(LITERAL)) return b.startsWith(LITERAL) ? a === b : segmentsMeet(b, a);
  if (b.startsWith(LITERAL)) return a === b.slice(1) || (isGlob(a) && patternOf(a).matches(b.slice(1)));
  if (!isGlob(a)) return isGlob(b) ? patternOf(b).matches(a) : a === b;
  if (!isGlob(b)) return patternOf(a).matches(b);
  return wildcardsMeet([...withoutLists(a)], [...withoutLists(b)]);
}

/** A list of characters is taken for any one: two patterns may then be said to meet that do not. */
const withoutLists = (pattern: string) => pattern.replace(/\[[^\]]*\]/g, "?");

function wildcardsMeet(a: readonly string[], b: readonly string[]): boolean {
  let row = b.map(() => false);
  row = [true, ...row];
  for (let j = 1; j <= b.length; j++) row[j] = row[j - 1] === true && b[j - 1] === "*";
  for (const x of a) {
    const next: boolean[] = [row[0] === true && x === "*"];
    b.forEach((y, at) => {
      const isStar = x === "*" || y === "*";
      const isOne = x === "?" || y === "?" || x === y;
      next.push(
        isStar ? row[at + 1] === true || next[at] === true || row[at] === true : isOne && row[at] === true,
      );
    });
    row = next;
  }
  return row[b.length] === true;
}
