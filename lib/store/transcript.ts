// How full an agent's context is, from the last kilobytes of its transcript: a file of any size costs the same.
import { usedTokens } from "../parse/transcript.ts";
import { readTail } from "./read-text.ts";

const TAIL_BYTES = 64 * 1024;

/** In percent; `undefined` while the window or the use is unknown. */
export function contextShare(transcript: string | undefined, window: number | undefined): number | undefined {
  if (!transcript || !window) return undefined;
  const used = usedTokens(readTail(transcript, TAIL_BYTES)?.text ?? "");
  return used === undefined ? undefined : (100 * used) / window;
}
