// Mail that is over: one JSONL file a member, only ever appended to, read from its end.

import { readRotatedTail } from "../../core/files.ts";
import { appendLines, LIMITS, rotateIfFull } from "../../core/jsonl.ts";
import { archivePath, type Paths } from "../../core/paths.ts";
import type { Message } from "./message.ts";

const TAIL_BYTES = 512 * 1024;

/** On disk before the inbox forgets them. */
export function appendArchive(paths: Paths, team: string, agent: string, lines: Partial<Message>[]): void {
  if (lines.length === 0) return;
  const path = archivePath(paths, team, agent);
  appendLines(path, lines, { durable: true });
  rotateIfFull(path, LIMITS.mailArchive);
}

/** The newest archived mail, oldest first. A later line about the same id adds to the earlier one. */
export function readArchive(paths: Paths, team: string, agent: string): Message[] {
  const byId = new Map<string, Message>();
  for (const line of readRotatedTail(archivePath(paths, team, agent), TAIL_BYTES).split("\n")) {
    const message = parsed(line);
    if (message) byId.set(message.id, { ...byId.get(message.id), ...message });
  }
  return [...byId.values()].filter((message) => typeof message.text === "string");
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined; // cut by the tail, or torn
  }
}
