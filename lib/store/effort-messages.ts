// The effort's message log (seed 003's messages table): dialogue with the person, failures, who is idle, what ended.
// `efforts/<id>/messages.jsonl`, one O_APPEND line each, so that all sessions of an effort can write at once.
import { join } from "node:path";
import { appendLine } from "./append-line.ts";
import { effortDir, type Places } from "./paths.ts";
import { readTail } from "./read-text.ts";
import { LIMITS } from "./state-limits.ts";

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

const pathOf = (places: Places, effort: number) => join(effortDir(places, effort), "messages.jsonl");

export const appendEffortMessage = (places: Places, effort: number, message: EffortMessage): void =>
  appendLine(pathOf(places, effort), message, LIMITS.effortMessages);

/** The newest, oldest first; torn lines are passed over. */
export function readEffortMessages(places: Places, effort: number): EffortMessage[] {
  const tail = readTail(pathOf(places, effort), TAIL_BYTES)?.text ?? "";
  return tail.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as EffortMessage];
    } catch {
      return [];
    }
  });
}
