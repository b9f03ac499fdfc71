// Times as a person gives them: `--since`, how far back, and `--day`.
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import { badCall } from "./command.ts";

const UNITS: Record<string, number> = { m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };

export function sinceOf(given: string | undefined, now: Date): Date {
  const since = given ?? "24h";
  const [, count, unit = ""] = /^(\d{1,5})\s*([mhdw])$/.exec(since) ?? [];
  const at = count ? now.getTime() - Number(count) * (UNITS[unit] ?? 0) : msOf(since);
  if (Number.isNaN(at))
    throw badCall("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");
  if (at >= now.getTime()) throw badCall("--since lies in the future");
  return new Date(at);
}

/** By the clock of this machine: a date alone would be read as one in UTC. */
function msOf(date: string): number {
  const [, day, time = "T00:00"] = /^(\d{4}-\d\d-\d\d)(.+)?$/.exec(date) ?? [];
  return day ? Date.parse(day + time) : Number.NaN;
}

export function requireDay(given: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(given)) throw badCall("--day is a date like 2026-02-20");
  return given;
}
