// The tail of a transcript: the last words before a question, and whether a limit ended the turn. The format is the
// client's own and may change: what cannot be read counts as not there.

import { parsedLines } from "../../core/json.ts";
import { toText } from "../../core/text.ts";

interface Entry {
  type?: string;
  isApiErrorMessage?: boolean;
  error?: unknown;
  message?: { content?: unknown };
}

const LINES_LOOKED_AT = 50;

/** Only in what the client itself reports as an error: an agent may well talk about rate limits. */
export function limitIn(tail: string): { limit: "rate" | "context"; text: string } | undefined {
  const newest = newestIn(parsedLines<Entry>(tail).slice(-LINES_LOOKED_AT));
  if (!newest?.isApiErrorMessage) return undefined;
  const text = textOf(newest);
  if (/prompt is too long|context (window|limit|length)|conversation (is )?too long/i.test(text))
    return { limit: "context", text };
  if (newest.error === "rate_limit" || /rate.?limit|usage limit|hit your .*limit|\b429\b/i.test(text))
    return { limit: "rate", text };
  return undefined;
}

/** What the assistant said last, tool calls left out. */
export function lastWordsIn(tail: string): string | undefined {
  const entry = parsedLines<Entry>(tail).findLast((one) => one.type === "assistant" && textOf(one) !== "");
  return entry && textOf(entry);
}

/** Whether the transcript has the context a hook gave at this call: the client drops it when a person interrupts the call. */
export const hasWordsAt = (tail: string, call: string): boolean =>
  tail
    .split("\n")
    .some((line) => line.includes('"hook_additional_context"') && line.includes(JSON.stringify(call)));

/** The newest entry is the client's own note of an interruption. */
export function isInterrupted(tail: string): boolean {
  const newest = newestIn(parsedLines<Entry>(tail));
  return newest?.type === "user" && /^\[Request interrupted by user/.test(textOf(newest));
}

const newestIn = (entries: Entry[]) =>
  entries.findLast(({ type }) => type === "assistant" || type === "user");

function textOf({ message }: Entry): string {
  const content = message?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: { type?: string; text?: unknown }) => (part?.type === "text" ? toText(part.text) : []))
    .join("\n");
}
