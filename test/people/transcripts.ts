// Transcripts as the client writes them: one record for each content block, the whole usage in each of them.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Home } from "../support/a-home.ts";

interface GivenUsage {
  input?: number;
  output?: number;
  read?: number;
  write5m?: number;
  write1h?: number;
  more?: Record<string, unknown>;
}

const usage = ({ input = 0, output = 0, read = 0, write5m = 0, write1h = 0, more = {} }: GivenUsage) => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: write5m + write1h,
  cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
  server_tool_use: { web_search_requests: 0 },
  ...more,
});

export interface GivenAnswer extends GivenUsage {
  id: string;
  session: string;
  at?: string;
  model?: string;
  /** How many content blocks it has. */
  blocks?: number;
  fields?: Record<string, unknown>;
  content?: unknown[];
}

export const MODEL = "claude-sonnet-4-5-20250929";

export function answer({
  id,
  session,
  at = "2026-02-20T11:00:00Z",
  model = MODEL,
  blocks = 1,
  fields = {},
  content,
  ...used
}: GivenAnswer): Record<string, unknown>[] {
  return Array.from({ length: blocks }, (_, n) => ({
    type: "assistant",
    uuid: `${id}-${n}`,
    sessionId: session,
    timestamp: at,
    requestId: `req_${id}`,
    message: {
      id,
      role: "assistant",
      model,
      content: content ?? [{ type: "text", text: `block ${n}` }],
      usage: usage(used),
    },
    ...fields,
  }));
}

const SLUG = ".claude/projects/-project";
export const mainFile = (session: string) => `${SLUG}/${session}.jsonl`;
export const agentFile = (session: string, agentId: string, below = "") =>
  `${SLUG}/${session}/subagents/${below}agent-${agentId}.jsonl`;

export function append(home: Home, path: string, records: readonly unknown[]): void {
  mkdirSync(dirname(home.path(path)), { recursive: true });
  appendFileSync(home.path(path), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
