// What this machine knows about its relays: address and secret (0600, in the person's own directory, never in a project), what
// the courier last saw, and the receipts it has sent.
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { readOwnText, writeJson } from "../../core/files.ts";
import { appendLine, parsedLines, readJson } from "../../core/json.ts";
import type { Paths } from "../../core/paths.ts";
import { lifecycleMarkPath, receiptsPath, relayPath, SENT_RECEIPTS, statusPath } from "./paths.ts";

const relay = z.object({
  url: z.string(),
  team: z.string(),
  machine: z.string(),
  /** The text of a credentials file, or the seed of a key. */
  creds: z.optional(z.string()),
  token: z.optional(z.string()),
  /** Certificates that vouch for the server, as text. */
  ca: z.optional(z.string()),
  /** Makes the ids of our publishes unguessable: one that another machine has used already would be dropped as a duplicate. */
  secret: z.string(),
  replicas: z.number(),
  joinedAt: z.string(),
});
export type Relay = z.infer<typeof relay>;

export const readRelay = (paths: Paths, team: string): Relay | undefined =>
  readJson(relayPath(paths, team), relay);

export const writeRelay = (paths: Paths, value: Relay): void =>
  writeJson(relayPath(paths, value.team), value, { durable: true });

export const removeRelay = (paths: Paths, team: string): void => {
  for (const pathOf of [relayPath, statusPath, receiptsPath, lifecycleMarkPath])
    rmSync(pathOf(paths, team), { force: true });
  rmSync(`${receiptsPath(paths, team)}.1`, { force: true });
};

const status = z.object({
  pid: z.number(),
  /** Of the courier's own clock. */
  at: z.string(),
  /** The last request for a whole round that was carried out. */
  synced: z.number(),
  connectedSince: z.optional(z.string()),
  server: z.optional(z.object({ name: z.string(), version: z.string() })),
  /** Server's clock minus ours. */
  clockMs: z.optional(z.number()),
  lastPull: z.record(z.string(), z.string()),
  /** When each machine last gave a sign of life, on our clock. */
  machines: z.record(z.string(), z.string()),
  lead: z.optional(z.object({ machine: z.string(), agent: z.string(), token: z.number() })),
  refused: z.number(),
  /** Why the relay takes no mail for a machine. */
  stuck: z.optional(z.record(z.string(), z.string())),
  error: z.optional(z.string()),
});
export type CourierStatus = z.infer<typeof status>;

export const readStatus = (paths: Paths, team: string): CourierStatus | undefined =>
  readJson(statusPath(paths, team), status);

export const writeStatus = (paths: Paths, team: string, value: CourierStatus): void =>
  writeJson(statusPath(paths, team), value);

/** The last state that was reported to the sender of each message. A lost line costs a receipt sent twice. */
export function readSentReceipts(paths: Paths, team: string): Map<string, string> {
  const path = receiptsPath(paths, team);
  const text = `${readOwnText(`${path}.1`) ?? ""}\n${readOwnText(path) ?? ""}`;
  const lines = parsedLines<{ key?: unknown; state?: unknown }>(text);
  return new Map(
    lines.flatMap(({ key, state }) =>
      typeof key === "string" && typeof state === "string" ? [[key, state]] : [],
    ),
  );
}

export const noteSentReceipt = (paths: Paths, team: string, key: string, state: string): void =>
  appendLine(receiptsPath(paths, team), { key, state }, SENT_RECEIPTS.maxBytes);

const mark = z.object({ end: z.number() });

export const readLifecycleMark = (paths: Paths, team: string): number | undefined =>
  readJson(lifecycleMarkPath(paths, team), mark)?.end;

export const writeLifecycleMark = (paths: Paths, team: string, end: number): void =>
  writeJson(lifecycleMarkPath(paths, team), { end });

/** The end of a server's name by which it says that `sync_interval: always` is set. */
export const SYNCED_NAME = "-fsync";

/** 2.9 does not know `sync_interval: always`. */
export function canSync(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 10);
}

/** Why a power loss of the server may cost acknowledged messages, as far as a client can tell; nothing when it cannot. */
export function powerLossRisk({ name, version }: { name: string; version: string }): string | undefined {
  if (name.endsWith(SYNCED_NAME)) return undefined;
  return canSync(version)
    ? "`sync_interval: always` is not known to be set"
    : `nats-server ${version} has no \`sync_interval: always\``;
}
