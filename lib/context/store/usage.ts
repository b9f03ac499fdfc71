// The newest usage figure in the tail of a transcript. The format is the client's own and may change: what cannot be
// read counts as not there.

interface Entry {
  type?: string;
  subtype?: string;
  isSidechain?: boolean;
  message?: { usage?: Record<string, unknown> };
  compactMetadata?: { postTokens?: unknown };
}

const PARTS = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];

/**
 * Reads backwards. In an agent's own transcript every line is a sidechain; in a session's such lines are somebody
 * else's. A compaction after the last figure counts as what it left, or makes the figure unknown.
 */
export function usedTokens(tail: string, isAgents = false): number | undefined {
  const lines = tail.split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const entry = parsed(lines[at] ?? "");
    if (!entry || (entry.isSidechain === true && !isAgents)) continue;
    if (entry.subtype === "compact_boundary") return countOf(entry.compactMetadata?.postTokens);
    const sum = entry.type === "assistant" ? sumOf(entry.message?.usage) : 0;
    if (sum > 0) return sum; // the client's own error messages carry zeros
  }
  return undefined;
}

const sumOf = (usage: Record<string, unknown> | undefined) =>
  PARTS.reduce((sum, part) => sum + (countOf(usage?.[part]) ?? 0), 0);

const countOf = (value: unknown) =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;

function parsed(line: string): Entry | undefined {
  if (!line.startsWith("{") || !/"usage"|"compact_boundary"/.test(line)) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined; // half-written, or cut by the tail
  }
}
