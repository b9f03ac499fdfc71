// How full an agent's context is, from the last kilobytes of its transcript: a file of any size costs the same.

import { dirname, join } from "node:path";
import { readTail } from "../../core/files.ts";
import { whyNotSegment } from "../../core/paths.ts";
import { sleepSync } from "../../core/time.ts";

/** The newest figure mostly stands within a few lines; the last look is for a tail that is one giant tool result. */
const TAILS_BYTES = [8 * 1024, 64 * 1024, 4 * 1024 * 1024] as const;
const ANSWER_BYTES = TAILS_BYTES[1];

export interface Speaking {
  session_id: string;
  transcript_path: string;
  agent_id?: string;
  agent_transcript_path?: string;
}

/** A voice inside a session has a transcript of its own, in a folder named like the session's. */
export function transcriptOf(input: Speaking): string {
  const { agent_transcript_path, agent_id, session_id, transcript_path } = input;
  if (agent_transcript_path) return agent_transcript_path;
  if (!agent_id || !transcript_path || whyNotSegment(agent_id) || whyNotSegment(session_id))
    return transcript_path;
  return join(dirname(transcript_path), session_id, "subagents", `agent-${agent_id}.jsonl`);
}

/** In tokens; `undefined` while nothing is known. */
export function contextTokens(transcript: string | undefined): number | undefined {
  if (!transcript) return undefined;
  const isAgents = /[\\/]subagents[\\/]/.test(transcript);
  for (const bytes of TAILS_BYTES) {
    const tail = readTail(transcript, bytes);
    const used = usedTokens(tail?.text ?? "", isAgents);
    if (used !== undefined || !tail || tail.size <= bytes) return used;
  }
  return undefined;
}

const LONGEST_WAIT_MS = 300;
const PAUSE_MS = 5;
const TELLING_SIGNS = 60;

/** The client tells a stop some milliseconds before the answer it is about stands in the transcript. */
export function awaitWords(transcript: string, words: string | undefined): void {
  const telling = JSON.stringify(words ?? "").slice(1, TELLING_SIGNS);
  const isThere = () =>
    lastAnswer(readTail(transcript, ANSWER_BYTES)?.text ?? "")?.includes(telling) !== false;
  for (let waited = 0; waited < LONGEST_WAIT_MS && !isThere(); waited += PAUSE_MS) sleepSync(PAUSE_MS);
}

const lastAnswer = (tail: string) => tail.split("\n").findLast((line) => line.includes('"type":"assistant"'));

/** In percent; `undefined` while the window or the use is unknown. */
export function contextShare(transcript: string | undefined, window: number | undefined): number | undefined {
  if (!window) return undefined;
  const used = contextTokens(transcript);
  return used === undefined ? undefined : (100 * used) / window;
}

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
