// The stamps every hook leaves: when an event last fired, and how long its newest runs took.
import { statSync } from "node:fs";
import { firedPath, type Paths } from "../../core/paths.ts";
import { readTail } from "../../core/read-file.ts";

export interface Fired {
  event: string;
  /** In milliseconds, oldest first; the newest few thousand. */
  times: number[];
  last: Date;
}

const TAIL_BYTES = 16 * 1024;

/** `undefined` for an event that never fired here. */
export function readFired(paths: Paths, event: string): Fired | undefined {
  const path = firedPath(paths, event);
  // A log that was just turned over may hold only a few runs, or not be there yet.
  const files = [`${path}.1`, path].filter((file) => statSync(file, { throwIfNoEntry: false }));
  const newest = files.at(-1);
  if (!newest) return undefined;
  const times = files.flatMap((file) => (readTail(file, TAIL_BYTES)?.text ?? "").split("\n").flatMap(asTime));
  return { event, times, last: statSync(newest).mtime };
}

function asTime(line: string): number[] {
  const ms = Number.parseFloat(line);
  return Number.isFinite(ms) ? [ms] : [];
}
