// The trigger and the summary of seed 002.
import { escapeLine } from "../core/text.ts";
import type { Finished } from "./store/finished-work.ts";

export const TRIGGER = "[CLAUDE OS SYS: NOTIFICATION]: Workers complete";

const TIMESTAMP = /^\s*(\[\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?\]\s*)?/;
const MOST_LINES = 5;
const LONGEST_SUMMARY = 60;

/** With or without the time in front that seed 002's sender writes. */
export const isWakeUp = (prompt: string): boolean => prompt.replace(TIMESTAMP, "").startsWith(TRIGGER);

export function summaryOf(finished: readonly Finished[], now: Date): string {
  if (finished.length === 0) return "📬 Nothing has been completed since the last summary.";
  const rest = finished.length - MOST_LINES;
  return [
    `📬 ${finished.length} task(s) completed and ready for review:`,
    ...finished.slice(0, MOST_LINES).map((one) => `• ${lineOf(one, now)}`),
    ...(rest > 0 ? [`...and ${rest} more`] : []),
    "Each is told once here; whoever reported waits for an answer or for the next piece of work.",
  ].join("\n");
}

const lineOf = ({ id, type, summary, at }: Finished, now: Date) =>
  `${escapeLine(id)} (${escapeLine(type)}) - ${short(summary)} [${ageOf(at, now)}]`;

function short(summary: string): string {
  const signs = [...(escapeLine(summary.slice(0, 500)) || "no summary")];
  return signs.length > LONGEST_SUMMARY ? `${signs.slice(0, LONGEST_SUMMARY - 1).join("")}…` : signs.join("");
}

export function ageOf(at: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - at.getTime()) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes}m ago`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h ago` : `${Math.floor(minutes / (24 * 60))}d ago`;
}
