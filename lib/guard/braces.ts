// Brace expansion, which the parser marks but does not do: `{a,b}` and `{1..3}`.

import { PIDS } from "./holes.ts";

/** A count is sampled: its numbers are alike. A list is always whole. */
const MAX_COUNT = 12;
/** So many numbers that, where they are killed, nobody can mean each of them. */
const MANY = 999;

/** Splits the inside of a brace at its own commas, leaving nested braces and quotes alone. */
function alternatives(inner: string): string[] {
  const parts = [""];
  let depth = 0;
  let quote = "";
  for (let at = 0; at < inner.length; at++) {
    const char = inner.charAt(at);
    if (char === "\\") {
      parts[parts.length - 1] += char + inner.charAt(++at);
      continue;
    }
    if (quote) quote = char === quote ? "" : quote;
    else if (char === "'" || char === '"') quote = char;
    else if (char === "{" || char === "(") depth++;
    else if (char === "}" || char === ")") depth--;
    if (char === "," && depth === 0 && !quote) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function sequence(inner: string): string[] | undefined {
  const [, from = "", to = "", step = "1"] =
    /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?(\d+))?$/.exec(inner) ?? [];
  if (!from) return undefined;
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const by = Math.max(1, Number(step)) * (first <= last ? 1 : -1);
  const all = Math.floor(Math.abs(last - first) / Math.abs(by)) + 1;
  const indexes = Array.from({ length: Math.min(all, MAX_COUNT) }, (_, at) =>
    at === MAX_COUNT - 1 ? all - 1 : at,
  );
  const items = indexes.map((at) =>
    isNumber ? String(first + at * by) : String.fromCharCode(first + at * by),
  );
  return all > MANY ? [...items, PIDS] : items;
}

/** What one brace part such as `{a,b}` stands for. */
export function expandBrace(text: string): string[] {
  const inner = text.slice(1, -1);
  return sequence(inner) ?? alternatives(inner);
}
