// `--since`: how far back, in words a person uses.
import { badCall } from "./command.ts";

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

export function sinceOf(given: string | undefined, now: Date): Date {
  const ago = (given ?? "24h").match(/^(\d{1,5})\s*([mhdw])$/);
  const at = ago
    ? now.getTime() - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0)
    : /^\d{4}-\d\d-\d\d/.test(given ?? "")
      ? Date.parse(given ?? "")
      : Number.NaN;
  if (Number.isNaN(at))
    throw badCall("--since is a time like 30m, 8h, 3d, 2w, 2026-02-20 or 2026-02-20T09:00");
  if (at >= now.getTime()) throw badCall("--since lies in the future");
  return new Date(at);
}
