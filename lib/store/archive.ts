// Mail that is over: one JSONL file a member, only ever appended to, read from its end.
import type { Message } from "../parse/message.ts";
import { appendLines, turnOverIfFull } from "./append-line.ts";
import { archivePath, type Places } from "./paths.ts";
import { readTurnedTail } from "./read-text.ts";
import { LIMITS } from "./state-limits.ts";

const TAIL_BYTES = 512 * 1024;

/** On disk before the inbox forgets them. */
export function appendArchive(places: Places, team: string, agent: string, lines: Partial<Message>[]): void {
  if (lines.length === 0) return;
  const path = archivePath(places, team, agent);
  appendLines(path, lines, { durable: true });
  turnOverIfFull(path, LIMITS.mailArchive);
}

/** The newest archived mail, oldest first. A later line about the same id adds to the earlier one. */
export function readArchive(places: Places, team: string, agent: string): Message[] {
  const byId = new Map<string, Message>();
  for (const line of readTurnedTail(archivePath(places, team, agent), TAIL_BYTES).split("\n")) {
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
