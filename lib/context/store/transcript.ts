// How full an agent's context is, from the last kilobytes of its transcript: a file of any size costs the same.
import { dirname, join } from "node:path";
import { whyNotSegment } from "../../core/paths.ts";
import { readTail } from "../../core/read-file.ts";
import { sleepSync } from "../../core/sleep.ts";
import { usedTokens } from "./usage.ts";

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
