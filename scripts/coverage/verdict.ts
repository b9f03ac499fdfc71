// What the counters say: the share of each file, and which files need a reason they do not have, or have one they do not need.
import type { Counter } from "./counters.ts";

const LIMITS = { lines: 90, branches: 80 };

export interface Share {
  lines: number;
  branches: number;
  /** The lines that were not run, and those with a way that was not taken. */
  missed: { lines: number[]; branches: number[] };
}

/** A line is run if any statement that begins on it is. */
export function shareOf(counters: readonly Counter[], hit: ReadonlySet<string>): Share {
  const lines = new Map<string, { line: number; isHit: boolean }>();
  for (const { id, file, line, kind } of counters) {
    if (kind !== "statement") continue;
    const key = `${file}:${line}`;
    lines.set(key, { line, isHit: lines.get(key)?.isHit === true || hit.has(id) });
  }
  const branches = counters.filter(({ kind }) => kind === "branch");
  const open = branches.filter(({ id }) => !hit.has(id));
  const missed = [...lines.values()].filter(({ isHit }) => !isHit).map(({ line }) => line);
  return {
    lines: percent(lines.size - missed.length, lines.size),
    branches: percent(branches.length - open.length, branches.length),
    missed: { lines: missed, branches: [...new Set(open.map(({ line }) => line))] },
  };
}

const percent = (part: number, all: number) => (all === 0 ? 100 : (100 * part) / all);

export const isBelow = ({ lines, branches }: Share) => lines < LIMITS.lines || branches < LIMITS.branches;

export const shown = ({ lines, branches }: Share) =>
  `${lines.toFixed(1).padStart(5)} % lines  ${branches.toFixed(1).padStart(5)} % branches`;

/** Every file below a limit, and what is wrong: no reason, or a reason of a file that needs none or is gone. */
export function judged(
  shares: ReadonlyMap<string, Share>,
  reasons: Readonly<Record<string, string>>,
): { below: string[]; faults: string[] } {
  const below = [...shares].filter(([, share]) => isBelow(share));
  const needed = new Set(below.map(([file]) => file));
  return {
    below: below.map(([file, share]) => `${shown(share)}  ${file}: ${reasons[file] ?? whatIsMissed(share)}`),
    faults: [
      ...[...needed]
        .filter((file) => !reasons[file])
        .map((file) => `${file} is below a limit, without a reason`),
      ...Object.keys(reasons)
        .filter((file) => !needed.has(file))
        .map(
          (file) => `${file} is ${shares.has(file) ? "above both limits" : "gone"}: its reason is not needed`,
        ),
    ],
  };
}

const whatIsMissed = ({ missed: { lines, branches } }: Share) =>
  [
    lines.length > 0 ? `not run ${lines.join(" ")}` : "",
    branches.length > 0 ? `ways of ${branches.join(" ")}` : "",
  ]
    .filter(Boolean)
    .join(", ");
