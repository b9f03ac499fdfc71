// An inbox entry as anybody may have written it: we, the client, or a person by hand. What is no message is nobody's to judge.

export interface Message {
  id: string;
  from: string;
  text: string;
  timestamp: string;
  read: boolean;
  summary?: string;
  color?: string;
  /** `report` for a teammate's last words, `system` for our own notes. */
  kind?: string;
  replyTo?: string;
  state?: string;
  [key: string]: unknown;
}

/** `relayed` and `refused` are of mail to another machine. */
export type MailState = "queued" | "claimed" | "relayed" | "shown" | "answered" | "dead" | "refused";

const SAID = new Set<string | undefined>(["answered", "dead", "relayed", "refused"]);

/** A claim that was never followed by a mark goes back to the queue: its process died in between. */
export const LEASE_MS = 30_000;

/** `content` is how older writers called the text; `id` is empty where nobody gave one. */
export function asMessage(entry: unknown): Message | undefined {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return undefined;
  const given = entry as Record<string, unknown>;
  const text = given["text"] ?? given["content"];
  if (typeof text !== "string") return undefined;
  return {
    ...given,
    id: firstText(given["id"], given["msg_id"], given["message_id"]),
    from: firstText(given["from"]) || "unknown",
    text,
    timestamp: timeOf(given["timestamp"]),
    read: given["read"] === true,
  } as Message;
}

const firstText = (...values: unknown[]) =>
  (values.find((value) => typeof value === "string" && value !== "") as string | undefined) ?? "";

function timeOf(value: unknown): string {
  if (typeof value === "string") return value;
  const at = typeof value === "number" ? new Date(value) : undefined;
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : "";
}

export function stateOf(message: Message, now: Date): MailState {
  if (SAID.has(message.state)) return message.state as MailState;
  if (message.read) return "shown";
  return isClaimed(message, now) ? "claimed" : "queued";
}

function isClaimed({ claim }: Message, now: Date): boolean {
  const at = Date.parse((claim as { at?: string } | undefined)?.at ?? "");
  return Math.abs(now.getTime() - at) < LEASE_MS;
}

/** Never shown within the retention time; without a readable time it waits for ever. */
export const isExpired = (message: Message, now: Date, retentionDays: number): boolean =>
  !message.read && now.getTime() - Date.parse(message.timestamp) > retentionDays * 86_400_000;
