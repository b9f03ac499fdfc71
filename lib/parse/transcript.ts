// The newest usage figure in the tail of a transcript. The format is the client's own and may change: what cannot be
// read counts as not there.

interface Entry {
  type?: string;
  subtype?: string;
  isSidechain?: boolean;
  message?: { usage?: Record<string, unknown> };
}

const PARTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/** Reads backwards; `undefined` when nothing is known, or a compaction came after the last figure. */
export function usedTokens(tail: string): number | undefined {
  const lines = tail.split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const entry = parsed(lines[at] ?? "");
    if (!entry) continue;
    if (entry.type === "system" && entry.subtype === "compact_boundary") return undefined;
    const usage = entry.type === "assistant" && !entry.isSidechain ? entry.message?.usage : undefined;
    if (usage) return PARTS.reduce((sum, part) => sum + (Number(usage[part]) || 0), 0);
  }
  return undefined;
}

function parsed(line: string): Entry | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined; // half-written, or cut by the tail
  }
}
