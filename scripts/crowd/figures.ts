// The figures of a crowd: for each hook the 95th percentile, against that of an empty script in the same loops.
import type { CrowdResult, Ran } from "./crowd.ts";

const EMPTY = "empty script";
/** What a hook may take, in times of an empty script. */
const LIMIT = 1.6;
const START_LIMIT = 2;

interface Figure {
  name: string;
  calls: number;
  p50: number;
  p95: number;
  /** Against the empty script of the same run; of several runs the best. */
  ratio: number;
  limit: number | undefined;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function figures(results: readonly CrowdResult[]): Figure[] {
  const best = new Map<string, Figure>();
  for (const result of results)
    for (const figure of figuresOf(result)) {
      const known = best.get(figure.name);
      if (!known || figure.ratio < known.ratio) best.set(figure.name, figure);
    }
  return [...best.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function figuresOf({ runs }: CrowdResult): Figure[] {
  const times = byName(runs);
  const p95 = (name: string) =>
    percentile(
      (times.get(name) ?? []).map(({ ms }) => ms),
      0.95,
    );
  const empty = p95(EMPTY);
  return [...times].map(([name, all]) => ({
    name,
    calls: all.length,
    p50: percentile(
      all.map(({ ms }) => ms),
      0.5,
    ),
    p95: p95(name),
    ratio: p95(name) / empty,
    limit: limitOf(name),
  }));
}

function byName(runs: readonly Ran[]): Map<string, Ran[]> {
  const groups = new Map<string, Ran[]>();
  for (const ran of runs) groups.set(ran.name, [...(groups.get(ran.name) ?? []), ran]);
  return groups;
}

/** A verb is called by the model and has no limit here. */
const limitOf = (name: string): number | undefined => {
  if (name === EMPTY || name.startsWith("swarm ")) return undefined;
  return name.startsWith("SessionStart") ? START_LIMIT : LIMIT;
};

export const table = (all: readonly Figure[]): string =>
  [
    "| process | calls | p50 ms | p95 ms | p95 / empty | limit |",
    "| --- | --- | --- | --- | --- | --- |",
    ...all.map(
      ({ name, calls, p50, p95, ratio, limit }) =>
        `| ${name} | ${calls} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${ratio.toFixed(2)} | ${limit ? `≤ ${limit.toFixed(1)}` : ""} |`,
    ),
  ].join("\n");
