// Brace expansion, which the parser marks but does not do: `{a,b}` and `{1..3}`.

const MAX_RESULTS = 256;

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
  const out: string[] = [];
  for (let at = first; by > 0 ? at <= last : at >= last; at += by) {
    out.push(isNumber ? String(at) : String.fromCharCode(at));
    if (out.length >= MAX_RESULTS) break;
  }
  return out;
}

/** What one brace part such as `{a,b}` stands for. */
export function expandBrace(text: string): string[] {
  const inner = text.slice(1, -1);
  return (sequence(inner) ?? alternatives(inner)).slice(0, MAX_RESULTS);
}
