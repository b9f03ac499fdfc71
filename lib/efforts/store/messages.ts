// The effort's message log (seed 003's messages table): dialogue with the person, failures, who is idle, what ended.
// `efforts/<id>/messages.jsonl`, one O_APPEND line each, so that all sessions of an effort can write at once.
import { join } from "node:path";
import { readTail } from "../../core/files.ts";
import { appendLine, LIMITS } from "../../core/jsonl.ts";
import { effortDir, type Paths } from "../../core/paths.ts";

const TAIL_BYTES = 128 * 1024;

export interface EffortMessage {
  at: string;
  /** `dialogue`, `failure`, `attention`, `idle`, `task`, `limit`, `session`, `injection`, `phase`, `config`. */
  kind: string;
  /** The number of the engine's session in this effort. */
  session: number | null;
  voice: string;
  [detail: string]: unknown;
}

const pathOf = (paths: Paths, effort: number) => join(effortDir(paths, effort), "messages.jsonl");

export const appendEffortMessage = (paths: Paths, effort: number, message: EffortMessage): void =>
  appendLine(pathOf(paths, effort), message, LIMITS.effortMessages);

/** The newest, oldest first; torn lines are passed over. */
export function readEffortMessages(paths: Paths, effort: number): EffortMessage[] {
  const tail = readTail(pathOf(paths, effort), TAIL_BYTES)?.text ?? "";
  return tail.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as EffortMessage];
    } catch {
      return [];
    }
  });
}
