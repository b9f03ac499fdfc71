// Times as people read them.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

const two = (part: number) => String(part).padStart(2, "0");

/** `2026-02-20` and `13:05`, on the person's own calendar and clock. */
export const localDay = (at: Date): string =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
export const localTime = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}`;

/** `2026-02-20T12:00:00Z`, as the source documents write times. */
export const wholeSeconds = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, "Z");

/** `12s`, `4m`, `3h`, `2d`; empty for no time at all. */
export function age(since: string | undefined, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - Date.parse(since ?? "")) / 1000));
  if (Number.isNaN(seconds)) return "";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** `just now`, `4m ago`, `3h ago`, `2d ago`, in the words of Claude OS hooks. */
export function ago(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes}m ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h ago` : `${Math.floor(minutes / (24 * 60))}d ago`;
}
