// What this machine knows about its relays: address and secret (0600, in the person's own directory, never in a project), what
// the courier last saw, and the receipts it has sent.
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { appendLine } from "../../store/append-line.ts";
import type { Places } from "../../store/paths.ts";
import { readJson } from "../../store/read-json.ts";
import { readText } from "../../store/read-text.ts";
import { LIMITS } from "../../store/state-limits.ts";
import { writeJson } from "../../store/write-file.ts";
import { lifecycleMarkPath, receiptsPath, relayPath, statusPath } from "./paths.ts";

const relay = z.object({
  url: z.string(),
  team: z.string(),
  machine: z.string(),
  /** The text of a credentials file, or the seed of a key. */
  creds: z.optional(z.string()),
  token: z.optional(z.string()),
  /** Certificates that vouch for the server, as text. */
  ca: z.optional(z.string()),
  /** Makes the ids of our publishes unguessable: an id that somebody else has used would be dropped as known. */
  secret: z.string(),
  replicas: z.number(),
  joinedAt: z.string(),
});
export type Relay = z.infer<typeof relay>;

export const readRelay = (places: Places, team: string): Relay | undefined =>
  readJson(relayPath(places, team), relay);

export const writeRelay = (places: Places, value: Relay): void =>
  writeJson(relayPath(places, value.team), value, { durable: true });

export const removeRelay = (places: Places, team: string): void => {
  for (const pathOf of [relayPath, statusPath, receiptsPath, lifecycleMarkPath])
    rmSync(pathOf(places, team), { force: true });
};

const status = z.object({
  pid: z.number(),
  /** Of the courier's own clock. */
  at: z.string(),
  /** The last request for a whole round that was carried out. */
  poked: z.number(),
  connectedSince: z.optional(z.string()),
  server: z.optional(z.object({ name: z.string(), version: z.string() })),
  /** Server's clock minus ours. */
  clockMs: z.optional(z.number()),
  lastPull: z.record(z.string(), z.string()),
  /** When each machine last gave a sign of life, on our clock. */
  machines: z.record(z.string(), z.string()),
  lead: z.optional(z.object({ machine: z.string(), agent: z.string(), token: z.number() })),
  refused: z.number(),
  error: z.optional(z.string()),
});
export type CourierStatus = z.infer<typeof status>;

export const readStatus = (places: Places, team: string): CourierStatus | undefined =>
  readJson(statusPath(places, team), status);

export const writeStatus = (places: Places, team: string, value: CourierStatus): void =>
  writeJson(statusPath(places, team), value);

/** What was last said to a sender about its message. Forgotten lines cost a receipt sent twice. */
export function readSentReceipts(places: Places, team: string): Map<string, string> {
  const path = receiptsPath(places, team);
  const text = `${readText(`${path}.1`) ?? ""}\n${readText(path) ?? ""}`;
  return new Map(text.split("\n").flatMap((line) => receiptIn(line) ?? []));
}

function receiptIn(line: string): [string, string][] {
  try {
    const { key, state } = JSON.parse(line) as { key?: unknown; state?: unknown };
    return typeof key === "string" && typeof state === "string" ? [[key, state]] : [];
  } catch {
    return []; // torn, or empty
  }
}

export const noteSentReceipt = (places: Places, team: string, key: string, state: string): void =>
  appendLine(receiptsPath(places, team), { key, state }, LIMITS.receipts);

const mark = z.object({ end: z.number() });

export const readLifecycleMark = (places: Places, team: string): number | undefined =>
  readJson(lifecycleMarkPath(places, team), mark)?.end;

export const writeLifecycleMark = (places: Places, team: string, end: number): void =>
  writeJson(lifecycleMarkPath(places, team), { end });
